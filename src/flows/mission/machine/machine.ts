/**
 * The mission: what is due, and where each event leads. Pure.
 *
 *   planning → proving-plan → reviewing → working → proving → closing → done; rejected and escalated wait for a person.
 *
 * 1. Flights go on in their lanes whatever else happens; what ends a stage waits until nobody flies.
 * 2. Accepted work lands, or stays on its branch, once a validator was asked; the validator can hold it back only with a test that the work broke. Of
 *    several lanes for one feature the referee chooses among those that no validator held back.
 * 3. `stop` ends this command once nobody flies; it is gone when the mission is opened again, and so is a wait.
 */
import { isLandable, dueFlights } from '../../../kernel/lanes/air.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { policy } from './decisions.ts';
import { competing, featureNameOf, nameOf } from './flying.ts';
import type { Rules } from './rules.ts';
import type { MissionStep, OwnStep, Running } from './state.ts';
import { featureOf } from './changes.ts';

export function due({ mission, run }: Running, rules: Rules): readonly MissionStep[] {
  const flying = [
    ...dueFlights(mission.flights, (flight) => mission.validated.includes(flight.session) && !competing(mission, flight)),
    ...validations(mission),
  ];
  const own = ownStep(mission, run.from, rules);
  return own === null ? flying : [...flying, own];
}

/** Accepted work in the lanes whose turn it is to be looked at. Where nobody decides any more, it is each one's turn. */
function validations({ flights, validating, validated, stage }: MissionState): MissionStep[] {
  const isTurn = (session: number): boolean => validating.includes(session) || (stage === 'escalated' && !validated.includes(session));
  return flights
    .filter((flight) => isTurn(flight.session) && isLandable(flight))
    .map(({ session, lane }) => ({ key: `validate ${session}`, name: 'validate', session, ...(lane === null ? {} : { lane }) }));
}

function ownStep(mission: MissionState, from: number, rules: Rules): MissionStep | null {
  const flies = mission.flights.length > 0;
  if (mission.stop !== null || mission.checkpoint !== null) return null;
  if (mission.wait !== null) return step('wait');
  switch (mission.stage) {
    case 'planning':
      return step('plan');
    case 'proving-plan':
      return step('try proofs');
    case 'reviewing':
      return step('review');
    case 'working':
      return working(mission, from, rules);
    case 'proving':
      return flies ? null : step('prove');
    case 'closing':
      if (rules.smoke?.onDone === true && !mission.smoked) return step('smoke');
      if (!mission.curated) return step('curate');
      return undocumented(mission, rules).length === 0 ? null : step('document');
    case 'escalated':
      if (flies) return race(mission);
      return mission.curated ? step('ask about escalation') : step('curate');
    case 'rejected':
    case 'done':
      return null;
  }
}

function working(mission: MissionState, from: number, rules: Rules): MissionStep | null {
  const raced = race(mission);
  if (raced !== null) return raced;
  if (mission.question !== null && mission.question.text.startsWith(ASKED)) return step('resolve');
  if (rules.documents === 'feature' && undocumented(mission, rules).length > 0) return step('document');
  if (mission.iteration - from >= rules.maxIterations) return null;
  const next = policy(mission, rules);
  const untold = next === null && mission.flights.length === 0 ? undefined : untoldCandidate(mission);
  if (untold !== undefined) return { ...step('leave question'), feature: untold };
  if (next === null) return idle(mission);
  const feature = next.kind === 'NEXT_WORKER' ? featureOf(mission, next.feature) : null;
  if (feature !== null && rules.debugAfter !== null && feature.attempts >= rules.debugAfter && mission.debugged[feature.id] === undefined)
    return { ...step('debug'), feature: feature.id };
  if (feature !== null && !mission.curated && mission.features.some(({ status }) => status === 'passed')) return step('curate');
  if (next.kind === 'CONVERTED' && rules.orchestrator === 'policy') return step('convert');
  return step('decide');
}

/** All lanes of a competition have accepted work, and nothing of it was held back. */
function race(mission: MissionState): MissionStep | null {
  const raced = mission.flights.find((flight) => competing(mission, flight) && isLandable(flight));
  const isReady = (flight: MissionState['flights'][number]): boolean => isLandable(flight) && mission.validated.includes(flight.session);
  return raced !== undefined && siblings(mission, raced.feature).every(isReady)
    ? { ...step('referee'), feature: featureNameOf(raced) }
    : null;
}

/** Work that waits for a person who does not know of it yet; not while another lane could still make the question needless. */
function untoldCandidate({ candidates, flights }: MissionState): string | undefined {
  return candidates.find(({ told, feature }) => told !== true && !flights.some((flight) => nameOf(flight) === feature))?.feature;
}

/** Nothing is left to decide: those who wait for a person are asked about, or looked at. */
function idle({ flights, candidates, kept }: MissionState): MissionStep | null {
  if (flights.length > 0) return null;
  if (candidates.length > 0) return step('ask about candidate');
  return kept.length > 0 ? step('look for merges') : null;
}

/** The architect has been told to look. */
export const ASKED = '? ';

function siblings({ flights }: MissionState, feature: number | null): MissionState['flights'] {
  return flights.filter((flight) => flight.feature === feature);
}

/** Features that have passed and that nobody has written about: the next one, or at the end all of them at once. */
export function undocumented({ features, documented, stage }: MissionState, { documents }: Rules): string[] {
  if (documents === null || (documents === 'done' && stage !== 'closing')) return [];
  const open = features.filter(({ id, status }) => status === 'passed' && !documented.includes(id)).map(({ id }) => id);
  return documents === 'done' ? open : open.slice(0, 1);
}

function step(name: OwnStep): MissionStep {
  return { key: name, name };
}
