/** Tasks of workers as lines for people. Pure. */
import { cleanText } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import type { WorkerRow } from '../flows/worker/look.ts';
import { knownMoney } from '../reading/figures.ts';

const LONGEST_REASON = 200;

export function workerLines(rows: readonly WorkerRow[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map((row) => row.task_id.length));
  return ['Workers:', ...rows.flatMap((row) => linesOf(row, width))];
}

function linesOf(row: WorkerRow, width: number): string[] {
  const indent = ' '.repeat(width + 4);
  const spent = row.sessions === 0 ? [] : [counted(row.sessions, 'session'), knownMoney({ ...row })];
  const facts = [...(row.mode === null ? [] : [row.mode]), ...standing(row), ...spent];
  const more = [plain(row.reason), row.next === null ? '' : `Next: ${row.next}`].filter((line) => line !== '');
  return [
    `  ${row.task_id.padEnd(width)}  ${row.status}: ${plain(row.task)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`,
    ...more.map((line) => indent + line),
  ];
}

function standing({ running, phase, commit }: WorkerRow): string[] {
  if (running !== null) return [`${phase ?? ''}, process ${running.pid}`];
  return commit === null ? [] : [`commit ${commit.slice(0, 12)}`];
}

function plain(text: string | null): string {
  return cleanText(text ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_REASON);
}
