/**
 * A task as a machine. Pure: one event, one new state.
 *
 * examining → ready → working → proving → committing → branching → finished → landing → landed, with `waiting` for an advisor and `salvaging`
 * where somebody died while an agent worked.
 *
 * 1. A run that fails is a fix attempt, a rule that is not met a return; each has its limit, and what is over it is escalated.
 * 2. What no agent can mend is not sent back to one.
 */
import { createHash } from 'node:crypto';
import { inPhase } from '../../../domain/must-have.ts';
import { counted } from '../../../domain/counted.ts';
import type { AdvisorRequest } from '../contract.ts';
import { consult, type Trigger } from './advice.ts';
import type { Claim, Ground, Head, Proof, Seen, TaskState } from './state.ts';
import { firstItem } from '../../../domain/items.ts';

export const MOST_RETURNS = 2;
export const MOST_FIXES = 3;

export type TaskEvent =
  | { type: 'examined'; base: Head; ground: Ground }
  | { type: 'asked'; request: AdvisorRequest }
  | { type: 'ended'; status: 'failed' | 'escalated'; reason: string }
  | { type: 'begun'; session: number }
  | { type: 'worked'; tree: string; findings: TaskState['findings']; claim: Claim | null; seen: Omit<Seen, 'sessions'> }
  /** `started`: an agent ran at all. */
  | { type: 'halted'; started: boolean; tree: string | null; findings: TaskState['findings']; seen: Omit<Seen, 'sessions'>; why: Halt }
  | { type: 'salvaged'; tree: string | null; findings: TaskState['findings'] }
  | { type: 'proved'; proof: Proof }
  | { type: 'committed'; commit: string }
  | { type: 'branched'; branch: string | null }
  | { type: 'advised'; advice: Record<string, unknown> }
  | { type: 'changes.wanted'; text: string }
  | { type: 'approved' }
  | { type: 'rebased'; base: Head; commit: string; proof: Proof }
  | { type: 'landed'; branch: string }
  | { type: 'landing.refused'; reason: string }
  | { type: 'reopened' };

/** Why a session ended before the agent was done: it goes on with the next command, a silent agent is given up, a stuck one needs advice. */
export type Halt = { kind: 'limit'; message: string } | { kind: 'stalled'; message: string } | { kind: 'stuck'; message: string };

export function transition(state: TaskState, event: TaskEvent): TaskState {
  switch (event.type) {
    case 'examined':
      return { ...state, phase: 'ready', base: event.base, ground: event.ground };
    case 'asked':
      return asking(state, event.request);
    case 'ended':
      return ended(state, event.status, event.reason);
    case 'begun':
      return {
        ...state,
        phase: 'working',
        session: event.session,
        seen: { ...state.seen, sessions: [...state.seen.sessions, event.session] },
      };
    case 'worked':
      return { ...state, ...seenIn(state, event), phase: 'proving', tree: event.tree, findings: event.findings, claim: event.claim };
    case 'halted':
      return halted(state, event);
    case 'salvaged':
      return { ...state, phase: 'ready', tree: event.tree ?? state.tree, findings: event.findings, feedback: state.feedback ?? CUT_OFF };
    case 'proved':
      return judged({ ...state, proof: event.proof });
    case 'committed':
      return { ...state, phase: 'branching', commit: event.commit };
    case 'branched':
      return { ...state, phase: 'finished', branch: event.branch, amends: null, ending: { status: 'completed', reason: null } };
    case 'advised':
      return advised(state, event.advice);
    case 'changes.wanted':
      return wanted(state, event.text);
    case 'approved':
      return { ...state, phase: 'landing' };
    case 'rebased':
      return { ...state, base: event.base, commit: event.commit, proof: event.proof };
    case 'landed':
      return { ...state, phase: 'landed', branch: event.branch };
    case 'landing.refused':
      return { ...state, phase: 'finished', ending: { status: 'failed', reason: event.reason } };
    case 'reopened':
      return state.phase === 'working' ? { ...state, phase: 'salvaging' } : state;
  }
}

