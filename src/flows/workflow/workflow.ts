/**
 * `harness workflow`: which session it is about, and how it goes on.
 *
 * 1. A command that was cut off, or that left a question, goes on where it was when it is given again; nothing is reset for that.
 * 2. The text of its task resumes a session; another text asks first, and a session of another flow is never touched without a question.
 * 3. A recorded output path that fails the path check is never used.
 */
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { validatePath } from '../../domain/validate-path.ts';
import { hasAnswer, readGate } from '../../gates/gate-files.ts';
import { wayTo } from '../../kernel/ground/way-to.ts';
import type { Place } from '../../kernel/place.ts';
import { detectLanguage } from '../../kernel/words/language.ts';
import type { WorkflowDraft } from '../../kernel/session-schema.ts';
import { isSharedFolder } from '../../kernel/ground/slug.ts';
import type { Session as Recorded } from '../../kernel/session-document.ts';
import { takeSessionBack } from '../../kernel/set-aside-session.ts';
import { readSession } from '../../kernel/state-file.ts';
import { askFor } from '../../gates/ask-for.ts';
import { benchFor, speaker, type Bench } from './bench.ts';
import { adoptBase } from './candidate.ts';
import { discardSession, removeSession, removeStaleGates, SESSION_GATES, setAside } from './cleanup.ts';
import type { WorkflowReport, WorkflowRequest } from './contract.ts';
import { hasDocument, readConventions, readDocumentText } from './documents.ts';
import { conflictGate, sessionGate } from './people/gates.ts';
import { transition } from './machine/machine.ts';
import type { WorkflowEvent } from './machine/event.ts';
import { missingFor } from './people/prerequisites.ts';
import { writtenVerdict } from './machine/qa-verdict.ts';
import { partial } from './role-call.ts';
import { driveWorkflow } from './flow.ts';
import { fromState, fromV1, saveSession, type Session } from './session.ts';
import { checkedDraft, checkedFor } from './people/other-settings.ts';
import { beginSession, checkRequest, completeSetup, styleOf } from './people/setup.ts';
import { phaseLabel, statusBlock, suggestion } from './people/status.ts';
import { waiting } from './steps/contract.ts';

/** The caller holds the place. */
export async function runWorkflow(place: Place, request: WorkflowRequest): Promise<WorkflowReport> {
  checkRequest(request, detectLanguage(request.task ?? '', null));
  await checkRoot(place);
  return await takeUpRecorded(place, request);
}

async function takeUpRecorded(place: Place, request: WorkflowRequest): Promise<WorkflowReport> {
  const recorded = await readSession(place.documents, { writer: true });
  switch (recorded.kind) {
    case 'none':
      return await startNew(place, request);
    case 'spec':
    case 'other':
      return await replaceOther(place, request, recorded);
    case 'workflow-draft':
      return await takeUpDraft(place, request, recorded.state);
    case 'workflow-v1':
      return await takeUp(place, request, fromV1(recorded.state));
    case 'workflow-v2':
      return await takeUp(place, request, fromState(recorded.state));
  }
}

/** Trees and documents are counted from the same place. */
async function checkRoot(place: Place): Promise<void> {
  if (!place.hasGit || (await place.platform.files.realpath(place.root)) === place.home.root) return;
  throw usageError(`${place.root} is not the top of its repository.`, `Run it there: harness workflow --cwd ${place.home.root} ...`);
}

async function startNew(place: Place, request: WorkflowRequest): Promise<WorkflowReport> {
  if (request.step !== null && request.step !== 'plan')
    throw usageError(speaker(place, 'en').words.missing.session({ step: request.step }));
  const back = request.task === null ? null : await takeSessionBack(place, 'workflow', request.task);
  if (back !== null) {
    const { common, tell } = speaker(place, detectLanguage(back, null));
    tell(common.session.takenBack({ task: back }));
    return await takeUpRecorded(place, { ...request, task: back });
  }
  return await setUp(place, await beginSession(place, request), request);
}

