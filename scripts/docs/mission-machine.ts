/** The page about the machine, printed from what it does with one event of each kind: `npm run docs` writes it, the checks compare it. */
import { missionFeatureNumber } from '../../src/domain/feature-name.ts';
import { FlightSchema, type Flight, type FlightEnd } from '../../src/domain/session.ts';
import { stateDiagram, type Edge } from './diagram.ts';
import type { FlightEvent } from '../../src/kernel/flight/machine.ts';
import type { MissionState, QueueFeature } from '../../src/kernel/mission-schema.ts';
import { MOST_PLANS, transition } from '../../src/flows/mission/machine/transition.ts';
import type { Rules } from '../../src/flows/mission/machine/rules.ts';
import { newMission, type Attempt, type MissionEvent } from '../../src/flows/mission/machine/state.ts';

export function generatedFiles(): Record<string, string> {
  return { 'docs/mission-machine.md': page() };
}

const RULES: Rules = {
  lanes: 2,
  mode: 'lane',
  maxAttempts: 3,
  maxIterations: 100,
  orchestrator: 'policy',
  reviewer: true,
  checkpoints: [],
  debugAfter: 2,
  documents: null,
  onPass: 'merge',
  smoke: null,
  busy: () => false,
};
const ID = 'F-001';
const FEATURE: QueueFeature = { id: ID, title: 't', claims: ['VAL-A-001'], status: 'pending', attempts: 0, depends_on: [], notes: [] };
const FLIGHT: Flight = FlightSchema.parse({
  session: 1,
  feature: missionFeatureNumber(ID),
  prompt: 'coding',
  phase: 'captured',
  base: 'b',
  branch: 'main',
  checkpoint: 'c',
  started_at: '',
  tree: 't',
  verdict: 'v',
});
const ATTEMPT: Attempt = { message: 'm', reasons: ['test.failed'], conflict: null, blocked: null, outage: false, retryAt: null };
const REJECTED: FlightEnd = { kind: 'rejected', reasons: ['test.failed'], message: 'm', outage: false };

type Sample = [state: MissionState, event: MissionEvent, label: string, rules?: Partial<Rules>];

function mission(stage: MissionState['stage'], change: Partial<MissionState> = {}): MissionState {
  return { ...newMission({ path: 'SPEC.md', hash: 'h' }, '1', ''), stage, features: [FEATURE], ...change };
}

/** With its feature in this state, and in the air where somebody works on it. */
function during(status: QueueFeature['status'], change: Partial<QueueFeature> = {}, more: Partial<MissionState> = {}): MissionState {
  const flights = status === 'working' ? [FLIGHT] : status === 'validating' ? [{ ...FLIGHT, phase: 'landing' as const }] : [];
  return mission('working', { features: [{ ...FEATURE, status, ...change }], flights, ...more });
}

const settled = (end: FlightEnd, attempt: Partial<Attempt> = {}): MissionEvent => ({
  type: 'settled',
  session: 1,
  end,
  evidence: { ...ATTEMPT, ...attempt },
});
const accepted: FlightEvent = {
  type: 'judged',
  verdict: 'v',
  decision: 'accepted',
  reasons: [],
  message: '',
  tree: 't',
  answerable: false,
};

const EDITED: MissionEvent = { type: 'edited', features: [FEATURE], claims: [] };

const STAGES: readonly Sample[] = [
  [mission('planning'), { type: 'planned', plan: { features: [FEATURE], claims: [] } }, 'a plan that can be read'],
  [mission('planning'), { type: 'plan.refused', remarks: ['r'] }, 'refused'],
  [
    mission('planning', { plan: { tries: MOST_PLANS - 1, remarks: [], told: false } }),
    { type: 'plan.refused', remarks: ['r'] },
    `refused ${MOST_PLANS} times`,
  ],
  [mission('proving-plan'), { type: 'plan.refused', remarks: ['r'], told: true }, 'claims that hold already, or cannot run'],
  [mission('proving-plan'), { type: 'plan.tried', notes: [] }, 'proofs can run'],
  [mission('proving-plan'), { type: 'plan.tried', notes: [] }, 'proofs can run, no reviewer', { reviewer: false }],
  [mission('reviewing'), { type: 'reviewed', verdict: 'accept', text: '' }, 'accepted'],
  [mission('reviewing'), { type: 'reviewed', verdict: 'reject', text: '' }, 'rejected'],
  [mission('working'), { type: 'decided', decision: { kind: 'DONE' }, flights: [] }, 'DONE'],
  [mission('working'), { type: 'decided', decision: { kind: 'ESCALATE', reason: 'r' }, flights: [] }, 'ESCALATE'],
  [mission('working', { refused: 2 }), { type: 'misdecided', kind: 'refused', why: 'w' }, 'three impossible decisions'],
  [mission('working', { refused: 0 }), { type: 'unresolved', feature: ID, question: 'q' }, 'an architect without an answer'],
  [mission('proving'), { type: 'proved', commit: 'c', tree: 't' }, 'every claim holds on the branch'],
  [mission('proving'), { type: 'unproved', claims: [{ id: 'VAL-A-001', why: 'w' }] }, 'a claim does not hold'],
  [mission('closing'), { type: 'smoked', failure: 'f' }, 'the smoke run failed'],
  [mission('closing'), { type: 'curated' }, 'memory and documents written'],
  ...(['proving', 'closing', 'done'] as const).map((stage): Sample => [mission(stage), EDITED, 'the queue or the contract is edited']),
  [mission('escalated'), { type: 'answered', option: 'Try again', text: null }, 'Try again, Skip it'],
  [mission('escalated', { features: [] }), { type: 'answered', option: 'Try again', text: null }, 'Try again, without a plan'],
];

