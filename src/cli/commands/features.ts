/** `harness features`: the list with state, attempts, cost and the commit that proved each. */
import { cleanLine } from '../../domain/clean-text.ts';
import { EXIT } from '../../domain/reasons.ts';
import { featureRows, type FeatureRow } from '../../flows/project/look/feature-rows.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { openProject } from '../../flows/project/project.ts';
import type { Command } from '../command.ts';
import { knownMoney } from '../../reading/figures.ts';

const DESCRIPTION_WIDTH = 50;

export const run: Command = async ({ platform, root, output }) => {
  const rows = featureRows(await readPast(await openProject(platform, root, { emit: output.emit, journal: false })));
  output.object(rows, rows.length === 0 ? 'The list has no features.' : describe(rows));
  return { exitCode: EXIT.done };
};

function describe(rows: readonly FeatureRow[]): string {
  const states = Math.max(...rows.map((row) => row.state.length));
  const ids = Math.max(...rows.map((row) => String(row.id).length));
  const done = rows.filter((row) => row.state === 'verified' || row.state === 'on trust').length;
  return [...rows.map((row) => line(row, ids, states)), '', `${done} of ${rows.length} done.`].join('\n');
}

function line(row: FeatureRow, ids: number, states: number): string {
  const words = cleanLine(row.description);
  const short = words.length <= DESCRIPTION_WIDTH ? words : `${words.slice(0, DESCRIPTION_WIDTH - 1)}…`;
  const facts = [
    row.attempts === 0 ? '' : `${row.attempts} ${row.attempts === 1 ? 'session' : 'sessions'}, ${knownMoney(row)}`,
    row.commit === null ? '' : row.commit.slice(0, 10),
    row.question === null ? '' : `harness gates (${row.question})`,
    cleanLine(row.note),
  ].filter((fact) => fact !== '');
  return `${`#${row.id}`.padStart(ids + 1)}  ${row.state.padEnd(states)}  ${short.padEnd(facts.length === 0 ? 0 : DESCRIPTION_WIDTH)}  ${facts.join('; ')}`.trimEnd();
}
