/** A runner that ended before it could report: what it said instead, in one line. Pure. */
import { cleanText } from '../../domain/clean-text.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { ParsedRun, RunnerOutput } from './runner.ts';

const LONGEST_LOOK = 16_000;
const LONGEST_LINE = 1_000;
const TELLING = /(?:Error\b[^:]*|^error|^fatal): \S|not found|cannot find|could not resolve|no module named|is not installed/i;
const HEADING = /Error\b/;

/** How the problem of such a run begins. */
export const NO_REPORT = 'the runner wrote no report';

export function noReport({ stdout, stderr, room }: RunnerOutput): ParsedRun {
  const said = lineOf(stderr, room) ?? lineOf(stdout, room);
  return { tests: [], problems: [said === null ? NO_REPORT : `${NO_REPORT}: ${said}`] };
}

/** Why a run that ended has no test: its runner is too old or too unusual to be read. Null: it has some. */
export function unread(run: Pick<TestRun, 'tests' | 'problems'>): string | null {
  const problem = run.tests.length === 0 ? run.problems.find((one) => one.startsWith(NO_REPORT)) : undefined;
  return problem?.replace(`${NO_REPORT}: `, '').replace(/^Error: /, '') ?? null;
}

/** The line that names what is wrong; of a heading that only says that something is, the line below it. */
function lineOf(output: string, room: string): string | null {
  const plain = cleanText(output.slice(0, LONGEST_LOOK));
  const lines = (room === '' ? plain : plain.replaceAll(`${room}/`, ''))
    .split('\n')
    .map((line) => line.replace(/^E {2,}/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  const heading = lines.findIndex((line) => HEADING.test(line));
  const chosen = lines.find((line) => TELLING.test(line)) ?? (heading < 0 ? undefined : (lines[heading + 1] ?? lines[heading]));
  return chosen?.slice(0, LONGEST_LINE) ?? null;
}
