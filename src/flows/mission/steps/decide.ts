/** The next decision: by the policy, or by a model whose word is checked against the queue first. */
import { FlightSchema, type Flight } from '../../../domain/session.ts';
import { missionFeatureNumber } from '../../../domain/feature-name.ts';
import { freeLane } from '../../../kernel/lanes/air.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import type { MissionPlace, MissionProgress, MissionReport, StepFunction } from '../contract.ts';
import { groundOf } from '../ground.ts';
import { parseDecision, policy, refuse, wordDecision, type Decision } from '../machine/decisions.ts';
import type { Running } from '../machine/state.ts';
import { callMissionRole, data } from '../role-call.ts';
import { queueText } from '../words/texts.ts';
import { headTree } from './try-claims.ts';
import { convert } from './improve.ts';
import { mustHave } from '../../../domain/must-have.ts';
import { counted } from '../../../domain/counted.ts';

export const decide: StepFunction = async (place, state) => {
  const { mission } = state;
  const wanted = mustHave(policy(mission, place.rules), 'this step is due only while there is something to decide');
  if (place.rules.orchestrator === 'policy') return await carryOut(place, state, wanted, 'policy');
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
  if (decision === null) return miss(place, 'ghost', `its reply has no line with a decision: ${FORMS}`, wanted);
  const why = refuse(mission, decision, place.rules);
  if (why !== null) return miss(place, 'refused', `${wordDecision(decision)}: ${why}`, wanted);
  if (wordDecision(decision) !== wordDecision(wanted))
    place.emit({
      type: 'decision',
      session: null,
      text: `the model decided ${wordDecision(decision)}, the policy would have ${wordDecision(wanted)}`,
      by: 'agent',
    });
  return await carryOut(place, state, decision, 'model');
};

const FORMS = 'DONE, NEXT_WORKER <id>, NEXT_VALIDATOR <id>, NEXT_ARCHITECT <id>, CONVERTED, CHECKPOINT <name> or ESCALATE <reason>';

function miss(place: MissionPlace, kind: 'ghost' | 'refused', why: string, wanted: Decision): MissionProgress {
  place.emit({ type: 'decision', session: null, text: `${kind}: ${why}; the policy would have ${wordDecision(wanted)}`, by: 'harness' });
  return { event: { type: 'misdecided', kind, why } };
}

async function carryOut(place: MissionPlace, state: Running, decision: Decision, by: 'policy' | 'model'): Promise<MissionProgress> {
  const { mission } = state;
  place.emit({
    type: 'decision',
    session: null,
    text: `iteration ${mission.iteration + 1}: ${wordDecision(decision)}`,
    by: by === 'policy' ? 'harness' : 'agent',
  });
  if (decision.kind === 'CHECKPOINT') await writeCheckpoint(place, mission, decision.name);
  if (decision.kind === 'CONVERTED') return await convert(place, state, { key: 'convert', name: 'convert' });
  if (decision.kind !== 'NEXT_WORKER') return { event: { type: 'decided', decision, flights: [] } };
  const flights = await begin(place, mission, decision.feature);
  if (!Array.isArray(flights)) return { rest: flights };
  return { event: { type: 'decided', decision, flights } };
}

/** One flight, or in a competition one for each lane. */
async function begin(place: MissionPlace, mission: MissionState, feature: string): Promise<Flight[] | MissionReport> {
  const head = await groundOf(place);
  if ('outcome' in head) return head;
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

/** What a grant is about: `.harness/checkpoints/<name>.md`. */
async function writeCheckpoint(place: MissionPlace, mission: MissionState, name: string): Promise<void> {
  const type = place.rules.checkpoints.find((one) => one.name === name);
  const passed = mission.features.filter(({ status }) => status === 'passed').map(({ id }) => id);
  const text = [
    `# ${name}`,
    '',
    type?.description || 'A checkpoint of the mission.',
    '',
    `The mission has been waiting here since ${place.now()}, after ${counted(mission.iteration, 'decision')}.`,
    `Passed: ${passed.length} of ${mission.features.length}${passed.length === 0 ? '' : ` (${passed.join(', ')})`}.`,
    ...(mission.review === null || mission.review === '' ? [] : ['', '## The review of the plan', '', mission.review]),
    '',
    `Let it go on with: harness mission grant ${name}`,
    '',
  ];
  await place.documents.folder('checkpoints').write(`${name}.md`, text.join('\n'));
}
