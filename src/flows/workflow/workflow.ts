/**
 * `harness workflow`: which session it is about, and how it goes on.
 *
 * 1. A command that was cut off, or that left a question, goes on where it was when it is given again; nothing is reset for that.
 * 2. An earlier session is never touched without being asked about; a session of another flow neither.
 * 3. A recorded output path that fails the path check is never used.
 */
import { usageError } from '../../domain/errors.ts';
import { validatePath } from '../../domain/validate-path.ts';
import { hasAnswer, readGate } from '../../gates/gate-files.ts';
import { containedPath } from '../../platform/contained-path.ts';
import type { Place } from '../../kernel/place.ts';
import { detectLanguage } from '../../kernel/words/language.ts';
import type { WorkflowDraft } from '../../kernel/session-schema.ts';
import { isReserved } from '../../kernel/ground/slug.ts';
import { readSession, type Session as Recorded } from '../../kernel/state-file.ts';
import { askFor } from './ask.ts';
import { benchFor, speaker, type Bench } from './bench.ts';
import { adoptBase } from './candidate.ts';
import { removeSession, SESSION_GATES } from './cleanup.ts';
import type { WorkflowReport, WorkflowRequest } from './contract.ts';
import { hasDocument, readConventions, readDocumentText } from './documents.ts';
import { conflictGate, sessionGate } from './gates.ts';
import { actionFor, transition } from './machine.ts';
import type { WorkflowEvent } from './machine-table.ts';
import { missingFor } from './prerequisites.ts';
import { writtenVerdict } from './qa-verdict.ts';
import { partial } from './role-call.ts';
import { carryOn } from './run.ts';
import { fromState, fromV1, saveSession, type Session } from './session.ts';
import { beginSession, checkRequest, completeSetup, styleOf } from './setup.ts';
import { phaseLabel, statusBlock } from './status.ts';
import { waiting } from './step.ts';
import { suggestion } from './suggestion.ts';

/** The caller holds the desk. */
export async function runWorkflow(desk: Place, request: WorkflowRequest): Promise<WorkflowReport> {
  checkRequest(request, detectLanguage(request.task ?? '', null));
  await checkRoot(desk);
  const recorded = await readSession(desk.platform, desk.stateDir, { setAside: true });
  switch (recorded.kind) {
    case 'none':
      return await startNew(desk, request);
    case 'spec':
    case 'other':
      return await replaceOther(desk, request, recorded);
    case 'workflow-draft':
      return await takeUpDraft(desk, request, recorded.state);
    case 'workflow-v1':
      return await takeUp(desk, request, fromV1(recorded.state));
    case 'workflow-v2':
      return await takeUp(desk, request, fromState(recorded.state));
  }
}

/** Trees and documents are counted from the same place. */
async function checkRoot(desk: Place): Promise<void> {
  if (!desk.hasGit || (await desk.platform.files.realpath(desk.root)) === desk.home.root) return;
  throw usageError(`${desk.root} is not the top of its repository.`, `Run it there: harness workflow --cwd ${desk.home.root} ...`);
}

async function startNew(desk: Place, request: WorkflowRequest): Promise<WorkflowReport> {
  if (request.step !== null && request.step !== 'plan') throw usageError(speaker(desk, 'en').words.missing.session(request.step));
  return await setUp(desk, await beginSession(desk, request), request);
}

/** A set-up of this task goes on; one of another task is asked about. */
async function takeUpDraft(desk: Place, request: WorkflowRequest, draft: WorkflowDraft): Promise<WorkflowReport> {
  if (isSameTask(request, draft.task)) return await setUp(desk, draft, request);
  const voice = speaker(desk, draft.user_lang);
  const gate = sessionGate(voice, draft.user_lang, draft.task, voice.common.workflowPhases.plan_ready, null);
  const asked = await askFor(desk, gate);
  if (asked.kind === 'waits') return waiting(voice.words.halted.waits(asked.gate));
  if (asked.label === 'Resume') return await setUp(desk, draft, { ...request, task: null });
  await removeSession(desk);
  return asked.label === 'Stop' ? partial(['user_pause'], voice.words.halted.removed) : await startNew(desk, request);
}

async function setUp(desk: Place, draft: WorkflowDraft, request: WorkflowRequest): Promise<WorkflowReport> {
  const session = await completeSetup(desk, draft, request);
  if ('kind' in session) return waiting(speaker(desk, draft.user_lang).words.halted.waits(session.gate));
  return await carryOn(desk, session, actionFor(session, session.rules));
}

async function replaceOther(
  desk: Place,
  request: WorkflowRequest,
  recorded: Extract<Recorded, { kind: 'spec' | 'other' }>,
): Promise<WorkflowReport> {
  const language = detectLanguage(request.task ?? '', null);
  const voice = speaker(desk, language);
  const asked = await askFor(desk, conflictGate(voice, language, recorded.kind === 'spec' ? 'spec' : recorded.skill));
  if (asked.kind === 'waits') return waiting(voice.words.halted.waits(asked.gate));
  if (asked.label === 'Cancel') return partial(['user_pause'], voice.words.halted.cancelled);
  await removeSession(desk);
  return await startNew(desk, request);
}

