/** The page about the machine, made from its own table: `npm run docs` writes it, the checks compare it. */
import { markdownTable, stateDiagram } from './diagram.ts';
import { PHASES } from '../../src/flows/workflow/contract.ts';
import type { Row } from '../../src/flows/workflow/machine/row.ts';
import { LAYER1_RETRIES, LAYER2_RETRIES, MAX_ROUNDS, ROWS } from '../../src/flows/workflow/machine/table.ts';

export function generatedFiles(): Record<string, string> {
  return { 'docs/workflow-machine.md': page() };
}

const ELSEWHERE: ReadonlySet<Row['event']> = new Set(['resumed', 'requested']);

function page(): string {
  const plain = ROWS.filter((row) => !ELSEWHERE.has(row.event));
  return `${[
    '# The machine of the workflow',
    '',
    'Generated from `src/flows/workflow/machine/table.ts` by `npm run docs`. The same table drives the program and its exhaustive test.',
    '',
    `The implementer is sent back up to ${LAYER1_RETRIES} times by layer 1 and up to ${LAYER2_RETRIES} times by layer 2; there are ${MAX_ROUNDS} rounds. Every transition is one write of \`.harness/state.json\`.`,
    '',
    ...stateDiagram(
      PHASES[0],
      plain.flatMap((row) => row.from.map((from) => ({ from, to: row.to ?? from, label: label(row) }))),
      ['completed'],
    ),
    '',
    '## Events',
    '',
    ...table(plain),
    '',
    '## A step that a person names',
    '',
    '`harness workflow generate`, `verify` and `evaluate` send the event `requested`. Outside of the style `auto` a run ends at every `*_done`.',
    '',
    ...table(ROWS.filter((row) => row.event === 'requested')),
    '',
    '## A session that a person takes up again',
    '',
    'The answer `Resume` to `workflow.session` sends the event `resumed`. A command that was cut off, or whose question was answered, continues without it: nothing is reset then.',
    '',
    ...table(ROWS.filter((row) => row.event === 'resumed')),
  ].join('\n')}\n`;
}

function label(row: Row): string {
  return row.when === undefined ? row.event : `${row.event} (${row.when})`;
}

function table(rows: readonly Row[]): string[] {
  return markdownTable(
    ['in', 'event', 'if', 'then'],
    rows.map((row) => [phases(row), `\`${row.event}\``, row.when ?? '', row.to === undefined ? 'stays' : `\`${row.to}\``]),
  );
}

function phases(row: Row): string {
  const first = PHASES.indexOf(row.from[0]!);
  const toTheEnd = row.from.length > 3 && row.from.length === PHASES.length - first;
  return toTheEnd ? `\`${row.from[0]}\` and later` : row.from.map((phase) => `\`${phase}\``).join(', ');
}
