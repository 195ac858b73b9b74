/**
 * Accepted tests that hold as before and say less: what they compare is no number any more (it is neither greater nor less, and equal to nothing), or
 * two constants that they name have become one.
 */
import { parseJavascript } from '../source/parse-javascript.ts';
import { withSeenNumbers } from '../source/seen-numbers.ts';
import type { ToldTest } from './plain-kit.ts';

const PATIENCE_MS = 5_000;

/** Whether the base has to be asked about it. */
export function isVague({ nans, pair }: ToldTest): boolean {
  return nans > 0 || pair === 'one';
}

/** `now`: of the candidate; `before`: what the base told of the same. */
export function vagueThan<T extends { test: ToldTest; part: { isOwn: boolean } }>(
  now: readonly T[],
  before: (one: T) => ToldTest | undefined,
): { message: string; seen: T[] }[] {
  const held = now.flatMap((one) => {
    const earlier = one.part.isOwn ? undefined : before(one);
    return one.test.state === 'held' && earlier?.state === 'held' ? [{ one, earlier }] : [];
  });
  return [
    {
      message: 'accepted tests compare what is no number any more, and hold because of that',
      seen: held.filter(({ one, earlier }) => one.test.nans > earlier.nans).map(({ one }) => one),
    },
    {
      message: 'constants that accepted tests name stood for different things, and are the same now',
      seen: held.filter(({ one, earlier }) => one.test.pair === 'one' && earlier.pair === 'two').map(({ one }) => one),
    },
  ];
}

/** A test in JavaScript, of which the stand-in sees what is compared. */
export async function showingNumbers(file: string, text: string): Promise<string> {
  const program = await parseJavascript(text, file.replace(/ts$/, 'js'), PATIENCE_MS);
  return program === null ? text : withSeenNumbers(text, program, 'KIT.number');
}
