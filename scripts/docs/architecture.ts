/** The page about the way of a session and of a verdict, made from the machine, its steps and the table of checks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FLIGHT_PHASES, type FlightPhase } from '../../src/domain/session.ts';
import { STAGES } from '../../src/verify/checks/table.ts';
import { markdownTable } from './diagram.ts';
import { flightEdges, stepsIn } from './project-machine.ts';

const STEPS = 'src/kernel/flight/steps';

export function generatedFiles(root: string): Record<string, string> {
  const page = [
    '# Architecture',
    '',
    'After reading this page you know which way a session and a verdict take through the sources. The rooms and their direction are in',
    '[AGENTS.md](../AGENTS.md). Generated from the machine, its steps and the table of checks by `npm run docs`.',
    '',
    '## The way of a session',
    '',
    'A command opens the project under its lock and drives a machine. The machine is pure: it names the next step, and what the step returns is an event,',
    'which is written before anything else happens. After a crash the same machine goes on from what was written.',
    '',
    ...sessionPicture(),
    '',
    ...markdownTable(['step', 'what it does', 'rooms that its file imports'], stepRows(root)),
    '',
    'The event behind each arrow: [project-machine.md](project-machine.md). Missions, tasks of a lead and workflows have separate machines and the same',
    'judge: [mission](mission-machine.md), [worker](worker-machine.md), [workflow](workflow-machine.md), [spec](spec-machine.md).',
    '',
    '## The way of a verdict',
    '',
    'The judge gets a captured tree and the tree of the base, never the folder in which the agent works. Stages come one after the other; a rejection in one',
    'ends the judgement before the next. Checks of a stage run side by side. Every run takes place in a clean room that only the harness writes.',
    '',
    ...verdictPicture(),
    '',
    'Rounded checks only read files, angular ones run tests, commands or pages, the hexagon asks a model. What each one asks: [trust.md](trust.md#checks).',
    'How the runs share rooms and time: [judging.md](internals/judging.md).',
    '',
    '## Where state is kept',
    '',
    'Every flow has one document in `.harness/` that says how far it is, written as a whole and read by every command. Next to it are the journal (append only),',
    'verdicts, baselines and checkpoints. Accepted work is a commit on the branch; a commit is named in the document before the branch moves.',
    '[crash-safety.md](crash-safety.md) says what a crash at each point leaves behind.',
  ];
  return { 'docs/architecture.md': `${page.join('\n')}\n` };
}

function sessionPicture(): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to, label } of flightEdges()) {
    const key = `${lastStep(from)} --> ${firstStep(to)}`;
    if (label !== 'reopened' && lastStep(from) !== firstStep(to)) arrows.set(key, (arrows.get(key) ?? new Set()).add(label));
  }
  return [
    '```mermaid',
    'flowchart TD',
    '  command([harness run]) --> look["look, guard: what is next, may it begin"] --> prepare',
    ...FLIGHT_PHASES.flatMap((phase) => {
      const [first, second] = stepsIn(phase);
      return second === undefined ? [] : [`  ${first} --> ${second}`];
    }),
    ...[...arrows].map(([arrow, labels]) => `  ${arrow.replace('-->', `-->|"${[...labels].join(', ')}"|`)}`),
    `  crash([opened again after a crash]) --> ${firstStep('salvaging')}`,
    '  settle --> look',
    '```',
  ];
}

const isPhase = (name: string): name is FlightPhase => FLIGHT_PHASES.some((phase) => phase === name);
const stepsOf = (name: string): string[] => (isPhase(name) ? stepsIn(name) : []);
const firstStep = (phase: string): string => stepsOf(phase)[0] ?? phase;
const lastStep = (phase: string): string => stepsOf(phase).at(-1) ?? phase;

function stepRows(root: string): string[][] {
  const steps = [...new Set(FLIGHT_PHASES.flatMap(stepsIn))].filter((step) => step !== 'salvage');
  return steps.map((step) => {
    const source = readFileSync(join(root, STEPS, `${step}.ts`), 'utf8');
    const rooms = [...source.matchAll(/from '(?:\.\.\/){3}(\w+)\//g)].flatMap(([, room]) => room ?? []);
    return [`[\`${step}\`](../${STEPS}/${step}.ts)`, firstSentences(source), [...new Set(rooms)].sort().join(' · ')];
  });
}

/** The header's first paragraph. */
function firstSentences(source: string): string {
  const header = /^\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const lines = header.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const text = lines.join('\n').trim().split('\n\n')[0] ?? '';
  return text.replaceAll('\n', ' ');
}

const SHAPES = { text: ['(', ')'], trial: ['[', ']'], model: ['{{', '}}'] } as const;

function verdictPicture(): string[] {
  const lines = ['```mermaid', 'flowchart TD', '  tree([captured tree]) --> s0'];
  for (const [at, stage] of STAGES.entries()) {
    const listed = stage.filter(({ title }) => title !== null);
    if (listed.length === 0) continue;
    lines.push(`  subgraph s${at}["stage ${at + 1}"]`);
    for (const { id, title, cost } of listed) {
      const [open, close] = SHAPES[cost];
      lines.push(`    ${id.replaceAll(/\W/g, '_')}${open}"${title}"${close}`);
    }
    lines.push('  end', at + 1 < STAGES.length ? `  s${at} --> s${at + 1}` : `  s${at} --> verdict([accepted, needs review or rejected])`);
  }
  return [...lines, '```'];
}
