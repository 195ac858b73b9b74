/** Where each event leads. Pure: one event, one new document. */
import type { Flight } from '../../../domain/session.ts';
import { saysNothing } from '../../../kernel/flight/not-counted.ts';
import { fly } from '../../../kernel/flight/machine.ts';
import type { MissionState, QueueFeature } from '../../../kernel/mission-schema.ts';
import { changed, escalated, featureOf } from './changes.ts';
import { decided } from './decided.ts';
import { nameOf } from './flying.ts';
import { ASKED, undocumented } from './machine.ts';
import type { Rules } from './rules.ts';
import type { MissionEvent } from './state.ts';

export const MOST_PLANS = 3;
const MOST_EVIDENCE = 60;
const MOST_REFUSALS = 3;

export function transition(state: MissionState, event: MissionEvent, rules: Rules): MissionState {
  const to = (change: Partial<MissionState>): MissionState => ({ ...state, ...change });
  switch (event.type) {
    case 'planned':
      return to({ stage: 'proving-plan', ...event.plan, plan: { ...state.plan, tries: state.plan.tries + 1, remarks: [] } });
    case 'plan.refused':
      return planRefused(state, event);
    case 'plan.tried':
      return to({ stage: rules.reviewer ? 'reviewing' : 'working', notes: [...state.notes, ...event.notes] });
    case 'reviewed':
      return to({ stage: event.verdict === 'reject' ? 'rejected' : 'working', review: event.text });
    case 'decided':
      return decided({ ...state, iteration: state.iteration + 1, refused: 0, refusal: null }, event, rules);
    case 'misdecided':
      return misdecided(state, event);
    case 'flown':
      return flown(state, event.session, (flight) => fly(flight, event.event));
    case 'dropped':
      return dropped(state, event);
    case 'validated':
      return validated(state, event, rules);
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
      return converted({ ...state, iteration: state.iteration + 1 }, event);
    case 'resolved':
      return to({
        question: null,
        claims: [...state.claims.filter(({ id }) => !featureOf(state, event.feature).claims.includes(id)), ...event.claims],
        features: changed(state, event.feature, (feature) => ({
          claims: event.claims.map(({ id }) => id),
          status: feature.status === 'passed' || feature.status === 'skipped' ? feature.status : 'pending',
          notes: [...feature.notes, `architect: ${event.reason}`],
        })),
      });
    case 'unresolved':
      return escalated(to({ question: null }), `${event.feature}: ${event.question}`, event.feature);
    case 'candidate.answered':
      return candidateAnswered(state, event);
    case 'answered':
      return answered(state, event);
    case 'waited':
      return to({ wait: null });
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
      return closed(to({ documented: [...new Set([...state.documented, event.feature])] }), rules);
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
  return state.stage === 'closing' && state.curated && undocumented(state, rules) === null ? { ...state, stage: 'done' } : state;
}

function planRefused(state: MissionState, { remarks, told }: Extract<MissionEvent, { type: 'plan.refused' }>): MissionState {
  const plan = { tries: state.plan.tries + 1, remarks, told: state.plan.told || told === true };
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

function flown(state: MissionState, session: number, change: (flight: Flight) => Flight | null): MissionState {
  const flights = state.flights.flatMap((flight) => {
    const after = flight.session === session ? change(flight) : flight;
    return after === null ? [] : [after];
  });
  const before = state.flights.find((flight) => flight.session === session)!;
  const after = flights.find((flight) => flight.session === session);
  const isAccepted = after?.phase === 'landing' && before.phase === 'captured';
  const again = isAccepted && after.moves > 0;
  return {
    ...state,
    flights,
    ...(isAccepted && !again ? { features: marked(state, after, { status: 'validating' }) } : {}),
    ...(after?.phase === 'working' && before.phase === 'captured' ? { validated: state.validated.filter((one) => one !== session) } : {}),
  };
}

/** No agent was started: the feature is open again, unless somebody else works on it. */
function dropped(state: MissionState, { session, failure }: Extract<MissionEvent, { type: 'dropped' }>): MissionState {
  const flight = state.flights.find((one) => one.session === session)!;
  const next = flown(state, session, () => null);
  const isOpen = !next.flights.some((one) => one.feature === flight.feature) && featureOf(state, nameOf(flight)!).status !== 'passed';
  return { ...next, ...(isOpen ? { features: marked(state, flight, { status: 'pending' }) } : {}), stop: { ...failure } };
}

/** Validators advise: only a proof that failed holds work back. What moved onto another commit was validated before. */
function validated(
  state: MissionState,
  { session, holds, issues, counts }: Extract<MissionEvent, { type: 'validated' }>,
  rules: Rules,
): MissionState {
  const { asked, believed, unquoted, contradicted } = state.validator;
  const next: MissionState = {
    ...state,
    validating: state.validating.filter((one) => one !== session),
    validated: [...state.validated, session],
    issues: [
      ...state.issues,
      ...issues.filter((issue) => !state.issues.some((known) => known.title === issue.title && known.text === issue.text)),
    ],
    validator: {
      asked: asked + 1,
      believed: believed + counts.believed,
      unquoted: unquoted + counts.unquoted,
      contradicted: contradicted + counts.contradicted,
    },
  };
  const why = holds ?? (rules.onPass === 'merge' || rules.mode === 'competition' ? null : KEPT);
  return why === null ? next : flown(next, session, (flight) => fly(flight, { type: 'held', message: why }));
}

function settled(state: MissionState, event: Extract<MissionEvent, { type: 'settled' }>, rules: Rules): MissionState {
  const { session, end, evidence } = event;
  const flight = state.flights.find((one) => one.session === session)!;
  const id = nameOf(flight)!;
  const next: MissionState = {
    ...state,
    flights: state.flights.filter((one) => one !== flight),
    validating: state.validating.filter((one) => one !== session),
    validated: state.validated.filter((one) => one !== session),
  };
  const others = next.flights.some((one) => one.feature === flight.feature);
  if (end.kind === 'verified') return landed(next, flight, id);
  if (featureOf(next, id).status === 'passed') return next;
  if (end.kind === 'rejected' && end.message === LOST) return next;
  if (end.kind === 'rejected' && end.message === KEPT)
    return {
      ...next,
      kept: [...next.kept, id],
      features: changed(next, id, ({ attempts, notes }) => ({
        status: 'blocked',
        attempts: attempts + 1,
        notes: [...notes, `accepted: merge the branch harness/${id}`],
      })),
    };
  if (end.kind === 'needs_human')
    return {
      ...next,
      candidates: [...next.candidates.filter(({ feature }) => feature !== id), { feature: id, flight }],
      features: changed(next, id, (feature) => ({
        status: 'blocked',
        notes: [...feature.notes, `waits for a person: ${evidence.message}`],
      })),
    };
  if (evidence.conflict !== null) return collided(next, id, evidence.conflict);
  const told: MissionState = {
    ...next,
    evidence: [
      ...next.evidence,
      {
        feature: id,
        session,
        message: evidence.message,
        reasons: evidence.reasons,
        verdict: flight.verdict,
        base: flight.base,
        tree: end.kind === 'rejected' ? flight.tree : null,
      },
    ].slice(-MOST_EVIDENCE),
  };
  if (evidence.blocked !== null)
    return {
      ...told,
      question: { feature: id, text: evidence.blocked },
      features: changed(told, id, (feature) => ({ status: 'blocked', attempts: feature.attempts + 1 })),
    };
  const held = heldUp(told, {
    type: 'held.up',
    reason: evidence.reasons[0] ?? 'interrupted',
    message: evidence.message,
    until: evidence.retryAt,
  });
  if (end.kind === 'cut_off' || evidence.outage || saysNothing(evidence.reasons))
    return {
      ...(end.kind === 'cut_off' ? told : held),
      features: others ? told.features : changed(told, id, () => ({ status: 'pending' })),
    };
  if (end.kind === 'not_started')
    return {
      ...held,
      stop: { reason: 'agent.failed', message: evidence.message },
      features: changed(told, id, () => ({ status: 'pending' })),
    };
  return {
    ...told,
    outages: 0,
    features: changed(told, id, ({ attempts }) => ({
      attempts: attempts + 1,
      status: others ? 'working' : attempts + 1 >= rules.maxAttempts ? 'failed' : 'pending',
    })),
  };
}

/** Accepted work that stays on its branch. */
export const KEPT = 'accepted, and kept on its branch';

export const LOST = 'the work of another lane was taken';

function landed(state: MissionState, flight: Flight, id: string): MissionState {
  return {
    ...state,
    outages: 0,
    smoked: false,
    curated: false,
    evidence: state.evidence.filter((one) => one.feature !== id),
    conflicts: Object.fromEntries(Object.entries(state.conflicts).filter(([name]) => name !== id)),
    candidates: state.candidates.filter(({ feature }) => feature !== id),
    features: changed(state, id, ({ attempts }) => ({ attempts: attempts + 1, status: 'passed' })),
  };
}

/** Shown to a worker once; then a person brings the two together. */
function collided(state: MissionState, id: string, paths: string[]): MissionState {
  const count = (state.conflicts[id]?.count ?? 0) + 1;
  const next: MissionState = {
    ...state,
    conflicts: { ...state.conflicts, [id]: { count, paths } },
    features: changed(state, id, () => ({ status: count > 1 ? 'failed' : 'pending' })),
  };
  return count === 1
    ? next
    : escalated(
        next,
        `${id} conflicts for the second time with changes that landed in the meantime, in ${paths.slice(0, 5).join(', ')}`,
        id,
      );
}

function refereed(state: MissionState, winner: number): MissionState {
  const best = state.flights.find(({ session }) => session === winner)!;
  return state.flights
    .filter(({ session, feature }) => session !== winner && feature === best.feature)
    .reduce((next, { session }) => flown(next, session, (flight) => fly(flight, { type: 'held', message: LOST })), state);
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
      state: promoted.some((one) => one.issue === at) ? 'promoted' : noted.includes(at) ? 'noted' : issue.state,
    })),
  };
}

