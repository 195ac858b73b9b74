/**
 * What follows from an answer to an escalation: one entry for each option that such a question offers.
 *
 * 1. `go_on`: the run tries again with the new state; `stop`: it ends, and the message says what a person does next; `leave`: what the
 *    session came to stands, and a repeated run goes on from there.
 * 2. An abort is confirmed by a question of its own; until then the escalation stands.
 * 3. An answer in words alone stands for what the question says it does; words that belong to another try reach the session that makes it.
 */
import type { GateAnswer } from '../../domain/gate.ts';
import type { ProjectState } from '../../domain/session.ts';
import { listCheckpoints } from '../../workspace/checkpoint.ts';
import { readHead } from '../../workspace/home.ts';
import { clearState, confirmAbort } from './abort.ts';
import type { Asker } from './asker.ts';
import type { Pending } from './pending.ts';
import type { Project } from './project.ts';
import { restore } from './rollback.ts';
import { falseClaims, repairBaseline, setBack } from './setback-step.ts';
import { step } from './state-files.ts';
import type { Note } from './machine.ts';
import { PROJECT_GATES, type ProjectGateId } from '../../gates/project-gates.ts';
import { readTrusted } from './trusted.ts';

export type Escalated = NonNullable<ProjectState['escalation']>;

export type Followed =
  | { kind: 'go_on'; state: ProjectState }
  | { kind: 'stop' | 'leave'; state: ProjectState; message: string }
  | { kind: 'waiting'; gate: string }
  | { kind: 'aborted'; message: string };

export interface CarryOptions {
  asker: Asker;
  signal: AbortSignal;
  noCache: boolean;
  /** The refused candidate that a person may look at; null where its files cannot be trusted. */
  candidate: Pending | null;
}

interface Work {
  project: Project;
  state: ProjectState;
  escalated: Escalated;
  answer: GateAnswer;
  options: CarryOptions;
}

export async function carryOut(
  project: Project,
  state: ProjectState,
  escalated: Escalated,
  answer: GateAnswer,
  options: CarryOptions,
): Promise<Followed> {
  project.emit({
    type: 'decision',
    session: null,
    text: `${escalated.gate}: ${answer.option ?? 'in words'}${answer.text === null ? '' : ` (${answer.text})`}`,
    by: 'user',
  });
  const name = answerName(escalated.gate, answer);
  const handler = name === null ? undefined : HANDLERS[name];
  if (handler === undefined) return { kind: 'stop', state, message: `To go on, choose an option: harness answer ${escalated.gate} OPTION` };
  if (handler === abort) return await abort({ project, state, escalated, answer, options });
  const answered = await settleQuestion(project, state, noteOf(escalated, answer, handler));
  const followed = await handler({ project, state: answered, escalated, answer, options });
  return followed.kind === 'go_on' ? await nextLargeFeature(project, followed.state, escalated) : followed;
}

/** The option in lower case; for words alone, what they stand for at this question. */
export function answerName(gate: string, answer: GateAnswer): string | null {
  return answer.option?.toLowerCase() ?? (gate in PROJECT_GATES ? (PROJECT_GATES[gate as ProjectGateId].words ?? null) : null);
}

export function noteOf(escalated: Escalated, answer: GateAnswer, handler: Handler): Note | undefined {
  const text = answer.text?.trim() ?? '';
  if (text === '' || !TRIES_AGAIN.has(handler)) return undefined;
  return { feature: handler === repair ? null : escalated.feature, gate: escalated.gate, text };
}

/** One write: the question is answered, and what was said with it is kept. */
async function settleQuestion(project: Project, state: ProjectState, note: Note | undefined): Promise<ProjectState> {
  const kept = note === undefined ? {} : { note };
  if (state.escalation !== null) return (await step(project, state, { type: 'answered', ...kept })).state;
  return note === undefined ? state : (await step(project, state, { type: 'noted', note })).state;
}

type Handler = (work: Work) => Promise<Followed>;

const goOn: Handler = async ({ state }) => ({ kind: 'go_on', state });

const skip: Handler = async ({ project, state, escalated, answer }) => {
  if (escalated.feature === null) return { kind: 'go_on', state };
  return {
    kind: 'go_on',
    state: (
      await step(project, state, { type: 'skipped', feature: escalated.feature, reason: answer.text ?? `set aside at ${escalated.gate}` })
    ).state,
  };
};

const skipCircle: Handler = async ({ project, state, escalated }) => {
  let next = state;
  const features = Array.isArray(escalated.facts['features']) ? escalated.facts['features'].filter((id) => typeof id === 'number') : [];
  for (const feature of new Set(features))
    next = (await step(project, next, { type: 'skipped', feature, reason: 'depends on itself through others' })).state;
  return { kind: 'go_on', state: next };
};

const handOver =
  (message: string): Handler =>
  async ({ project, state }) => {
    const { head } = await readHead(project.platform, project.home);
    return {
      kind: 'stop',
      state: (await step(project, state, { type: 'handed.off', head: head ?? '' })).state,
      message: `${message} When you are done: harness takeback`,
    };
  };

