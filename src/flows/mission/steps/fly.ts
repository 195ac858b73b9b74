/** The steps of a worker's flight: the kernel's, and the end of it as the mission sees it. */
import type { Flight } from '../../../domain/session.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { isAcceptedByPerson, type FlightEvent, type FlightStep } from '../../../kernel/flight/machine.ts';
import type { Brief } from '../../../kernel/flight/contract.ts';
import { renewBaseline } from '../../../kernel/flight/baseline.ts';
import { capture, salvage } from '../../../kernel/flight/steps/capture.ts';
import { commit } from '../../../kernel/flight/steps/commit.ts';
import { converse } from '../../../kernel/flight/steps/converse.ts';
import { judge } from '../../../kernel/flight/steps/judge.ts';
import { land } from '../../../kernel/flight/steps/land.ts';
import { move } from '../../../kernel/flight/steps/move.ts';
import { prepare, type Prepared } from '../../../kernel/flight/steps/prepare.ts';
import { push } from '../../../kernel/flight/steps/push.ts';
import { settle as settleFlight } from '../../../kernel/flight/steps/settle.ts';
import { lanePlace } from '../../../kernel/lanes/lane-place.ts';
import type { MissionPlace, MissionProgress, StepFunction } from '../contract.ts';
import { featureNameOf, flightOf } from '../machine/flying.ts';
import { KEPT } from '../machine/flown.ts';
import type { MissionEvent } from '../machine/state.ts';
import { missionName, rememberSession } from '../memory-files.ts';
import { limited } from '../role-call.ts';
import { BLOCKED, briefAtBase, briefAtHead } from '../words/brief.ts';
import { tellPull } from './pulls.ts';
import { tellSession } from './tell-session.ts';
import { keepFeatureBranch, keepLane, linkLane } from '../../../kernel/lanes/shown.ts';
import { inPhase } from '../../../domain/must-have.ts';

export const fly: StepFunction = async (shared, { mission }, step) => {
  const flight = flightOf(mission, step.session);
  const place = lanePlace(shared, flight);
  const brief = await briefAtBase(place, mission, flight);
  if (step.name === 'settle') return { event: await settle(place, flight, brief, mission) };
  const event = await FLIGHT[step.name as Exclude<FlightStep, 'settle'>](limited(place, 'worker'), flight, brief, async () =>
    briefAtHead(place, mission, flight),
  );
  if (event.type === 'dropped') return { event: { type: 'dropped', session: flight.session, failure: event.failure } };
  await follow(place, flight, event, mission);
  return flown(flight, event);
};

type Work = (place: MissionPlace, flight: Flight, brief: Brief, now: () => Promise<Brief | string>) => Promise<FlightEvent | Prepared>;

const FLIGHT: Readonly<Record<Exclude<FlightStep, 'settle'>, Work>> = {
  prepare,
  converse,
  salvage,
  capture,
  judge,
  commit,
  land,
  push,
  move: async (place, flight, brief, now) => move(place, flight, brief, await now()),
};

function flown({ session }: Flight, event: FlightEvent): MissionProgress {
  return { event: { type: 'flown', session, event } };
}

/** What people can see of a lane, and what its worker left for the memory. */
async function follow(place: MissionPlace, flight: Flight, event: FlightEvent, mission: MissionState): Promise<void> {
  const feature = featureNameOf(flight);
  if (event.type === 'prepared') await showLane(place, feature, flight, event.workspace);
  if (event.type === 'captured') await keepCapture(place, feature, flight, event.tree);
  const reply = event.type === 'conversed' ? place.live.get(flight.session)?.conversation?.reply.text() : undefined;
  if (reply === undefined) return;
  const about = { role: 'worker', feature, iteration: mission.iteration, session: flight.session };
  await rememberSession(place, { reply, output: null }, about, missionName(place, mission));
}

async function settle(place: MissionPlace, flight: Flight, brief: Brief, mission: MissionState): Promise<MissionEvent> {
  const { session } = flight;
  const feature = featureNameOf(flight);
  const landed = await settleFlight(place, flight, brief);
  const { end } = landed;
  if (isAcceptedByPerson(flight) && end.kind === 'verified')
    await renewBaseline(place, { commit: inPhase(flight, 'commit'), tree: inPhase(flight, 'tree') }, session, { noCache: false });
  await showLane(place, feature, flight, null);
  if (end.kind !== 'verified' && end.message !== KEPT) await keepFailed(place, feature, flight);
  if (end.kind === 'verified') await keepBranch(place, feature, flight, null);
  if (end.message === KEPT) {
    await keepBranch(place, feature, flight, flight.tree);
    if (place.rules.onPass === 'pr') await tellPull(place, mission, feature, flight.branch);
  }
  await tellSession(place, flight, landed);
  await place.journal?.flush();
  const blocked = flight.word?.message.startsWith(BLOCKED) === true ? flight.word.message.slice(BLOCKED.length) : null;
  return {
    type: 'settled',
    session,
    end,
    evidence: {
      message: end.message,
      reasons: end.reasons,
      conflict: flight.conflict,
      blocked: end.kind === 'partial' ? blocked : null,
      outage: end.outage,
      retryAt: flight.stop?.retry_at ?? null,
      kept: landed.kept !== null,
    },
  };
}

/** `tree` null: the work has landed, and its branch goes. */
async function keepBranch(place: MissionPlace, feature: string, flight: Flight, tree: string | null): Promise<void> {
  const { enabled, on_pass } = place.config.mission.branch_isolation;
  if (!enabled && on_pass === 'merge') return;
  await keepFeatureBranch(place, feature, tree === null ? null : { tree, base: flight.base, session: flight.session });
}

/** While lanes race for one feature none of their works is the feature's: each is kept as a candidate, and the one that is taken stands on the branch. */
async function keepCapture(place: MissionPlace, feature: string, flight: Flight, tree: string): Promise<void> {
  if (place.rules.mode === 'lane') await keepBranch(place, feature, flight, tree);
}

/** Work that did not pass stays where a person can look at it, until the next try; the next session starts from the same files. */
async function keepFailed(place: MissionPlace, feature: string, { tree }: Flight): Promise<void> {
  if (place.rules.mode === 'lane' && tree !== null) await keepLane(place, feature, tree);
}

/** `workspace` null: the lane is free again. Lanes that race for one feature have a link each. */
async function showLane(place: MissionPlace, feature: string, { lane }: Flight, workspace: string | null): Promise<void> {
  await linkLane(place, place.rules.mode === 'competition' && lane !== null ? `${feature}-${lane}` : feature, workspace);
}