function candidateAnswered(
  state: MissionState,
  { feature, accepted, text }: Extract<MissionEvent, { type: 'candidate.answered' }>,
): MissionState {
  const candidate = state.candidates.find((one) => one.feature === feature)!;
  const candidates = state.candidates.filter((one) => one !== candidate);
  const note = text === null ? [] : [`person: ${text}`];
  if (!accepted)
    return {
      ...state,
      candidates,
      features: changed(state, feature, ({ attempts, notes }) => ({
        status: 'pending',
        attempts: attempts + 1,
        notes: [...notes, ...note],
      })),
    };
  const { session, base, tree, verdict } = candidate.flight;
  const flight: Flight = {
    ...candidate.flight,
    phase: 'landing',
    lane: null,
    checkpoint: null,
    commit: null,
    end: null,
    accepted: { verdict: verdict!, base, tree: tree! },
  };
  return {
    ...state,
    candidates,
    flights: [...state.flights, flight],
    validated: [...state.validated, session],
    features: changed(state, feature, ({ notes }) => ({ status: 'validating', notes: [...notes, ...note] })),
  };
}

function answered(state: MissionState, { option, text }: Extract<MissionEvent, { type: 'answered' }>): MissionState {
  const feature = state.escalation?.feature ?? null;
  const note = text === null ? [] : [`person: ${text}`];
  const next: MissionState = {
    ...state,
    escalation: null,
    curated: false,
    notes: [...state.notes, ...note],
    plan: { ...state.plan, tries: 0 },
  };
  if (option === 'End') return { ...state, stop: { reason: 'features.exhausted', message: 'the mission was ended at the question' } };
  const stage = state.features.length === 0 ? 'planning' : 'working';
  if (feature === null) return { ...next, stage, features: next.features.map((one) => takenUp(next, one)) };
  const status = option === 'Skip it' ? 'skipped' : 'pending';
  return {
    ...next,
    stage,
    conflicts: {},
    features: changed(next, feature, ({ notes }) => ({ status, attempts: 0, notes: [...notes, ...note] })),
  };
}

