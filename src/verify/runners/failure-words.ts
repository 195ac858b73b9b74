/**
 * What a failing test said, as a person wants to read it. Pure.
 *
 * 1. The assertion is whole: its sentence, expected and actual values, differences. Where it stands is named once.
 * 2. Frames of a stack, excerpts of the code and words of the runner about itself are left out.
 * 3. Paths are those of the project, whatever room the tests ran in; lines and their number are bounded.
 */
import { cleanText } from '../../domain/clean-text.ts';

const MOST_LINES = 24;
const LONGEST_LINE = 300;
const LONGEST_LOOK = 8_000;

export function failureWords(text: string, room: string): string {
  const plain = withoutRoom(cleanText(text.slice(0, LONGEST_LOOK)), room);
  const lines = plain.split('\n').map((line) => line.trimEnd());
  const chosen = lines.some((line) => PYTEST_SAYS.test(line)) ? fromPytest(lines) : fromStack(lines);
  return withoutBlanks(chosen)
    .slice(0, MOST_LINES)
    .map((line) => line.slice(0, LONGEST_LINE))
    .join('\n')
    .trim();
}

function withoutRoom(text: string, room: string): string {
  return room === '' ? text : text.replaceAll(`file://${room}/`, '').replaceAll(`${room}/`, '');
}

const PYTEST_SAYS = /^E(?:\s|$)/;
const PYTEST_PLACE = /^\S+\.py:\d+: /;

/** Only the lines that pytest marks, and where they come from. */
function fromPytest(lines: readonly string[]): string[] {
  const place = lines.findLast((line) => PYTEST_PLACE.test(line));
  const said = lines.filter((line) => PYTEST_SAYS.test(line)).map((line) => line.slice(1).replace(/^ {1,7}/, ''));
  return place === undefined ? said : [...said, `at ${place.replace(/: [^:]*$/, '')}`];
}

const FRAME = /^\s+at (.*)$/;
const OF_OTHERS = /^node:|node_modules\/|^<anonymous>$|^native$/;
const OF_RUNNER = /^(?:Node\.js v\d|\(node:\d+\)|\(Use `node --trace)/;
const NODE_KIND =
  /^(?:testCodeFailure|hookFailed|uncaughtException|unhandledRejection|cancelledByParent|testTimeoutFailure)\s+(?:ERR_\w+\s+)?/;

/** All but the frames; the first of them that lies in the project says where it happened. */
function fromStack(lines: readonly string[]): string[] {
  const place = lines.map(placeOf).find((at) => at !== null && !OF_OTHERS.test(at)) ?? null;
  const said = lines.filter((line) => !FRAME.test(line) && !OF_RUNNER.test(line));
  const first = (said[0] ?? '').replace(NODE_KIND, '').replace(/^AssertionError \[ERR_ASSERTION\]: /, 'AssertionError: ');
  return [first, ...said.slice(1), ...(place === null ? [] : [`at ${place}`])];
}

function placeOf(line: string): string | null {
  const frame = FRAME.exec(line)?.[1];
  return frame === undefined ? null : (/\(([^()]+)\)\s*$/.exec(frame)?.[1] ?? frame).trim();
}

function withoutBlanks(lines: readonly string[]): string[] {
  return lines.filter((line) => line.trim() !== '');
}
