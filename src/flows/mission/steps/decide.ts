/** The next decision: by the policy, or by a model whose word is checked against the queue first. */
import { FlightSchema, type Flight } from '../../../domain/session.ts';
import { missionFeatureNumber } from '../../../domain/feature-name.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { freeLane } from '../../../kernel/lanes/air.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { ended, type MissionPlace, type MissionProgress, type StepFunction } from '../contract.ts';
import { parseDecision, policy, refuse, wordDecision, type Decision } from '../machine/decisions.ts';
import { writeCheckpoint } from '../people/checkpoint.ts';
import { callMissionRole, data } from '../role-call.ts';
import { queueText } from '../words/texts.ts';
import { headTree } from './plan.ts';

export const decide: StepFunction = async (place, { mission }) => {
  const wanted = policy(mission, place.rules)!;
  if (place.rules.orchestrator === 'policy') return await carryOut(place, mission, wanted, 'policy');
  const called = await callMissionRole(place, mission, {
    role: 'orchestrator',
    output: null,
    tree: await headTree(place),
    variables: {
      queue: queueText(mission),
      events: lastEvents(mission),
      refusal: mission.refusal === null ? '' : `Your last answer was not taken: ${mission.refusal}.`,
    },
  });
  if (called.kind === 'delayed') return called.progress;
  const { reply } = called.result;
  const decision = parseDecision(reply);
  if (decision === null) return miss(place, 'ghost', 'it cannot be read as a decision', wanted);
  const why = refuse(mission, decision, place.rules);
  if (why !== null) return miss(place, 'refused', `${wordDecision(decision)}: ${why}`, wanted);
  if (wordDecision(decision) !== wordDecision(wanted))
    place.emit({
      type: 'decision',
      session: null,
      text: `the model decided ${wordDecision(decision)}, the policy would have ${wordDecision(wanted)}`,
      by: 'agent',
    });
  return await carryOut(place, mission, decision, 'model');
};

function miss(place: MissionPlace, kind: 'ghost' | 'refused', why: string, wanted: Decision): MissionProgress {
  place.emit({ type: 'decision', session: null, text: `${kind}: ${why}; the policy would have ${wordDecision(wanted)}`, by: 'harness' });
  return { event: { type: 'misdecided', kind, why } };
}

async function carryOut(place: MissionPlace, mission: MissionState, decision: Decision, by: 'policy' | 'model'): Promise<MissionProgress> {
  place.emit({
    type: 'decision',
    session: null,
    text: `iteration ${mission.iteration + 1}: ${wordDecision(decision)}`,
    by: by === 'policy' ? 'harness' : 'agent',
  });
  if (decision.kind === 'CHECKPOINT') await writeCheckpoint(place, mission, decision.name);
  if (decision.kind !== 'NEXT_WORKER') return { event: { type: 'decided', decision, flights: [] } };
  const flights = await begin(place, mission, decision.feature);
  if (typeof flights === 'string') return { rest: ended('error', ['git.detached'], flights, EXIT.preflight) };
  return { event: { type: 'decided', decision, flights } };
}

/** One flight, or in a competition one for each lane. */
async function begin(place: MissionPlace, mission: MissionState, feature: string): Promise<Flight[] | string> {
  const head = await headOf(place);
  const wanted = place.config.mission.branch_isolation.base_branch;
  if (head === null) return 'the repository has no commit yet: commit your files first';
  if (head.branch === '') return 'HEAD is detached: check out the branch that the mission should work on (git switch BRANCH)';
  if (wanted !== null && wanted !== head.branch)
    return `mission.branch_isolation.base_branch is ${wanted}, but ${head.branch} is checked out: git switch ${wanted}`;
  const { lanes, mode } = place.rules;
  const flights: Flight[] = [];
  for (let count = mode === 'competition' ? lanes : 1; count > 0; count--) {
    const free = freeLane([...mission.flights, ...flights], lanes);
    if (free === null) break;
    const start = {
      session: await place.books.nextSession(),
      feature: missionFeatureNumber(feature),
      prompt: 'coding',
      base: head.commit,
      branch: head.branch,
    };
    flights.push(FlightSchema.parse({ ...start, ...free, started_at: place.now(), phase: 'preparing', checkpoint: null }));
  }
  return flights;
}

const SHOWN_EVENTS = 12;

function lastEvents({ evidence, notes, iteration }: MissionState): string {
  const lines = [...evidence.map(({ feature, message }) => `${feature}: ${message}`), ...notes].slice(-SHOWN_EVENTS);
  return data('events', [`iteration ${iteration}`, ...lines].join('\n'));
}