/** Everything open that nobody works on or waits for is tried again. */
function takenUp({ flights, candidates, kept }: MissionState, feature: QueueFeature): QueueFeature {
  const isHeld =
    flights.some((flight) => nameOf(flight) === feature.id) ||
    candidates.some((one) => one.feature === feature.id) ||
    kept.includes(feature.id);
  return isHeld || ['passed', 'skipped', 'pending'].includes(feature.status) ? feature : { ...feature, status: 'pending', attempts: 0 };
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

/** Limits, people and the provider: the command waits, or ends once nobody flies. */
function heldUp(state: MissionState, { reason, message, until }: Extract<MissionEvent, { type: 'held.up' }>): MissionState {
  if (reason === 'usage_limit') return { ...state, wait: { until, why: reason } };
  if (reason === 'api.unavailable' || reason === 'agent.failed') {
    const outages = state.outages + 1;
    if (outages <= MOST_OUTAGES) return { ...state, outages, wait: { until, why: reason } };
    return { ...state, outages: 0, stop: { reason, message } };
  }
  if (reason.startsWith('budget.') || STOPPING.has(reason)) return { ...state, stop: { reason, message } };
  return state;
}

const MOST_OUTAGES = 6;
const STOPPING: ReadonlySet<string> = new Set(['interrupted', 'user_pause', 'api.auth', 'disk.full']);

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

function marked(state: MissionState, flight: Flight, change: Partial<QueueFeature>): QueueFeature[] {
  return changed(state, nameOf(flight)!, () => change);
}
