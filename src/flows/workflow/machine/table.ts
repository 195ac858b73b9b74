/**
 * The table of the workflow machine: which event leads from which phase where. The machine, its exhaustive test and the diagram in the
 * docs all read it. The first row that fits is taken.
 */
import { PHASES, type Accepted, type AutofixState, type MachineState, type Phase, type Step } from '../contract.ts';
import type { EventOf, Rules } from './event.ts';
import { row, type Change, type Row } from './row.ts';

export const LAYER1_RETRIES = 3;
export const LAYER2_RETRIES = 2;
export const MAX_ROUNDS = 3;

const GATES: readonly Phase[] = ['plan_done', 'verify_done', 'evaluate_done', 'completed'];

export const ROWS: readonly Row[] = [
  row(PHASES, 'reopened', {}),
  row('plan_ready', 'scan.tried', { change: (state, event) => own(state, { failed_scans: event.failed }) }),
  row('plan_ready', 'scan.reset', { change: () => ({ conventions: null }) }),
  row('plan_ready', 'scanned', { change: (_, event) => ({ conventions: event.conventions }) }),
  row('plan_ready', 'begin', { to: 'planning' }),
  row('planning', 'planned', { to: 'plan_done' }),
  row('plan_done', 'modified', {}),
  row('plan_done', 'proceed', { to: 'generate_ready' }),
  row('generate_ready', 'begin', { to: 'generating' }),
  row('generating', 'generated', { to: 'generate_done', change: (state, event) => own(state, { candidate: event.candidate }) }),
  row('generate_done', 'advance', {
    when: 'first format without layer 1',
    holds: (_, __, rules) => rules.legacy?.verify === false,
    to: 'evaluate_ready',
  }),
  row('generate_done', 'advance', {
    to: 'verify_ready',
    change: (state) => verify(state, { layer1_result: null, ...(state.harness.retry === null ? { layer1_retries: 0 } : {}) }),
  }),
  row('verify_ready', 'begin', { to: 'verifying' }),
  row('verifying', 'checked', { to: 'verify_done', change: checked }),
  row('verify_done', 'advance', {
    when: 'layer 1 PASS',
    holds: (state) => state.verify.layer1_result === 'PASS',
    to: 'evaluate_ready',
    change: (state) => own(state, { retry: null, summary: null }),
  }),
  row('verify_done', 'advance', {
    when: `layer 1 FAIL, fewer than ${LAYER1_RETRIES} retries`,
    holds: (state) =>
      state.verify.layer1_result === 'FAIL' &&
      state.verify.layer1_retries < LAYER1_RETRIES &&
      state.autofix?.applied !== 'proposed' &&
      state.harness.asks === null,
    to: 'generating',
    change: (state) => ({
      ...verify(state, { layer1_retries: state.verify.layer1_retries + 1 }),
      ...own(state, { retry: { layer: 1, failure: state.harness.summary ?? '' } }),
    }),
  }),
  row('verify_done', 'allow', {
    ...whileAsked(),
    to: 'verify_ready',
    change: (state, event) => ({
      ...verify(state, { layer1_result: null }),
      ...own(state, { asks: null, checked: null, allowed: withAccepted(state.harness.allowed, event.accepted) }),
    }),
  }),
  row('verify_done', 'deny', {
    ...whileAsked(),
    change: (state, event) => ({
      ...(stopsAutofix(state) ? decided(state, 'stopped') : {}),
      ...own(state, { asks: null, summary: event.summary }),
    }),
  }),
  row('verify_done', 'continue', {
    when: 'a person continues despite layer 1',
    holds: (state) => state.verify.layer1_result === 'FAIL' && state.autofix?.applied !== 'proposed',
    to: 'evaluate_ready',
    change: (state) => own(state, { retry: null, accepted: [...new Set([...state.harness.accepted, 'layer 1' as const])] }),
  }),
  row('verify_done', 'propose', {
    when: 'no auto-fix before',
    holds: (state) => state.verify.layer1_result === 'FAIL' && state.autofix === null && !state.verify.autofix_attempted,
    change: (state, event) => ({
      autofix: { last_patch_path: event.path, applied: 'proposed', triggered_at: event.at },
      ...own(state, { confidence: null }),
    }),
  }),
  row('verify_done', 'proposed', { ...whileProposed(), change: (state, event) => own(state, { confidence: event.confidence }) }),
  row('verify_done', 'apply', {
    ...whileProposed(),
    to: 'verify_ready',
    change: (state, event) => ({
      ...decided(state, 'applied'),
      ...verify(state, { autofix_attempted: true, layer1_result: null }),
      ...own(state, { candidate: event.candidate }),
    }),
  }),
  row('verify_done', 'reject', {
    ...whileProposed(),
    change: (state) => ({ ...decided(state, 'rejected'), ...verify(state, { autofix_attempted: true }) }),
  }),
  row('evaluate_ready', 'begin', { to: 'evaluating', change: (state) => own(state, { verdict: null }) }),
  row('evaluating', 'evaluated', { to: 'evaluate_done', change: evaluated }),
  row('evaluate_done', 'advance', { when: 'PASS', holds: (state) => state.harness.verdict === 'PASS', to: 'completed' }),
  row('evaluate_done', 'advance', {
    when: `FAIL L2, fewer than ${LAYER2_RETRIES} retries`,
    holds: (state) => state.harness.verdict === 'FAIL L2' && state.verify.layer2_retries < LAYER2_RETRIES,
    to: 'generating',
    change: (state) => ({
      ...verify(state, { layer2_retries: state.verify.layer2_retries + 1 }),
      ...own(state, { retry: { layer: 2, failure: state.harness.summary ?? '' }, accepted: [] }),
    }),
  }),
  row('evaluate_done', 'advance', {
    when: 'FAIL, no round left',
    holds: (state) => state.harness.verdict !== null && state.round >= state.max_rounds,
    to: 'completed',
  }),
  row('evaluate_done', 'fix', {
    when: 'FAIL, rounds left',
    holds: (state) => isFailed(state) && state.round < state.max_rounds,
    to: 'generate_ready',
    change: (state, event) => ({
      round: state.round + 1,
      ...verify(state, { layer1_retries: 0, layer1_result: null, layer2_result: null, layer2_retries: 0 }),
      ...own(state, { retry: null, verdict: null, summary: null, accepted: [], wish: event.wish ?? null }),
    }),
  }),
  row('evaluate_done', 'accept', {
    when: 'FAIL',
    holds: isFailed,
    to: 'completed',
    change: (state) => own(state, { accepted: [...new Set([...state.harness.accepted, failedLayer(state)])] }),
  }),
  row('completed', 'landing.refused', { change: (state) => own(state, { landing: null }) }),
  row('completed', 'finish', { change: (state, event) => own(state, { landing: event.landing }) }),
  row('verify_done', 'stop', {
    when: 'the patch is proposed',
    holds: (state) => state.autofix?.applied === 'proposed',
    change: (state) => ({ ...decided(state, 'rejected'), ...verify(state, { autofix_attempted: true }) }),
  }),
  row(GATES, 'stop', {}),
  ...requests(),
  ...resumptions(),
];

