/**
 * From step to step until the session is finished, waits for a person or has to stop.
 *
 * 1. Every event is one write of the state, before anything that follows from it.
 * 2. The walk holds nothing that the state does not: started again from the same document it goes the same way.
 */
import { EXIT } from '../../domain/reasons.ts';
import { COMMON } from '../../kernel/words/common.ts';
import { pickWords } from '../../kernel/words/words.ts';
import type { Bench, SpecReport, StepFunction } from './contract.ts';
import { removeEscalationNote } from './escalation.ts';
import { transition, type SpecEvent } from './machine.ts';
import { entryPoint, type Step } from './resume.ts';
import { sayIn } from './say.ts';
import type { SpecState } from './state.ts';
import { writeState } from './state-document.ts';
import { analyse, generate } from './steps/analyse.ts';
import { approve, reachGate, reachGateLegacy } from './steps/approve.ts';
import { askCritic, askParse, askSecond, criticise, enterRecritic } from './steps/criticise.ts';
import { inquire, question } from './steps/discover.ts';
import { explainHalt } from './steps/halt.ts';
import { handOff } from './steps/hand-off.ts';
import { reopenScan, scan } from './steps/scan.ts';
import { chooseMode, chooseModel, confirmModel, name, place, route } from './steps/setup.ts';
import { resynthesise, synthesise } from './steps/synthesise.ts';

const STEP_FUNCTIONS: Readonly<Record<Step, StepFunction>> = {
  route,
  name,
  'choose-mode': chooseMode,
  'choose-model': chooseModel,
  'confirm-model': confirmModel,
  place,
  'reopen-scan': reopenScan,
  scan,
  inquire,
  question,
  generate,
  analyse,
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

export async function walk(bench: Bench, begin: SpecState): Promise<SpecReport> {
  await removeEscalationNote(bench.desk);
  let state = begin;
  let step = entryPoint(state);
  const record = async (event: SpecEvent): Promise<void> => {
    const next = transition(state, event);
    await writeState(bench.desk, next.state);
    const isNew = next.state.phase !== state.phase;
    [state, step] = [next.state, next.actions[0]];
    if (isNew) tellPhase(bench, state);
  };
  for (;;) {
    const result = await STEP_FUNCTIONS[step](bench, state, record);
    if (result.kind === 'waits') return waiting(state, result.gate);
    if (result.kind === 'ended') return result.report;
    if (result.kind === 'again') continue;
    await record(result.event);
    if (result.end !== undefined) return result.end;
  }
}

function tellPhase({ desk }: Bench, state: SpecState): void {
  const label = pickWords(state.user_lang, COMMON).specPhases[state.phase];
  desk.emit({ type: 'flow.phase', flow: 'spec', phase: state.phase, label });
}

function waiting(state: SpecState, gate: string): SpecReport {
  const message = sayIn(state.user_lang).ended.waits(gate);
  return { exitCode: EXIT.waiting, outcome: 'needs_human', reasons: ['gate.pending'], message, next: null };
}