/** A set-up of this task goes on; one of another task is asked about. */
async function takeUpDraft(place: Place, request: WorkflowRequest, draft: WorkflowDraft): Promise<WorkflowReport> {
  if (isSameTask(request, draft.task)) return await setUp(place, await checkedDraft(place, request, draft), request);
  const voice = speaker(place, draft.user_lang);
  const gate = sessionGate(voice, draft.user_lang, {
    task: draft.task,
    phase: voice.common.workflowPhases.plan_ready,
    next: null,
    wanted: request.task,
  });
  const asked = await askFor(place, gate);
  if (asked.kind === 'waits') return waiting(voice.words.halted.waits({ gate: asked.gate }));
  if (asked.label === 'Resume') return await setUp(place, await checkedDraft(place, request, draft), { ...request, task: null });
  await discardSession(place, voice);
  return asked.label === 'Stop' ? partial(['user_pause'], voice.words.halted.removed) : await startNew(place, request);
}

async function setUp(place: Place, draft: WorkflowDraft, request: WorkflowRequest): Promise<WorkflowReport> {
  const session = await completeSetup(place, draft, request);
  if ('kind' in session) return waiting(speaker(place, draft.user_lang).words.halted.waits({ gate: session.gate }));
  return await driveWorkflow(place, session);
}

async function replaceOther(
  place: Place,
  request: WorkflowRequest,
  recorded: Extract<Recorded, { kind: 'spec' | 'other' }>,
): Promise<WorkflowReport> {
  const language = detectLanguage(request.task ?? '', null);
  const voice = speaker(place, language);
  const asked = await askFor(place, conflictGate(voice, language, recorded.kind === 'spec' ? 'spec' : recorded.skill));
  if (asked.kind === 'waits') return waiting(voice.words.halted.waits({ gate: asked.gate }));
  if (asked.label === 'Cancel') return partial(['user_pause'], voice.words.halted.cancelled);
  await removeSession(place);
  return await startNew(place, request);
}

/** The same text again. A plan that is asked for once there is one is not the same. */
function repeatsTask(request: WorkflowRequest, session: Session): boolean {
  if (request.task === null || !isSameTask(request, session.task)) return false;
  return request.step === null || session.phase === 'plan_ready' || session.phase === 'planning';
}

async function resume(bench: Bench, request: WorkflowRequest): Promise<WorkflowReport> {
  return await proceed(bench.place, checkedFor(request, bench.session), { type: 'resumed', facts: await factsOf(bench) });
}

function isSameTask(request: WorkflowRequest, task: string): boolean {
  return request.task === null || request.task.trim() === task.trim();
}

async function takeUp(place: Place, request: WorkflowRequest, session: Session): Promise<WorkflowReport> {
  const bench = benchFor(place, session);
  const refusedPath = await refusedDocsPath(place, session);
  if (refusedPath !== null) bench.warn(bench.common.session.pathRefused({ path: refusedPath }));
  else if (await goesOn(place, request, session)) return await proceed(place, checkedFor(request, session), null);
  else if (session.phase === 'completed' && session.rules.legacy !== null && request.task === null) {
    return { outcome: 'complete', reasons: [], exitCode: EXIT.done, commit: null, message: phaseLabel(bench, session) };
  } else if (session.phase === 'completed' && session.harness.candidate === null && session.harness.landing === null) {
    await removeSession(place);
    return await startNew(place, { ...request, task: request.task ?? session.task });
  } else if (request.task === null && request.step !== null && request.step !== 'plan') {
    return await proceed(
      place,
      checkedFor(request, session),
      { type: 'requested', step: request.step, style: styleOf(request.step) },
      request.step,
    );
  } else if (repeatsTask(request, session)) return await resume(bench, request);
  return await askAboutSession(bench, request, refusedPath === null);
}

/** The recorded path when it must not be used. */
async function refusedDocsPath(place: Place, session: Session): Promise<string | null> {
  const checked = validatePath(session.docs_path, 'output_dir');
  if (!checked.ok || isSharedFolder(checked.path)) return session.docs_path;
  return (await wayTo(place, checked.path)).inside ? null : session.docs_path;
}