function isSameTask(request: WorkflowRequest, task: string): boolean {
  return request.task === null || request.task.trim() === task.trim();
}

async function takeUp(desk: Place, request: WorkflowRequest, session: Session): Promise<WorkflowReport> {
  const bench = benchFor(desk, session);
  const refusedPath = await refusedDocsPath(desk, session);
  if (refusedPath !== null) bench.warn(bench.common.session.pathRefused(refusedPath));
  else if (await goesOn(desk, request, session)) return await proceed(desk, session, null);
  else if (session.phase === 'completed' && session.harness.candidate === null && session.harness.landing === null) {
    await removeSession(desk);
    return await startNew(desk, { ...request, task: request.task ?? session.task });
  } else if (request.task === null && request.step !== null && request.step !== 'plan') {
    return await proceed(desk, session, { type: 'requested', step: request.step, style: styleOf(request.step) }, request.step);
  }
  return await askAboutSession(bench, request, refusedPath === null);
}

/** The recorded path when it must not be used. */
async function refusedDocsPath(desk: Place, session: Session): Promise<string | null> {
  const checked = validatePath(session.docs_path, 'output_dir');
  if (!checked.ok || isReserved(checked.path.split('/').at(-1)!)) return session.docs_path;
  return (await containedPath(desk.platform, desk.root, checked.path)).inside ? null : session.docs_path;
}

/** The same command again, after it was cut off or left a question. */
async function goesOn(desk: Place, request: WorkflowRequest, session: Session): Promise<boolean> {
  if (!isSameTask(request, session.task) || !session.harness.under_way) return false;
  if (request.task !== null || request.step !== null) return session.harness.step === request.step;
  for (const id of SESSION_GATES)
    if ((await hasAnswer(desk.platform, desk.stateDir, id)) || (await readGate(desk.platform, desk.stateDir, id)) !== null) return true;
  return false;
}

async function askAboutSession(bench: Bench, request: WorkflowRequest, resumable: boolean): Promise<WorkflowReport> {
  const { desk, session, words, common } = bench;
  const status = statusBlock(bench, session);
  bench.tell(session.rules.legacy === null ? common.session.found : common.session.foundV1, ...status);
  const gate = sessionGate(bench, session.user_lang, session.task, phaseLabel(bench, session), resumable ? suggestion(bench) : null);
  const options = resumable ? gate.options : gate.options.filter((option) => option.label !== 'Resume');
  const asked = await askFor(desk, { ...gate, options, context: [...status, ...gate.context] });
  if (asked.kind === 'waits') return waiting(words.halted.waits(asked.gate));
  if (asked.label === 'Resume') return await proceed(desk, session, { type: 'resumed', facts: await factsOf(bench) });
  await removeSession(desk);
  if (asked.label === 'Stop') return partial(['user_pause'], words.halted.removed);
  return await startNew(desk, { ...request, task: request.task ?? session.task });
}

async function factsOf({ desk, session }: Bench): Promise<Extract<WorkflowEvent, { type: 'resumed' }>['facts']> {
  const report = await readDocumentText(desk, session, 'qa_report.md');
  const written = writtenVerdict(report ?? '');
  return {
    spec: await hasDocument(desk, session, 'spec.md'),
    changes: await hasDocument(desk, session, 'changes.md'),
    conventions: (await readConventions(desk, session)) !== '',
    verdict: written === 'FAIL' ? (session.verify.layer2_result === 'FAIL' ? 'FAIL L2' : 'FAIL L3') : written,
  };
}

/** Goes on from where the session stands; an event says that a person wants it elsewhere. */
async function proceed(desk: Place, before: Session, event: WorkflowEvent | null, step = before.harness.step): Promise<WorkflowReport> {
  if (event?.type === 'requested') {
    const missing = await missingFor(benchFor(desk, before), event.step);
    if (missing !== null) throw usageError(missing);
  }
  const adopted = await withoutLostConventions(desk, await adoptBase(desk, { ...before, has_git: before.has_git ?? desk.hasGit }));
  const next =
    event === null ? { state: adopted, actions: [actionFor(adopted, adopted.rules)] } : transition(adopted, event, adopted.rules);
  const wanted: Session = { ...adopted, ...next.state };
  const after: Session = { ...wanted, harness: { ...wanted.harness, under_way: true, step } };
  const unchanged = JSON.stringify(after) === JSON.stringify(before);
  const session = unchanged ? before : await saveSession(desk.platform, desk.stateDir, before, after);
  return await carryOn(desk, session, next.actions[0]!);
}

/** A plan that has not begun looks for conventions again when the file that it would use is gone. */
async function withoutLostConventions(desk: Place, session: Session): Promise<Session> {
  if (session.phase !== 'plan_ready' || session.conventions?.startsWith('file:') !== true) return session;
  return (await readConventions(desk, session)) === '' ? { ...session, conventions: null } : session;
}
