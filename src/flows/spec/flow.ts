/**
 * The spec flow: what is due, what each step does, and how a drive of it ends.
 *
 * 1. Every event is one write of the state, before anything that follows from it.
 * 2. A drive holds nothing that the state does not: started again from the same document it goes the same way.
 * 3. A pause that was asked for from outside is taken up between steps, or by the agent that is at work.
 */
import { EXIT } from '../../domain/reasons.ts';
import { hasAnswer, removeGate } from '../../gates/gate-files.ts';
import { drive } from '../../kernel/drive.ts';
import type { Flow, Progress } from '../../kernel/flow.ts';
import { wordsIn } from '../../domain/words.ts';
import { ended, type SpecPlace, type SpecReport, type StepFunction } from './contract.ts';
import { removeEscalationNote } from '../../kernel/escalation-note.ts';
import { dueSteps, type SpecStep } from './machine/due.ts';
import { transition, type SpecEvent } from './machine/machine.ts';
import { LAST_ROUND } from './machine/state.ts';
import { sayIn } from './words/say.ts';
import type { SpecState } from './machine/state.ts';
import { writeState } from './state-document.ts';
import { analyse, gather, generate, sendAnalysts } from './steps/analyse.ts';
import { approve, reachGate, reachGateLegacy } from './steps/approve.ts';
import { askCritic, askParse, askSecond, criticise, enterRecritic, explainHalt } from './steps/criticise.ts';
import { inquire, question } from './steps/discover.ts';
import { handOff } from './steps/hand-off.ts';
import { reopenScan, scan } from './steps/scan.ts';
import { chooseMode, chooseModel, confirmModel, name, route, takePlace } from './steps/setup.ts';
import { resynthesise, synthesise } from './steps/synthesise.ts';

const STEP_FUNCTIONS: Readonly<Record<SpecStep['name'], StepFunction>> = {
  route,
  name,
  'choose-mode': chooseMode,
  'choose-model': chooseModel,
  'confirm-model': confirmModel,
  place: takePlace,
  'reopen-scan': reopenScan,
  scan,
  inquire,
  question,
  generate,
  'send-analysts': sendAnalysts,
  analyse,
  gather,
  synthesise,
  criticise,
  'ask-parse': askParse,
  'ask-critic': askCritic,
  resynthesise,
  'enter-recritic': enterRecritic,
  'ask-second': askSecond,
  'reach-gate': reachGate,
  'reach-gate-legacy': reachGateLegacy,
  approve,
  'hand-off': handOff,
  'explain-halt': explainHalt,
};

export const specFlow: Flow<SpecState, SpecEvent, SpecStep, SpecReport, SpecPlace> = {
  due: dueSteps,
  transition: (state, event) => transition(state, event).state,
  resting: ({ phase }) => {
    throw new Error(`the table knows no step for the phase ${phase}`);
  },
  perform,
  reopened: { type: 'reopened' },
};

export async function driveSpec(place: SpecPlace, begin: SpecState): Promise<SpecReport> {
  await removeEscalationNote(place, 'spec');
  await removeStaleGates(place);
  const seat = {
    opens: true,
    write: (state: SpecState) => writeState(place, state),
    told: (_event: SpecEvent, after: SpecState, before: SpecState) => {
      if (after.phase !== before.phase || after.qa_round !== before.qa_round) tellPhase(place, after);
    },
    between: (state: SpecState) => takePause(place, state),
  };
  return (await drive(specFlow, place, seat, begin)).rest;
}

async function perform(place: SpecPlace, step: SpecStep, state: SpecState): Promise<Progress<SpecEvent, SpecReport>> {
  for (;;) {
    const result = await STEP_FUNCTIONS[step.name](place, state, step);
    if (result.kind === 'again') continue;
    if (result.kind === 'waits') return { rest: waiting(state, result.gate) };
    if (result.kind === 'ended') return { rest: result.report };
    return result.end === undefined ? { event: result.event } : { event: result.event, rest: result.end };
  }
}

async function takePause({ documents }: SpecPlace, state: SpecState): Promise<Progress<SpecEvent, SpecReport> | null> {
  if (!(await documents.requests.has('pause'))) return null;
  await documents.requests.drop('pause');
  const message = sayIn(state.user_lang).ended.limit({ role: 'harness spec', reason: 'harness pause' });
  return { rest: ended(EXIT.partial, 'partial', ['user_pause'], message).report };
}

/** The session goes on: whether it should is no question any more. */
async function removeStaleGates({ documents }: SpecPlace): Promise<void> {
  const gates = documents.folder('gates');
  for (const id of ['spec.session', 'spec.session-conflict']) if (!(await hasAnswer(gates, id))) await removeGate(gates, id);
}

function tellPhase(place: SpecPlace, state: SpecState): void {
  const label = wordsIn(state.user_lang).common.specPhases[state.phase];
  place.emit({
    type: 'flow.phase',
    flow: 'spec',
    phase: state.phase,
    label,
    language: state.user_lang,
    ...(state.phase === 'qa_active' ? { round: { number: state.qa_round ?? 1, of: LAST_ROUND } } : {}),
  });
}

export function waiting(state: Pick<SpecState, 'user_lang'>, gate: string): SpecReport {
  const message = sayIn(state.user_lang).ended.waits({ id: gate });
  return { exitCode: EXIT.waiting, outcome: 'needs_human', reasons: ['gate.pending'], message, next: null };
}
