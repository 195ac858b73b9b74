/**
 * The recovery table: from a state to the step that comes next, whoever wrote the state.
 *
 * 1. It is total: every phase with every value of the other fields has an entry.
 * 2. It never skips a person: a state that waits for an answer leads to that question, with what it needs to be asked again.
 * 3. Rows for sessions of older versions stand beside the others and say so.
 */
import type { SpecPhase } from '../../../kernel/session-schema.ts';
import { conventionsSource, type SpecState } from './state.ts';

export const STEPS = [
  'route',
  'name',
  'choose-mode',
  'choose-model',
  'confirm-model',
  'place',
  'reopen-scan',
  'scan',
  'inquire',
  'question',
  'generate',
  'analyse',
  'synthesise',
  'criticise',
  'ask-parse',
  'ask-critic',
  'resynthesise',
  'enter-recritic',
  'ask-second',
  'reach-gate',
  'reach-gate-legacy',
  'approve',
  'hand-off',
  'explain-halt',
] as const;
export type Step = (typeof STEPS)[number];

export function entryPoint(state: SpecState): Step {
  if (isOlderSession(state)) return 'reopen-scan';
  return ROWS[state.phase](state);
}

/** Written before conventions were kept: the scan is made up for, then the session goes on in the phase it was in. */
export function isOlderSession(state: SpecState): boolean {
  return ['qa_active', 'qa_complete', 'gen_ready'].includes(state.phase) && conventionsSource(state.conventions) === 'unset';
}

const ROWS: Readonly<Record<SpecPhase, (state: SpecState) => Step>> = {
  setup,
  convention_scan_active: () => 'scan',
  qa_active: (state) => (state.harness.questions === null ? 'inquire' : 'question'),
  qa_complete: () => 'generate',
  gen_ready: (state) => (state.mode === 'deep' && state.harness.analyses === null ? 'analyse' : 'synthesise'),
  critic_active: criticActive,
  re_synthesis_active: () => 'resynthesise',
  re_critic_active: (state) =>
    state.harness.findings === 'unparsed' ? 'ask-parse' : state.harness.findings === null ? 'criticise' : 'ask-second',
  critic_complete: () => 'reach-gate',
  critic_halted: () => 'explain-halt',
  spec_ready: () => 'approve',
  completed: () => 'hand-off',
};

function setup(state: SpecState): Step {
  if (!state.harness.routed) return 'route';
  if (!state.harness.named) return 'name';
  if (state.mode === null) return 'choose-mode';
  if (state.mode === 'deep' && state.model_config === null) return 'choose-model';
  if (state.mode === 'deep' && !state.harness.model_confirmed) return 'confirm-model';
  return 'place';
}

function criticActive(state: SpecState): Step {
  if (state.harness.findings === 'unparsed') return 'ask-parse';
  switch (state.critic?.applied) {
    // Two writes of an older version with a crash between them.
    case 'approved':
      return 'reach-gate-legacy';
    case 'pending':
      return 'ask-critic';
    // An older version wrote this before it had a phase for the second round.
    case 'revised':
      return 'enter-recritic';
    default:
      return 'criticise';
  }
}