const CUT_OFF = 'The session before this one was cut off. Its files are as it left them: go on from there.';

function ended(state: TaskState, status: 'failed' | 'escalated', reason: string): TaskState {
  return { ...state, phase: 'finished', ending: { status, reason } };
}

function asking(state: TaskState, request: AdvisorRequest): TaskState {
  const isKnown = state.consultations.some((one) => one.request.trigger_hash === request.trigger_hash);
  return { ...state, phase: 'waiting', consultations: isKnown ? state.consultations : [...state.consultations, { request, advice: null }] };
}

function seenIn(state: TaskState, { seen }: { seen: Omit<Seen, 'sessions'> }): Pick<TaskState, 'seen'> {
  const before = state.seen;
  return {
    seen: {
      sessions: before.sessions,
      turns: before.turns + seen.turns,
      stalls: before.stalls + seen.stalls,
      agents: seen.agents.slice(0, 20),
      effort: seen.effort,
      limits: [...before.limits, ...seen.limits].slice(-20),
    },
  };
}

function halted(state: TaskState, event: Extract<TaskEvent, { type: 'halted' }>): TaskState {
  const { why } = event;
  const { seen } = seenIn(state, event);
  const sessions = event.started ? seen.sessions : seen.sessions.slice(0, -1);
  const kept: TaskState = {
    ...state,
    seen: { ...seen, sessions },
    phase: 'ready',
    tree: event.tree ?? state.tree,
    findings: event.findings,
  };
  if (why.kind === 'limit')
    return { ...kept, feedback: `The session before this one was ended: ${why.message}. Its files are as it left them: go on from there.` };
  if (why.kind === 'stalled')
    return ended(kept, 'escalated', `The agent fell silent, was restarted once, and fell silent again: ${why.message}.`);
  return askOrEscalate(kept, {
    reason: 'pivot-required',
    signature: 'stuck',
    question: `The agent got stuck: ${why.message}. Should it go on in another way?`,
    lastError: why.message,
  });
}

/** What is made of a proof. */
function judged(state: TaskState): TaskState {
  const proof = inPhase(state, 'proof');
  if (proof.broken !== null) return ended(state, 'failed', proof.broken);
  const open = proof.rules.filter((rule) => !rule.verified);
  const missed = proof.preflight.filter((item) => !item.ok);
  if (proof.failures.length > 0) return failedRun(state);
  if (open.length === 0 && missed.length === 0) return { ...state, phase: 'committing' };
  if (missed.length === 0 && open.every((rule) => !rule.mendable)) return ended(state, 'escalated', notProved(state));
  if (state.returns >= MOST_RETURNS)
    return ended(state, 'escalated', `${notProved(state)} The work went back to the agent ${MOST_RETURNS} times.`);
  return { ...state, phase: 'ready', returns: state.returns + 1, feedback: feedbackFor(proof) };
}

function notProved(state: TaskState): string {
  const { preflight, rules } = inPhase(state, 'proof');
  const open = [
    ...preflight.filter((item) => !item.ok).map((item) => `${item.item}: ${item.evidence}`),
    ...rules.filter((rule) => !rule.verified).map((rule) => `${rule.rule}: ${rule.evidence}`),
  ];
  return `Not verified: ${open.map((line) => line.split('\n')[0]).join('; ')}.`;
}