/** The named step begins, if the session has come far enough. */
function requests(): Row[] {
  const from = (phase: Phase): readonly Phase[] => PHASES.slice(PHASES.indexOf(phase));
  const style = (_: MachineState, event: EventOf<'requested'>): Change => ({ run_style: event.style });
  const names = (step: Step) => ({ when: `step ${step}`, holds: (_: MachineState, event: EventOf<'requested'>) => event.step === step });
  const again = (state: MachineState): Change => own(state, { retry: null, landing: null, checked: null, asks: null });
  return [
    row('plan_done', 'requested', { ...names('generate'), change: style }),
    row(from('generate_ready'), 'requested', {
      ...names('generate'),
      to: 'generate_ready',
      change: (state, event) => ({ ...style(state, event), ...again(state) }),
    }),
    row(from('generate_done'), 'requested', {
      ...names('verify'),
      to: 'verify_ready',
      change: (state, event) => ({
        ...style(state, event),
        ...again(state),
        ...verify(state, { layer1_result: null, ...(state.autofix?.applied === 'applied' ? {} : { layer1_retries: 0 }) }),
        ...giveUpProposal(state, { layer1_result: null, layer1_retries: 0 }),
      }),
    }),
    row(from('verify_done'), 'requested', {
      ...names('evaluate'),
      to: 'evaluate_ready',
      change: (state, event) => ({ ...style(state, event), ...again(state), ...giveUpProposal(state, {}) }),
    }),
  ];
}

