/**
 * Carries a workflow session out: asks the machine, does what it says, writes what came of it.
 *
 * 1. Every event is one write of the session, before anything that follows from it is done.
 * 2. A run ends at the end of the session, where its style says so, at a question that nobody answers, or where an agent was stopped.
 */
import type { Reason } from '../../domain/reasons.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Place } from '../../kernel/place.ts';
import { detectLanguage } from '../../kernel/words/language.ts';
import { askFor } from './ask.ts';
import { applyProposal, autofixModel, PATCH_PATH, proposal } from './autofix-step.ts';
import { benchFor, type Bench } from './bench.ts';
import { baseOf, currentTree } from './candidate.ts';
import type { Landing, WorkflowReport } from './contract.ts';
import { clearWorkFolder, readDocumentText } from './documents.ts';
import { evaluate } from './evaluate-step.ts';
import { failedLayers, land, prepareLanding, tidyUp } from './finish-step.ts';
import { autofixGate, commitGate, qaGate, specGate, verifyGate, type Question } from './gates.ts';
import { generate, repair } from './generate-step.ts';
import { halted } from './halted.ts';
import { transition, type Action } from './machine.ts';
import type { WorkflowEvent } from './machine-table.ts';
import { narrate } from './narrate.ts';
import { makePlan, revisePlan } from './plan-step.ts';
import { failingItems } from './qa-verdict.ts';
import { partial, RoleStopped } from './role-call.ts';
import { scan } from './scan-step.ts';
import { saveSession, type Session } from './session.ts';
import { waiting, type Step } from './step.ts';
import { verifyCandidate } from './verify-step.ts';

export async function carryOn(desk: Place, start: Session, first: Action): Promise<WorkflowReport> {
  let session = start;
  let action = first;
  try {
    for (;;) {
      const bench = benchFor(desk, session);
      if (desk.signal.aborted) return interrupted(bench);
      const step = await perform(bench, action);
      if (step.kind === 'end') return step.report;
      const next = transition(session, step.event, session.rules);
      action = next.actions[0] ?? { kind: 'halt' };
      const after: Session = { ...session, ...next.state, ...(step.language === undefined ? {} : { user_lang: step.language }) };
      const before = session;
      session = await saveSession(desk.platform, desk.stateDir, before, underWay(after, action.kind !== 'halt'));
      narrate(benchFor(desk, session), before, step.event);
      if (action.kind === 'halt') return halted(benchFor(desk, session), step.event);
    }
  } catch (error) {
    if (error instanceof RoleStopped) return error.report;
    if (desk.signal.aborted) return interrupted(benchFor(desk, session));
    throw error;
  }
}

function underWay(session: Session, under_way: boolean): Session {
  return { ...session, harness: { ...session.harness, under_way } };
}

function interrupted(bench: Bench): WorkflowReport {
  return partial(['interrupted'], bench.words.roles.interrupted);
}

async function perform(bench: Bench, action: Action): Promise<Step> {
  const { session } = bench;
  switch (action.kind) {
    case 'send':
      if (session.phase === 'generate_ready') await clearRound(bench);
      return send(action.event);
    case 'scan':
      return await scan(bench);
    case 'plan':
      await makePlan(bench);
      return send({ type: 'planned' });
    case 'generate':
      return send({ type: 'generated', candidate: await generate(bench) });
    case 'repair':
      return send({ type: 'generated', candidate: await repair(bench) });
    case 'verify':
      return send({ type: 'checked', ...(await verifyCandidate(bench)) });
    case 'auto-fix':
      return await autofix(bench);
    case 'evaluate':
      return send({ type: 'evaluated', ...(await evaluate(bench)) });
    case 'ask':
      return await ASKED[action.gate](bench);
    case 'land':
      return await finish(bench);
    case 'halt':
      throw new Error('a halted run has nothing to do');
  }
}

const ASKED = { 'workflow.spec': askSpec, 'workflow.verify': askVerify, 'workflow.qa': askQa, 'workflow.commit': askCommit };

function send(event: WorkflowEvent, language?: string): Step {
  return { kind: 'event', event, ...(language === undefined ? {} : { language }) };
}

/** A new round plans and reviews anew; what layer 1 knows about the base stays true. */
async function clearRound({ desk, session }: Bench): Promise<void> {
  if (session.harness.retry === null) await clearWorkFolder(desk, 'generator');
}

type Answered = { label: string; text: string | null; language: string } | { end: Step };

