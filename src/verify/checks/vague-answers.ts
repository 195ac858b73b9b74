/**
 * Accepted tests that hold as before and say less: what they compare is no number any more (it is neither greater nor less, and equal to nothing), or
 * a constant that they name has become the same as another, or is gone.
 */
import { parseJavascript } from '../source/parse-javascript.ts';
import { withSeenNumbers } from '../source/seen-numbers.ts';
import { MANY, type ToldTest } from './plain-kit.ts';

const PATIENCE_MS = 5_000;

/** Whether the base has to be asked about it. */
export function isVague({ nans, same = [] }: ToldTest): boolean {
  return nans > 0 || same.length > 0;
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
      message: 'accepted tests pass only because they now compare NaN',
      seen: held.filter(({ one, earlier }) => isLessOfNumbers(one.test, earlier)).map(({ one }) => one),
    },
    {
      message: 'constants that accepted tests name had distinct values on base and no longer do',
      seen: held.filter(({ one, earlier }) => isLikeOthers(one.test, earlier)).map(({ one }) => one),
    },
  ];
}

/** Where a test asserts more often than before, what was no number before may be so more often. */
function isLessOfNumbers(now: ToldTest, before: ToldTest): boolean {
  return now.nans > before.nans && (before.nans === 0 || now.asserted === before.asserted);
}

function isLikeOthers({ same = [] }: ToldTest, { apart = [] }: ToldTest): boolean {
  return apart.length > 0 && same.some((name) => name === MANY || apart.includes(name));
}

/** A test in JavaScript, of which the stand-in sees what is compared. */
export async function showingNumbers(file: string, text: string): Promise<string> {
  const program = await parseJavascript(text, file.replace(/ts$/, 'js'), PATIENCE_MS);
  return program === null ? text : withSeenNumbers(text, program, 'KIT.number');
}