/** Where a session that a person takes up again goes on. */
function resumptions(): Row[] {
  const specIsThere = (_: MachineState, event: EventOf<'resumed'>): boolean => event.facts.spec;
  const conventions = (state: MachineState, event: EventOf<'resumed'>): Change =>
    state.conventions?.startsWith('file:') === true && !event.facts.conventions ? { conventions: null } : {};
  return [
    row('plan_ready', 'resumed', { change: conventions }),
    row(['planning', 'plan_done'], 'resumed', { when: 'spec.md is there', holds: specIsThere, to: 'plan_done' }),
    row(['planning', 'plan_done'], 'resumed', { when: 'no spec.md', to: 'plan_ready', change: conventions }),
    row('generate_ready', 'resumed', {}),
    row('generating', 'resumed', {
      when: 'nothing generated yet',
      holds: (state, event) => state.harness.candidate === null && !event.facts.changes,
      to: 'generate_ready',
    }),
    row(['generating', 'generate_done'], 'resumed', { to: 'verify_ready', change: reverify }),
    row(['verify_ready', 'verifying'], 'resumed', { to: 'verify_ready', change: reverify }),
    row('verify_done', 'resumed', {
      when: 'style phase, layer 1 PASS',
      holds: (state) => state.run_style !== 'auto' && state.verify.layer1_result === 'PASS',
      to: 'evaluate_ready',
    }),
    row('verify_done', 'resumed', {
      when: 'no auto-fix, or the patch is applied',
      holds: (state) => state.autofix === null || state.autofix.applied === 'applied',
      to: 'verify_ready',
      change: reverify,
    }),
    row('verify_done', 'resumed', { when: 'auto-fix proposed, rejected or stopped' }),
    row('evaluate_ready', 'resumed', {}),
    row('evaluate_done', 'resumed', { when: 'a verdict is known', holds: (state) => state.harness.verdict !== null }),
    row(['evaluating', 'evaluate_done'], 'resumed', {
      when: 'a foreign session with a report',
      holds: (state, event) => state.harness.base_commit === null && event.facts.verdict !== null,
      to: 'evaluate_done',
      change: (state, event) => own(state, { verdict: event.facts.verdict }),
    }),
    row(['evaluating', 'evaluate_done'], 'resumed', { when: 'no verdict', to: 'evaluate_ready' }),
    row('completed', 'resumed', {}),
  ];
}

/** Layer 1 from the start; after an applied patch with the retries as they are. */
function reverify(state: MachineState): Change {
  const kept = state.autofix?.applied === 'applied';
  return {
    ...verify(state, { layer1_result: null, ...(kept ? {} : { layer1_retries: 0 }) }),
    ...own(state, { retry: null, checked: null, asks: null }),
  };
}

function checked(state: MachineState, event: EventOf<'checked'>): Change {
  const asks = event.asks ?? null;
  const stopped = event.result === 'FAIL' && asks === null && stopsAutofix(state);
  return {
    ...verify(state, {
      layer1_result: event.result,
      ...(stopped ? { layer1_retries: Math.min(state.verify.layer1_retries, LAYER1_RETRIES) } : {}),
    }),
    ...(stopped ? decided(state, 'stopped') : {}),
    ...own(state, { summary: event.summary, checked: { tree: event.tree, result: event.result, summary: event.summary }, asks }),
  };
}

/** I4: a failure that comes after the last retry and the patch. */
function stopsAutofix(state: MachineState): boolean {
  return state.autofix?.applied === 'applied' && state.verify.layer1_retries >= LAYER1_RETRIES;
}

/** What is accepted last about a file is what counts. */
function withAccepted(known: readonly Accepted[], accepted: readonly Accepted[]): Accepted[] {
  return [...known.filter(({ path }) => !accepted.some((one) => one.path === path)), ...accepted];
}

function evaluated(state: MachineState, event: EventOf<'evaluated'>, rules: Rules): Change {
  const verdict = rules.legacy !== null && event.verdict === 'FAIL L2' ? 'FAIL L3' : event.verdict;
  return {
    ...verify(state, { layer2_result: verdict === 'FAIL L2' ? 'FAIL' : 'PASS' }),
    ...own(state, { verdict, summary: event.summary }),
  };
}

function isFailed(state: MachineState): boolean {
  return state.harness.verdict === 'FAIL L2' || state.harness.verdict === 'FAIL L3';
}

function failedLayer(state: MachineState): 'layer 2' | 'layer 3' {
  return state.harness.verdict === 'FAIL L2' ? 'layer 2' : 'layer 3';
}

/** A proposal that a person passes over by naming another step is no longer one. */
function giveUpProposal(state: MachineState, also: Partial<MachineState['verify']>): Change {
  return state.autofix?.applied === 'proposed'
    ? { ...decided(state, 'rejected'), ...verify(state, { ...also, autofix_attempted: true }) }
    : {};
}

function whileProposed(): { when: string; holds: (state: MachineState) => boolean } {
  return { when: 'the patch is proposed', holds: (state) => state.autofix?.applied === 'proposed' };
}

function whileAsked(): { when: string; holds: (state: MachineState) => boolean } {
  return { when: 'tests, settings or dependencies need review', holds: (state) => state.harness.asks !== null };
}

function decided(state: MachineState, applied: AutofixState['applied']): Change {
  return { autofix: state.autofix === null ? null : { ...state.autofix, applied } };
}

function verify(state: MachineState, change: Partial<MachineState['verify']>): Pick<MachineState, 'verify'> {
  return { verify: { ...state.verify, ...change } };
}

function own(state: MachineState, change: Partial<MachineState['harness']>): Pick<MachineState, 'harness'> {
  return { harness: { ...state.harness, ...change } };
}