const FEATURES: readonly Sample[] = [
  [during('pending'), { type: 'decided', decision: { kind: 'NEXT_WORKER', feature: ID }, flights: [FLIGHT] }, 'NEXT_WORKER'],
  [during('working'), { type: 'flown', session: 1, event: accepted }, 'the verdict accepts it'],
  [during('working'), settled(REJECTED), 'refused'],
  [during('working', { attempts: RULES.maxAttempts - 1 }), settled(REJECTED), 'refused for the last time'],
  [during('working'), settled({ ...REJECTED, kind: 'cut_off' }), 'cut off, usage limit, outage'],
  [during('working'), settled({ ...REJECTED, kind: 'needs_human' }), 'a person is needed'],
  [during('working'), settled(REJECTED, { blocked: 'b' }), 'the agent cannot go on'],
  [during('validating'), settled({ ...REJECTED, kind: 'verified' }), 'landed'],
  [during('validating'), settled(REJECTED), 'a proof failed'],
  [during('validating'), settled(REJECTED, { conflict: ['x'] }), 'collides with what landed'],
  [
    during('validating', {}, { conflicts: { [ID]: { count: 1, paths: ['x'] } } }),
    settled(REJECTED, { conflict: ['x'] }),
    'collides for the second time',
  ],
  [
    during('blocked', {}, { candidates: [{ feature: ID, flight: FLIGHT }] }),
    { type: 'candidate.answered', feature: ID, accepted: true, text: null },
    'a person accepts it',
  ],
  [
    during('blocked', {}, { candidates: [{ feature: ID, flight: FLIGHT }] }),
    { type: 'candidate.answered', feature: ID, accepted: false, text: null },
    'a person rejects it',
  ],
  [during('blocked'), { type: 'resolved', feature: ID, claims: [], reason: 'r' }, 'the architect answers'],
  [during('blocked', {}, { kept: [ID] }), { type: 'merged', features: [ID] }, 'its branch was merged'],
  [during('failed', {}, { escalation: { reason: 'r', feature: ID } }), { type: 'answered', option: 'Try again', text: null }, 'Try again'],
  [during('failed', {}, { escalation: { reason: 'r', feature: ID } }), { type: 'answered', option: 'Skip it', text: null }, 'Skip it'],
  [during('passed'), { type: 'unproved', claims: [{ id: 'VAL-A-001', why: 'w' }] }, 'a claim does not hold on the branch'],
];

function page(): string {
  const after = ([state, event, , rules = {}]: Sample): MissionState => transition(state, event, { ...RULES, ...rules });
  const stages = STAGES.map((sample): Edge => ({ from: sample[0].stage, to: after(sample).stage, label: sample[2] }));
  const features = FEATURES.map((sample): Edge => ({
    from: sample[0].features[0]!.status,
    to: after(sample).features[0]!.status,
    label: sample[2],
  }));
  return `${[
    '# The machine of a mission',
    '',
    'Generated from `src/flows/mission/machine/transition.ts` by `npm run docs`: each arrow is what the machine does with that event. Every event is one write of',
    'the mission document. Flights go on in their lanes whatever the stage is; each is a flight as [the machine of the project](project-machine.md) shows it.',
    '',
    '## The mission',
    '',
    ...stateDiagram('planning', stages, ['rejected', 'done']),
    '',
    '## A feature of its queue',
    '',
    ...stateDiagram('pending', features, ['passed', 'skipped']),
  ].join('\n')}\n`;
}
