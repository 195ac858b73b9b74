/**
 * What comes next: the policy, and the check of whoever decides in its place. Pure.
 *
 * 1. A decision is one line. What cannot be read is a ghost, what does not fit the queue is refused.
 * 2. Nobody's word ends a mission: `DONE` only leads to the last run of all proofs.
 * 3. Null: there is nothing to decide while others are in the air.
 */
import { counted } from '../../../domain/counted.ts';
import { featureKey } from '../../../domain/feature-name.ts';
import { ripeIssues } from './issues.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import type { Rules } from './rules.ts';

export type Decision =
  | { kind: 'DONE' }
  | { kind: 'NEXT_WORKER' | 'NEXT_VALIDATOR' | 'NEXT_ARCHITECT'; feature: string }
  | { kind: 'CONVERTED' }
  | { kind: 'CHECKPOINT'; name: string }
  | { kind: 'ESCALATE'; reason: string; feature?: string };

type Queue = Pick<
  MissionState,
  'features' | 'flights' | 'validating' | 'validated' | 'candidates' | 'kept' | 'issues' | 'grants' | 'question' | 'conflicts'
>;

export function policy(state: Queue, rules: Rules): Decision | null {
  const validated = accepted(state)[0];
  if (validated !== undefined) return { kind: 'NEXT_VALIDATOR', feature: validated };
  if (ripeIssues(state).length > 0) return { kind: 'CONVERTED' };
  const name = dueCheckpoint(state, rules);
  if (name !== null) return { kind: 'CHECKPOINT', name };
  if (state.question !== null) return { kind: 'NEXT_ARCHITECT', feature: state.question.feature };
  const next = nextWorkable(state, rules);
  if (next !== null) return { kind: 'NEXT_WORKER', feature: next };
  if (state.flights.length > 0) return null;
  const failed = state.features.find((feature) => feature.status === 'failed');
  if (failed !== undefined) return { kind: 'ESCALATE', feature: failed.id, reason: whyFailed(failed) };
  if (isFinished(state)) return { kind: 'DONE' };
  if (state.candidates.length > 0 || state.kept.length > 0) return null;
  return { kind: 'ESCALATE', reason: 'nothing is left that could be worked on, and not every claim is proved' };
}

/** What is free is built first: a person who comes in the morning finds one question and the rest done. */
/** What was noted before any work says nothing about why it failed. */
export const REVIEWED = 'plan reviewer: ';

function whyFailed({ id, attempts, notes }: QueueFeature): string {
  const last = notes.findLast((note) => !note.startsWith(REVIEWED));
  return `${id} did not pass in ${counted(attempts, 'attempt')}${last === undefined ? '' : ` (${last.replace(/\s+/g, ' ').slice(0, 300)})`}`;
}

/** Features whose accepted work nobody has validated yet, whatever became of other work on them. */
function accepted({ features, flights, validating, validated }: Queue): string[] {
  return features
    .filter(({ id }) =>
      flights.some(
        (flight) =>
          flight.phase === 'landing' &&
          nameOf(flight.feature) === id &&
          !validating.includes(flight.session) &&
          !validated.includes(flight.session),
      ),
    )
    .map(({ id }) => id);
}

export function isFinished({ features }: Pick<Queue, 'features'>): boolean {
  return features.every(({ status }) => status === 'passed' || status === 'skipped');
}

/** Open and free to begin; what met other changes in the same places before is not started beside others where there is another. */
export function nextWorkable(state: Queue, rules: Rules): string | null {
  if (rules.busy(state.flights) || state.flights.length >= rules.lanes) return null;
  const free = state.features.filter((feature) => canBegin(state, feature));
  const apart = free.filter(({ id }) => state.flights.length === 0 || state.conflicts[id] === undefined);
  return (apart[0] ?? free[0])?.id ?? null;
}

function canBegin({ features, flights }: Queue, feature: QueueFeature): boolean {
  const passed = (id: string): boolean => features.some((other) => other.id === id && other.status === 'passed');
  return (
    feature.status === 'pending' && feature.depends_on.every(passed) && !flights.some((flight) => nameOf(flight.feature) === feature.id)
  );
}

function dueCheckpoint({ features, grants }: Queue, { checkpoints }: Rules): string | null {
  const passed = features.filter(({ status }) => status === 'passed').length;
  const isDue = (trigger: string): boolean => {
    if (trigger === 'post-planner') return true;
    if (trigger === 'half-done') return features.length > 0 && passed * 2 >= features.length;
    if (trigger === 'pre-done') return isFinished({ features });
    return features.some(({ id, status }) => trigger === `feature:${id}` && status === 'passed');
  };
  return checkpoints.find(({ name, trigger_on }) => !grants.includes(name) && isDue(trigger_on))?.name ?? null;
}