const stopWith =
  (message: string): Handler =>
  async ({ state }) => ({ kind: 'stop', state, message });

const pause: Handler = async ({ project, state }) => ({
  kind: 'stop',
  state: (await step(project, state, { type: 'paused' })).state,
  message: 'The project is paused. Go on with: harness resume',
});

const manualVerify: Handler = async ({ project, state, options }) => {
  if (options.candidate === null)
    return {
      kind: 'leave',
      state,
      message: 'This work cannot be accepted by looking at it: what it did to the project is refused as such. The next run tries again.',
    };
  return { kind: 'go_on', state: (await step(project, state, { type: 'offered', pending: options.candidate })).state };
};

const rollback: Handler = async ({ project, state, escalated }) => {
  if (escalated.gate === 'project.regression')
    return {
      kind: 'leave',
      state,
      message: 'The branch was never changed: the refused work is kept under refs/harness/candidates/. The next run tries again.',
    };
  const last = (await listCheckpoints(project.platform, project.stateDir)).checkpoints[0];
  if (last === undefined) return { kind: 'stop', state, message: 'There is no checkpoint to return to.' };
  const restored = await restore(project, state, last);
  return {
    kind: 'stop',
    state: restored.state,
    message: `Returned to checkpoint ${last.id}. What stood here is kept: ${restored.bring_back}`,
  };
};

const repair: Handler = async ({ project, state, options }) => {
  const result = await repairBaseline(project, state, options);
  if (result.features.length > 0) return { kind: 'go_on', state: result.state };
  return {
    kind: 'stop',
    state,
    message:
      'The broken tests belong to no feature, so no session can be given the repair. Mend them by hand (harness handoff), or remove them with a commit.',
  };
};

const resetFalse: Handler = async ({ project, state, options }) => {
  const { loaded, head } = await readTrusted(project, state);
  const result = await setBack(
    project,
    state,
    loaded,
    await falseClaims(project, loaded, head, options),
    'its test fails on the current commit',
  );
  if (result.features.length > 0) return { kind: 'go_on', state: result.state };
  return {
    kind: 'stop',
    state: result.state,
    message: "Every feature's own test passes; the failing tests belong to no feature. Mend them by hand: harness handoff",
  };
};

async function abort({ project, state, options }: Work): Promise<Followed> {
  const confirmed = await confirmAbort(project, options.asker);
  if (confirmed === 'pending') return { kind: 'waiting', gate: 'project.abort' };
  if (confirmed === 'no') return { kind: 'stop', state, message: 'Nothing was aborted.' };
  const { kept, undo } = await clearState(project);
  return { kind: 'aborted', message: `Aborted. Commits stay; the state is kept in ${kept} (to undo: ${undo})` };
}

/** By label in lower case. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  retry: goOn,
  'retry session': goOn,
  'proceed anyway': goOn,
  skip,
  'skip both': skipCircle,
  'split feature': handOver(
    'An agent that proposes a split comes in a later version. The wheel is yours: replace the feature by smaller ones in the feature list and commit it.',
  ),
  'manual implement': handOver('The wheel is yours.'),
  'manual fix': handOver('The wheel is yours.'),
  investigate: handOver('The wheel is yours: harness health and harness verify show where it stands.'),
  'manual fix environment': stopWith('Mend the environment, then run again: harness run'),
  'edit features.json': stopWith('Change the feature list and commit it, then run again: harness run'),
  'increase budget': stopWith('Raise the limit under costs: in .harness.yaml and commit it; harness run goes on as soon as it is higher.'),
  'manual verify': manualVerify,
  pause,
  rollback,
  'repair session': repair,
  'reset false positives': resetFalse,
  abort,
};

/** After these a session follows to which the person's words belong. */
const TRIES_AGAIN: ReadonlySet<Handler> = new Set([goOn, repair, rollback]);

/** Several features may be too large: they are asked about one after the other. */
async function nextLargeFeature(project: Project, state: ProjectState, escalated: Escalated): Promise<Followed> {
  const next = escalated.gate === 'project.large-feature' ? largeFeatureEscalation(restOf(escalated)) : null;
  return { kind: 'go_on', state: next === null ? state : (await step(project, state, { type: 'escalated', escalation: next })).state };
}

export interface LargeFeature {
  feature: number;
  steps: number;
  limit: number;
}

/** The question about the first, with the others kept for later; null where there is none. */
export function largeFeatureEscalation(large: readonly LargeFeature[]): Escalated | null {
  const [first, ...rest] = large;
  if (first === undefined) return null;
  return {
    gate: 'project.large-feature',
    feature: first.feature,
    facts: { ...first, rest },
    message: `Feature #${first.feature} is larger than one session usually holds.`,
  };
}

export function restOf(escalated: Escalated): LargeFeature[] {
  return Array.isArray(escalated.facts['rest']) ? (escalated.facts['rest'] as LargeFeature[]) : [];
}
