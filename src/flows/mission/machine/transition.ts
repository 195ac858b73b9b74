/** Where each event leads. Pure: one event, one new document. */
import { fly } from '../../../kernel/flight/machine.ts';
import type { Issue, MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { answered, candidateAnswered } from './answered.ts';
import { asksNext, changed, escalated, featureOf } from './changes.ts';
import { REVIEWED } from './decisions.ts';
import { dropped, flown, keepAccepted, refereed, validated } from './flown.ts';
import { nameOf } from './flying.ts';
import { heldUp } from './held-up.ts';
import { withoutFailedFixes } from './issues.ts';
import { ASKED, undocumented } from './machine.ts';
import type { Rules } from './rules.ts';
import { settled } from './settled.ts';
import type { MissionEvent } from './state.ts';

export const MOST_PLANS = 3;
const MOST_REFUSALS = 3;

export function transition(state: MissionState, event: MissionEvent, rules: Rules): MissionState {
  return withoutFailedFixes(keepAccepted(led(state, event, rules), rules));
}

function led(state: MissionState, event: MissionEvent, rules: Rules): MissionState {
  const to = (change: Partial<MissionState>): MissionState => ({ ...state, ...change });
  switch (event.type) {
    case 'planned':
      return to({ stage: 'proving-plan', ...event.plan, plan: { ...state.plan, tries: state.plan.tries + 1, remarks: [] } });
    case 'plan.refused':
      return planRefused(state, event);
    case 'plan.tried':
      return to({ stage: rules.reviewer ? 'reviewing' : 'working', notes: [...state.notes, ...event.notes] });
    case 'reviewed':
      return to({
        stage: event.verdict === 'reject' ? 'rejected' : 'working',
        review: event.text,
        features: event.verdict === 'reject' ? state.features : withReview(state.features, event.text),
      });
    case 'decided':
      return decided({ ...state, iteration: state.iteration + 1, refused: 0, refusal: null }, event, rules);
    case 'misdecided':
      return misdecided(state, event);
    case 'flown':
      return flown(state, event.session, (flight) => fly(flight, event.event));
    case 'dropped':
      return dropped(state, event);
    case 'validated':
      return validated(state, event);
    case 'settled':
      return settled(state, event, rules);
    case 'refereed':
      return refereed(state, event.winner);
    case 'merged':
      return to({
        kept: state.kept.filter((id) => !event.features.includes(id)),
        features: state.features.map((feature) => (event.features.includes(feature.id) ? { ...feature, status: 'passed' } : feature)),
      });
    case 'debugged':
      return to({
        debugged: { ...state.debugged, [event.feature]: featureOf(state, event.feature).attempts },
        features: changed(state, event.feature, (feature) => ({ notes: [...feature.notes, `cause: ${event.cause}`] })),
      });
    case 'converted':
      return converted({ ...state, iteration: state.iteration + 1, refused: 0, refusal: null }, event);
    case 'resolved':
      return to({
        ...asksNext(state),
        claims: [...state.claims.filter(({ id }) => !featureOf(state, event.feature).claims.includes(id)), ...event.claims],
        features: changed(state, event.feature, (feature) => ({
          claims: event.claims.map(({ id }) => id),
          status: feature.status === 'passed' || feature.status === 'skipped' ? feature.status : 'pending',
          notes: [...feature.notes, `architect: ${event.reason}`],
        })),
      });
    case 'unresolved':
      return to({
        ...asksNext(state),
        features: changed(state, event.feature, ({ notes }) => ({ status: 'failed', notes: [...notes, event.question] })),
      });
    case 'candidate.told':
      return to({ candidates: state.candidates.map((one) => (one.feature === event.feature ? { ...one, told: true } : one)) });
    case 'candidate.answered':
      return candidateAnswered(state, event);
    case 'answered':
      return answered(state, event);
    case 'waited':
      return to({ wait: (state.wait?.until ?? 0) > event.until ? state.wait : null });
    case 'proved':
      return to({ stage: 'closing', proved: { commit: event.commit, tree: event.tree }, curated: false, smoked: false });
    case 'unproved':
      return unproved(state, event.claims, rules);
    case 'person.answered': {
      const { subject, tree, holds } = event;
      return to({ answers: [...state.answers.filter((answer) => answer.subject !== subject), { subject, tree, holds }] });
    }
    case 'smoked':
      return event.failure === null
        ? to({ smoked: true })
        : escalated(to({ smoked: true }), `the smoke run failed: ${event.failure}`, null);
    case 'documented':
      return closed(to({ documented: [...new Set([...state.documented, ...event.features])] }), rules);
    case 'curated':
      return closed(to({ curated: true }), rules);
    case 'granted':
      return to({
        grants: [...new Set([...state.grants, event.name])],
        checkpoint: state.checkpoint === event.name ? null : state.checkpoint,
      });
    case 'edited':
      return to({ features: event.features, claims: event.claims, stage: PROVED.has(state.stage) ? 'working' : state.stage });
    case 'held.up':
      return heldUp(state, event);
    case 'reopened':
      return reopened(state);
  }
}

/** Whatever was proved, or is about to be, was another contract. */
const PROVED: ReadonlySet<MissionState['stage']> = new Set(['proving', 'closing', 'done']);

/** All that follows the last proof is done. */
function closed(state: MissionState, rules: Rules): MissionState {
  return state.stage === 'closing' && state.curated && undocumented(state, rules).length === 0 ? { ...state, stage: 'done' } : state;
}

function planRefused(state: MissionState, { remarks, told }: Extract<MissionEvent, { type: 'plan.refused' }>): MissionState {
  // A plan that could be read was counted when it came.
  const tries = state.plan.tries + (state.stage === 'planning' ? 1 : 0);
  const plan = { tries, remarks, told: state.plan.told || told === true };
  const next: MissionState = { ...state, stage: 'planning', plan };
  return plan.tries < MOST_PLANS + (plan.told ? 1 : 0)
    ? next
    : escalated(next, `there is no usable plan after ${plan.tries} tries: ${remarks.slice(0, 3).join('; ')}`, null);
}

function misdecided(state: MissionState, { kind, why }: Extract<MissionEvent, { type: 'misdecided' }>): MissionState {
  const refused = state.refused + 1;
  const next = { ...state, iteration: state.iteration + 1, refused, refusal: why, ghosts: state.ghosts + (kind === 'ghost' ? 1 : 0) };
  return refused < MOST_REFUSALS
    ? next
    : escalated(
        { ...next, refused: 0, refusal: null },
        `the orchestrator made an impossible decision ${MOST_REFUSALS} times in a row: ${why}`,
        null,
      );
}

function converted(state: MissionState, { promoted, noted }: Extract<MissionEvent, { type: 'converted' }>): MissionState {
  return {
    ...state,
    claims: [...state.claims, ...promoted.map(({ claim }) => claim)],
    features: [
      ...state.features,
      ...promoted.map(({ feature, title, claim }): QueueFeature => ({
        id: feature,
        title,
        claims: [claim.id],
        status: 'pending',
        attempts: 0,
        depends_on: [],
        notes: [],
      })),
    ],
    issues: state.issues.map((issue, at) => ({
      ...issue,
      ...fixOf(promoted.find((one) => one.issue === at)),
      state: promoted.some((one) => one.issue === at) ? 'promoted' : noted.includes(at) ? 'noted' : issue.state,
    })),
  };
}

function fixOf(promoted: { feature: string; once?: true } | undefined): Pick<Issue, 'fix'> {
  return promoted?.once === true ? { fix: promoted.feature } : {};
}

/** A claim that does not hold on the branch opens its feature again. */
function unproved(state: MissionState, claims: readonly { id: string; why: string }[], rules: Rules): MissionState {
  const isHit = (feature: QueueFeature): boolean => claims.some(({ id }) => feature.claims.includes(id));
  const features = state.features.map((feature): QueueFeature => {
    if (!isHit(feature)) return feature;
    const why = claims
      .filter(({ id }) => feature.claims.includes(id))
      .map(({ id, why: text }) => `${id} does not hold on the branch: ${text}`);
    const attempts = feature.attempts + 1;
    return { ...feature, attempts, status: attempts >= rules.maxAttempts ? 'failed' : 'pending', notes: [...feature.notes, ...why] };
  });
  return { ...state, stage: 'working', features };
}

/** A flight whose agent had not started is dropped, and its feature is open again. */
function reopened(state: MissionState): MissionState {
  const flights = state.flights.flatMap((flight) => fly(flight, { type: 'reopened' }) ?? []);
  const gone = state.flights.filter(({ session }) => !flights.some((flight) => flight.session === session));
  const features = state.features.map((feature) =>
    gone.some((flight) => nameOf(flight) === feature.id) && !flights.some((flight) => nameOf(flight) === feature.id)
      ? { ...feature, status: 'pending' as const }
      : feature,
  );
  const question =
    state.question?.text.startsWith(ASKED) === true ? { ...state.question, text: state.question.text.slice(ASKED.length) } : state.question;
  return { ...state, flights, features, question, stop: null, wait: null };
}

/** What the plan reviewer noted, under its feature: lines that name the feature or one of its claims, and the indented ones below such a line. */
function withReview(features: MissionState['features'], review: string): MissionState['features'] {
  const notes = new Map<string, string[]>();
  let about: string[] = [];
  for (const line of review.split('\n')) {
    const names = (id: string): boolean => new RegExp(`(?<![\\w-])${id}(?![\\w-])`).test(line);
    const named = features.filter(({ id, claims }) => [id, ...claims].some(names)).map(({ id }) => id);
    if (named.length > 0 || !/^\s+\S/.test(line)) about = named;
    const text = line
      .replace(/^[\s#>*-]+/, '')
      .trim()
      .slice(0, LONGEST_REMARK);
    if (text !== '') for (const id of about) notes.set(id, [...(notes.get(id) ?? []), `${REVIEWED}${text}`]);
  }
  return features.map((feature) => ({ ...feature, notes: [...feature.notes, ...(notes.get(feature.id) ?? []).slice(0, MOST_REMARKS)] }));
}

const LONGEST_REMARK = 500;
const MOST_REMARKS = 10;

/** What a decision leads to. */
function decided(state: MissionState, { decision, flights }: Extract<MissionEvent, { type: 'decided' }>, rules: Rules): MissionState {
  switch (decision.kind) {
    case 'DONE':
      return { ...state, stage: 'proving' };
    case 'ESCALATE':
      return escalated(state, decision.reason, decision.feature ?? null);
    case 'CHECKPOINT':
      return { ...state, checkpoint: decision.name };
    case 'CONVERTED':
      return state;
    case 'NEXT_ARCHITECT':
      return {
        ...state,
        question: { feature: decision.feature, text: `${ASKED}${state.question?.text ?? 'are its claims right, and can they be proved?'}` },
      };
    case 'NEXT_VALIDATOR': {
      const waiting = state.flights.filter(
        (flight) => nameOf(flight) === decision.feature && flight.phase === 'landing' && !state.validated.includes(flight.session),
      );
      return { ...state, validating: [...new Set([...state.validating, ...waiting.map(({ session }) => session)])] };
    }
    case 'NEXT_WORKER':
      if (flights.length > rules.lanes) throw new Error('more flights than lanes');
      return {
        ...state,
        flights: [...state.flights, ...flights],
        features: changed(state, decision.feature, () => ({ status: 'working' })),
      };
  }
}