/** The last line that begins with a word of a decision; null: a ghost. */
export function parseDecision(reply: string): Decision | null {
  const line = reply
    .split('\n')
    .map((one) => one.trim())
    .findLast((one) => /^(?:DONE|NEXT_WORKER|NEXT_VALIDATOR|NEXT_ARCHITECT|CONVERTED|CHECKPOINT|ESCALATE)\b/.test(one));
  if (line === undefined || line.length > 1_000) return null;
  if (line === 'DONE' || line === 'CONVERTED') return { kind: line };
  const match = /^(NEXT_WORKER|NEXT_VALIDATOR|NEXT_ARCHITECT|CHECKPOINT|ESCALATE)[ \t]+(\S.*)$/.exec(line);
  if (match === null) return null;
  const [, kind, rest] = match as unknown as [string, Decision['kind'], string];
  if (kind === 'ESCALATE') return { kind, reason: rest };
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(rest)) return null;
  if (kind === 'CHECKPOINT') return { kind, name: rest };
  return { kind: kind as 'NEXT_WORKER', feature: rest };
}

/** Why a decision does not fit; null: it does. */
export function refuse(state: Queue, decision: Decision, rules: Rules): string | null {
  switch (decision.kind) {
    case 'ESCALATE':
      return null;
    case 'CONVERTED':
      return ripeIssues(state).length > 0 ? null : 'there is no issue that could become a feature';
    case 'DONE':
      if (state.flights.length > 0) return 'work is still under way';
      if (!isFinished(state)) return `these features are open: ${openOf(state).join(', ')}`;
      return heldByIssues(state) ?? heldByCheckpoint(state, rules);
    case 'CHECKPOINT': {
      const type = rules.checkpoints.find(({ name }) => name === decision.name);
      if (type === undefined) return `there is no checkpoint ${decision.name} in the settings`;
      return state.grants.includes(decision.name) ? `the checkpoint ${decision.name} is granted already` : null;
    }
    case 'NEXT_VALIDATOR':
      return (
        known(state, decision.feature) ??
        (accepted(state).includes(decision.feature) ? null : `${decision.feature} has no accepted work that waits for a validator`)
      );
    case 'NEXT_ARCHITECT':
      return (
        known(state, decision.feature) ??
        (isPassed(state, decision.feature) ? `${decision.feature} has passed: its claims stay as they are` : null) ??
        (isUnderWay(state, decision.feature) ? `work on ${decision.feature} is under way or waits for a person` : null) ??
        heldByCheckpoint(state, rules)
      );
    case 'NEXT_WORKER': {
      const feature = state.features.find(({ id }) => id === decision.feature);
      if (feature === undefined) return known(state, decision.feature);
      if (feature.status !== 'pending') return `${feature.id} is ${feature.status}`;
      const waits = feature.depends_on.filter((id) => !isPassed(state, id));
      if (waits.length > 0) return `${feature.id} waits for ${waits.join(', ')}`;
      if (nextWorkable(state, rules) === null || !canBegin(state, feature)) return 'no lane is free';
      return heldByCheckpoint(state, rules);
    }
  }
}

function heldByCheckpoint(state: Queue, rules: Rules): string | null {
  const name = dueCheckpoint(state, rules);
  return name === null ? null : `the checkpoint ${name} is due and not granted (CHECKPOINT ${name})`;
}

function heldByIssues({ issues }: Queue): string | null {
  const open = issues.filter(({ state }) => state === 'open').length;
  return open === 0 ? null : `${counted(open, 'issue')} ${open === 1 ? 'is' : 'are'} not looked at yet (CONVERTED)`;
}

function isUnderWay({ flights, candidates, kept }: Queue, id: string): boolean {
  return flights.some(({ feature }) => nameOf(feature) === id) || candidates.some(({ feature }) => feature === id) || kept.includes(id);
}

function known({ features }: Queue, id: string): string | null {
  return features.some((feature) => feature.id === id) ? null : `there is no feature ${id}`;
}

function isPassed({ features }: Queue, id: string): boolean {
  return features.some((feature) => feature.id === id && feature.status === 'passed');
}

function openOf({ features }: Queue): string[] {
  return features.filter(({ status }) => status !== 'passed' && status !== 'skipped').map(({ id }) => id);
}

export function wordDecision(decision: Decision): string {
  if ('feature' in decision && decision.kind !== 'ESCALATE') return `${decision.kind} ${decision.feature}`;
  if (decision.kind === 'CHECKPOINT') return `CHECKPOINT ${decision.name}`;
  return decision.kind === 'ESCALATE' ? `ESCALATE ${decision.reason}` : decision.kind;
}

function nameOf(feature: number | null): string | null {
  return feature === null ? null : featureKey(feature);
}
