/** The page about the machine, made by asking it: `npm run docs` writes it, the checks compare it. */
import { FLIGHT_PHASES, FlightSchema, type Flight, type FlightPhase } from '../../src/domain/session.ts';
import { markdownTable, stateDiagram, type Edge } from './diagram.ts';
import { flightStep, fly, KNOWN_IN, MOST_ANSWERS, MOST_MOVES, type FlightEvent } from '../../src/kernel/flight/machine.ts';
import { PLANNED } from '../../src/flows/project/machine/run.ts';

export function generatedFiles(): Record<string, string> {
  return { 'docs/project-machine.md': page() };
}

const GONE = 'dropped';

function page(): string {
  return `${[
    '# The machine of the project',
    '',
    'Generated from `src/kernel/flight/machine.ts` and `src/flows/project/machine/run.ts` by `npm run docs`: each event was given to the machine in each',
    'phase that knows it. Every event is one write of `.harness/session_state.json`.',
    '',
    '## A flight',
    '',
    'One agent session from base to settlement. `settling` ends it: outcome, counters and escalation are decided together, in the write that removes the',
    `flight. A refused claim goes back to the agent up to ${MOST_ANSWERS} times while its conversation is open; work whose branch moved is judged on the new commit up to ${MOST_MOVES} times.`,
    '',
    ...stateDiagram(
      FLIGHT_PHASES[0],
      flightEdges().filter((edge) => edge.label !== 'reopened'),
      ['settling'],
    ),
    '',
    '## What is due in each phase, and what a crash there means',
    '',
    'Opening a project sends `reopened` to the flight that is under way. The same driver continues from there; there is no other recovery.',
    '',
    ...markdownTable(
      ['phase', 'step', 'opened again after a crash'],
      FLIGHT_PHASES.map((phase) => [`\`${phase}\``, dueIn(phase), afterCrash(phase)]),
    ),
    '',
    '## A run',
    '',
    'A run asks in this order: a return to a checkpoint (`restore`), the flight, what the session that has just ended raises (`talk`), the end of a wait',
    '(`wait`), and then `look`: what others have asked for, the trusted list, and the plan. What follows from the plan:',
    '',
    ...markdownTable(
      ['plan', 'step'],
      Object.entries(PLANNED).map(([plan, step]) => [plan, step === null ? 'the run ends' : `\`${step}\``]),
    ),
    '',
    'A planned session becomes a flight as soon as the guard has let it; for a single session there is none.',
  ].join('\n')}\n`;
}

/** Every way from one phase to another. */
export function flightEdges(): Edge[] {
  return FLIGHT_PHASES.flatMap(edgesFrom);
}

function edgesFrom(phase: FlightPhase): Edge[] {
  const edges = EXAMPLES.filter((event) => KNOWN_IN[event.type].includes(phase)).flatMap((event) =>
    flightsIn(phase).map((flight) => ({ from: phase, to: fly(flight, event)?.phase ?? GONE, label: labelOf(event) })),
  );
  const seen = new Set<string>();
  return edges.filter((edge) => {
    const key = JSON.stringify(edge);
    return edge.from !== edge.to && !seen.has(key) && seen.add(key);
  });
}

function labelOf(event: FlightEvent): string {
  if (event.type !== 'judged') return event.type;
  return event.reasons.includes('hidden.failed') ? 'judged (only hidden tests fail)' : `judged (${event.decision.replace('_', ' ')})`;
}

function dueIn(phase: FlightPhase): string {
  return stepsIn(phase)
    .map((step) => `\`${step}\``)
    .join(', then ');
}

/** The steps of a phase, in their order. */
export function stepsIn(phase: FlightPhase): string[] {
  return [...new Set(flightsIn(phase).map((flight) => flightStep(flight)))];
}

function afterCrash(phase: FlightPhase): string {
  const next = fly(flightsIn(phase)[0]!, { type: 'reopened' });
  if (next === null) return 'dropped: its agent had not started, and its number is free again';
  return next.phase === phase ? 'the step is done again' : `\`${next.phase}\`: what the agent left is taken and kept, nothing is restarted`;
}

/** Flights of every kind that a phase can hold. */
function flightsIn(phase: FlightPhase): Flight[] {
  const flight = FlightSchema.parse({
    session: 1,
    feature: 1,
    prompt: 'coding',
    phase,
    base: 'b',
    branch: 'main',
    checkpoint: 'c',
    started_at: '',
    tree: 't',
  });
  const commits = phase === 'landing' ? [null, 'k'] : ['k'];
  return commits.flatMap((commit) => [0, MOST_MOVES].map((moves) => ({ ...flight, commit, moves })));
}

type Judged = Extract<FlightEvent, { type: 'judged' }>;

const judged = (decision: Judged['decision'], reasons: Judged['reasons'] = []): Judged => ({
  type: 'judged',
  verdict: 'v',
  decision,
  reasons,
  message: '',
  tree: 't',
  answerable: true,
});

const EXAMPLES: readonly FlightEvent[] = [
  { type: 'prepared', workspace: '/copy', checkpoint: 'c' },
  { type: 'conversed', stop: null, evidence: null },
  { type: 'captured', tree: 't', findings: [] },
  { type: 'nothing.left' },
  { type: 'unclaimed', reason: 'claim.none', message: '' },
  judged('accepted'),
  judged('needs_human'),
  judged('needs_human', ['hidden.failed']),
  judged('rejected'),
  { type: 'committed', commit: 'k' },
  { type: 'stranded', reason: 'git.conflict', message: '' },
  { type: 'held', message: '' },
  { type: 'moved', message: '' },
  { type: 'rebased', base: 'b', tree: 't' },
  { type: 'landed', pushes: false },
  { type: 'landed', pushes: true },
  { type: 'replayed', base: 'k', tree: 't', commit: 'k2' },
  { type: 'turned.back' },
  { type: 'pushed', note: '', paused: false },
  { type: 'reopened' },
];