function failedRun(state: TaskState): TaskState {
  const { failures } = inPhase(state, 'proof');
  const failure = { signature: signatureOf(failures), count: failures.length, summary: firstItem(failures) };
  const all = [...state.failures, failure];
  const next: TaskState = { ...state, phase: 'ready', failures: all, feedback: feedbackFor(inPhase(state, 'proof')) };
  const isRepeated = state.failures.some((one) => one.signature === failure.signature);
  if (isRepeated)
    return askOrEscalate(next, {
      reason: 'retry-threshold',
      signature: failure.signature,
      question: 'The same failure occurred twice. What should be changed next?',
      lastError: failure.summary,
    });
  if (all.length > MOST_FIXES)
    return ended(next, 'escalated', `Did not converge after ${MOST_FIXES} automatic fix attempts. Last failure: ${failure.summary}`);
  if (all.length === MOST_FIXES && isPlateau(all))
    return askOrEscalate(next, {
      reason: 'pivot-required',
      signature: failure.signature,
      question: `After ${all.length} attempts there are not fewer failures than at the beginning. Should the work take another direction?`,
      lastError: failure.summary,
    });
  return next;
}

function isPlateau(failures: readonly { count: number }[]): boolean {
  return failures.slice(1).every((one) => one.count >= firstItem(failures).count);
}

function askOrEscalate(state: TaskState, trigger: Trigger): TaskState {
  const asked = consult(state, trigger, summaryOf(state));
  if (asked.kind === 'ask') return asking(state, asked.request);
  const reason =
    asked.kind === 'escalate'
      ? asked.reason
      : `The advisor was asked about this before, and it came again: ${trigger.lastError ?? trigger.question}`;
  return ended(state, 'escalated', reason);
}

function summaryOf(state: TaskState): string[] {
  const files = state.proof?.files_changed ?? [];
  return [
    `${counted(state.seen.sessions.length, 'agent session')}, ${counted(state.failures.length, 'failed run')}, ${counted(state.returns, 'return')}`,
    files.length === 0 ? 'no file is changed' : `changed so far: ${files.slice(0, 20).join(', ')}`,
  ];
}

/** STOP ends the task; `spec_path`, `spec_skip_reason` and `skip_tdd_reason` of an answer are the task's from here on. */
function advised(state: TaskState, advice: Record<string, unknown>): TaskState {
  const consultations = state.consultations.map((one) => (one.advice === null ? { ...one, advice } : one));
  const next: TaskState = { ...state, consultations, phase: state.ground === null ? 'examining' : 'ready' };
  if (String(advice['decision'] ?? '').toUpperCase() === 'STOP')
    return ended(next, 'escalated', `The advisor said STOP: ${String(advice['stop_reason'] ?? advice['summary'] ?? 'no reason given')}`);
  return next;
}

function wanted(state: TaskState, text: string): TaskState {
  const phase = state.ground === null ? 'examining' : 'ready';
  return {
    ...state,
    phase,
    returns: 0,
    failures: [],
    ending: null,
    amends: state.commit,
    feedback: text,
  };
}

const LONGEST = 6_000;

/** What an agent is told about its last try: what the harness saw, and nothing that an agent said. */
function feedbackFor(proof: Proof): string {
  const lines = [
    ...proof.preflight.filter((item) => !item.ok).map((item) => `- ${item.item}: ${item.evidence}`),
    ...proof.failures.map((failure) => `- failed: ${failure}`),
    ...proof.rules.filter((rule) => !rule.verified && rule.mendable).map((rule) => `- ${rule.rule} is not verified: ${rule.evidence}`),
    ...proof.validation
      .filter((run) => run.exit_code !== 0)
      .map((run) => `- \`${run.command}\` ended with ${run.exit_code ?? 'no status'}:\n${run.output.slice(-1_500)}`),
  ];
  return lines.join('\n').slice(0, LONGEST);
}

function normalised(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/(?:\/[\w.@+-]+){3,}\/?/g, '<path>')
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{7,40}\b/gi, '<id>')
    .replace(/\d+(?:\.\d+)?\s*(?:ms|s|seconds?|minutes?)\b/gi, '<time>')
    .replace(/\d+/g, '<n>')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** The same failure under the same name, whatever changes from run to run: numbers, times, paths of rooms, colours. */
function signatureOf(failures: readonly string[]): string {
  const text = failures.map(normalised).toSorted().join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