/** The same command again, after it was cut off or left a question. */
async function goesOn(place: Place, request: WorkflowRequest, session: Session): Promise<boolean> {
  if (!isSameTask(request, session.task) || !session.harness.under_way) return false;
  if (request.task !== null || request.step !== null) return session.harness.step === request.step;
  for (const id of SESSION_GATES)
    if ((await hasAnswer(place.documents.folder('gates'), id)) || (await readGate(place.documents.folder('gates'), id)) !== null)
      return true;
  return false;
}

async function askAboutSession(bench: Bench, request: WorkflowRequest, resumable: boolean): Promise<WorkflowReport> {
  const { place, session, words, common } = bench;
  const status = statusBlock(bench, session);
  const wanted = isSameTask(request, session.task) ? null : request.task;
  const gate = sessionGate(bench, session.user_lang, {
    task: session.task,
    phase: phaseLabel(bench, session),
    next: resumable ? suggestion(bench) : null,
    wanted,
  });
  const options = resumable ? gate.options : gate.options.filter((option) => option.label !== 'Resume');
  const question = { ...gate, options, context: [...status, ...gate.context] };
  // The question shows it, unless it is answered already.
  const shown = (await place.asker.foresee(question)) === null ? [] : status;
  bench.tell(session.rules.legacy === null ? common.session.found : common.session.foundV1, ...shown);
  const asked = await askFor(place, question);
  if (asked.kind === 'waits') return waiting(words.halted.waits({ gate: asked.gate }));
  if (asked.label === 'Resume') return await resume(bench, request);
  if (asked.label === 'Start the new task') {
    await setAside(place, session.task);
    bench.tell(common.session.setAside({ task: session.task, command: `harness workflow "${session.task}"` }));
    return await startNew(place, request);
  }
  await discardSession(place, bench);
  if (asked.label === 'Stop') return partial(['user_pause'], words.halted.removed);
  return await startNew(place, { ...request, task: request.task ?? session.task });
}

async function factsOf({ place, session }: Bench): Promise<Extract<WorkflowEvent, { type: 'resumed' }>['facts']> {
  const report = await readDocumentText(place, session, 'qa_report.md');
  const written = writtenVerdict(report ?? '');
  return {
    spec: await hasDocument(place, session, 'spec.md'),
    changes: await hasDocument(place, session, 'changes.md'),
    conventions: (await readConventions(place, session)) !== '',
    verdict: written === 'FAIL' ? (session.verify.layer2_result === 'FAIL' ? 'FAIL L2' : 'FAIL L3') : written,
  };
}

/** Goes on from where the session stands; an event says that a person wants it elsewhere. */
async function proceed(place: Place, before: Session, event: WorkflowEvent | null, step = before.harness.step): Promise<WorkflowReport> {
  if (event?.type === 'requested') {
    const missing = await missingFor(benchFor(place, before), event.step);
    if (missing !== null) throw usageError(missing);
  }
  const adopted = await withoutLostConventions(place, await adoptBase(place, { ...before, has_git: before.has_git ?? place.hasGit }));
  const wanted: Session = event === null ? adopted : { ...adopted, ...transition(adopted, event, adopted.rules).state };
  const after: Session = { ...wanted, harness: { ...wanted.harness, under_way: true, step } };
  const unchanged = JSON.stringify(after) === JSON.stringify(before);
  const session = unchanged ? before : await saveSession(place, before, after);
  await removeStaleGates(place, event !== null);
  return await driveWorkflow(place, session);
}

/** A plan that has not begun looks for conventions again when the file that it would use is gone. */
async function withoutLostConventions(place: Place, session: Session): Promise<Session> {
  if (session.phase !== 'plan_ready' || session.conventions?.startsWith('file:') !== true) return session;
  return (await readConventions(place, session)) === '' ? { ...session, conventions: null } : session;
}