async function ask(bench: Bench, gate: Question, wordsMean: string | null = null): Promise<Answered> {
  const { desk, session, words } = bench;
  const asked = await askFor(desk, gate, wordsMean);
  if (asked.kind === 'waits') return { end: { kind: 'end', report: waiting(words.halted.waits(asked.gate)) } };
  return { ...asked, language: asked.text === null ? session.user_lang : detectLanguage(asked.text, session.user_lang) };
}

async function askSpec(bench: Bench): Promise<Step> {
  const { desk, session, words } = bench;
  const spec = (await readDocumentText(desk, session, 'spec.md')) ?? '';
  const answer = await ask(bench, specGate(bench, spec), 'Modify');
  if ('end' in answer) return answer.end;
  if (answer.label === 'Proceed') return send({ type: 'proceed' }, answer.language);
  if (answer.label === 'Stop') return send({ type: 'stop' });
  const wish = answer.text?.trim() ?? '';
  if (wish !== '') await revisePlan(benchFor(desk, { ...session, user_lang: answer.language }), { spec, wish });
  else bench.tell(words.spec.edited);
  return send({ type: 'modified' }, answer.language);
}

async function askVerify(bench: Bench): Promise<Step> {
  const answer = await ask(bench, verifyGate(bench));
  if ('end' in answer) return answer.end;
  if (answer.label === 'Stop') return send({ type: 'stop' });
  if (answer.label === 'Continue to Evaluator') return send({ type: 'continue' }, answer.language);
  return send({ type: 'propose', path: PATCH_PATH, at: isoNow(bench.desk.platform.clock) }, answer.language);
}

/** The proposal is made once; its confidence is written down before a person is asked. */
async function autofix(bench: Bench): Promise<Step> {
  const { session, words } = bench;
  const made = await proposal(bench);
  if (session.harness.confidence === null) return send({ type: 'proposed', confidence: made.confidence });
  bench.tell(words.autofix.model(autofixModel(bench)));
  if (!made.usable) {
    bench.warn(words.autofix.empty);
    return send({ type: 'reject' });
  }
  const answer = await ask(bench, autofixGate(bench, made.text, made.confidence));
  if ('end' in answer) return answer.end;
  if (answer.label === 'Stop') return send({ type: 'stop' });
  if (answer.label === 'Reject') return send({ type: 'reject' }, answer.language);
  const applied = await applyProposal(bench, made.text);
  return send(applied.ok ? { type: 'apply', candidate: applied.candidate } : { type: 'reject' }, answer.language);
}

async function askQa(bench: Bench): Promise<Step> {
  const { desk, session, words } = bench;
  const items = failingItems((await readDocumentText(desk, session, 'qa_report.md')) ?? '');
  if (session.harness.verdict === 'FAIL L2') bench.tell(words.evaluate.exhausted, ...items);
  const answer = await ask(bench, qaGate(bench, items), 'Fix');
  if ('end' in answer) return answer.end;
  if (answer.label !== 'Fix') return send({ type: 'accept' }, answer.language);
  const wish = answer.text?.trim() ?? '';
  return send({ type: 'fix', ...(wish === '' ? {} : { wish }) }, answer.language);
}

const CHOICES: Readonly<Record<string, Landing['choice']>> = { 'Commit code only': 'code', 'Commit all': 'all', 'No commit': 'none' };

async function askCommit(bench: Bench): Promise<Step> {
  const { desk, session } = bench;
  const open = failedLayers(session).filter((layer) => !session.harness.accepted.includes(layer));
  let choice: Landing['choice'] = 'none';
  if (desk.hasGit || open.length > 0) {
    const changes = await desk.trees.diff(baseOf(session).tree, currentTree(session));
    const answer = await ask(
      bench,
      commitGate(
        bench,
        changes.map((change) => change.path),
        open,
      ),
    );
    if ('end' in answer) return answer.end;
    choice = desk.hasGit ? (CHOICES[answer.label] ?? 'none') : 'none';
  }
  const landing = await prepareLanding(bench, choice);
  return landing === null ? { kind: 'end', report: partial(GUARDED, bench.words.finish.kept) } : send({ type: 'finish', landing });
}

const GUARDED: Reason[] = ['write.outside'];

async function finish(bench: Bench): Promise<Step> {
  const { desk, session } = bench;
  const { landing } = session.harness;
  if (landing === null) throw new Error('nothing was chosen to land');
  const objection = await land(bench, landing);
  if (objection === null) return { kind: 'end', report: await tidyUp(bench, landing) };
  await saveSession(desk.platform, desk.stateDir, session, { ...session, harness: { ...session.harness, landing: null } });
  return { kind: 'end', report: objection };
}
