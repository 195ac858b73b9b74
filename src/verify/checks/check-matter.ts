/**
 * The change must matter: the feature's tests on the candidate with what the session brought made wrong in place.
 *
 * 1. A test that falls there looks at what the code gives. One that never falls proves nothing.
 * 2. Two wrong values, the second only where a test held the first; where one holds both, functions that were there before do what they did, and
 *    those that give nothing back do nothing; those that do reach nothing of what they were handed.
 *    Where none of the tests fell, also the code's own doings are wrong.
 * 3. Numbers are off by one first: where no test falls by that and some do where they are far off, that is told.
 * 4. Beside it the same is done to the code without making it wrong. A test that falls there falls because it was touched. Where tests are to pass
 *    elsewhere as well, one run asks both, and only what does not pass in it is asked by itself.
 * 5. Where all that the session brought gives nothing back, it does nothing in that run: a test that does not fall looks at nothing that it does.
 *    It may still fall where the code does what it did: it asks that something happens no more, and code that does nothing answers that as well.
 * 6. A run in which the tests could not be loaded any more is no proof.
 */
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case } from '../case.ts';
import { isOff } from '../instruments.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { runSuite } from '../run/suite.ts';
import { makeWrong, onlyDoes } from './make-wrong.ts';
import { lettersFrom, type Dice } from './plant.ts';
import type { TestSide } from './test-side.ts';
import type { Wrongness } from './wrongness.ts';

export interface Matter {
  /** Tests that fell in at least one of the runs. */
  fell: string[];
  /** How many of the runs could be made and read. */
  applied: number;
  /** Tests that fell although nothing was wrong. */
  touchy: string[];
  /** Of numbers, only such as are far off were noticed. */
  isLoose: boolean;
  /** Code that does nothing was not noticed, only code that does what it did. */
  isIdle: boolean;
}

export interface MatterRequest {
  files: readonly string[];
  /** Tests that are to fall. */
  wanted: readonly string[];
  isOfTests: TestSide;
  duration: number;
  /** Tests that pass elsewhere, at another date and in another order, with these edits; absent: nobody wants to know. */
  elsewhere?: ((edits: readonly TreeEdit[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Where it was asked before: the answer. */
  touched?: Promise<Touched | null> | undefined;
}

/** The code touched without being made wrong, and the tests that pass elsewhere with it. */
export interface Touched {
  edits: TreeEdit[];
  passed: ReadonlySet<string> | undefined;
}

/** null: nothing could be touched. It needs no answer of any other run. */
export async function touch(
  input: Case,
  { isOfTests, elsewhere }: Pick<MatterRequest, 'isOfTests' | 'elsewhere'>,
): Promise<Touched | null> {
  const { platform } = input;
  const { count, edits } = await makeWrong(input, isOfTests, wrongnessOf(platform, 'same'));
  return count === 0 ? null : { edits: [...edits], passed: await elsewhere?.(edits) };
}

const TIME_LIMIT_MS = 60_000;
/** Where the code runs that was touched without being made wrong, beside the runs in which it is wrong. */
const UNCHANGED_ROOM = 'same';

export async function checkMatter(input: Case, request: MatterRequest): Promise<Matter> {
  const { platform } = input;
  const fell = new Set<string>();
  let applied = 0;
  let unanswered = 0;
  const look = async (kind: Wrongness['kind'], change: Partial<Wrongness> = {}): Promise<void> => {
    const fallen = await fallenIn({ ...wrongnessOf(platform, kind), ...change }, input, request);
    if (fallen === null) {
      unanswered += 1;
      return;
    }
    applied += 1;
    for (const id of fallen) fell.add(id);
  };
  const none = { touchy: [], isLoose: false, isIdle: false };
  if (request.wanted.length === 0) return { fell: [], applied, ...none };
  if (isOff(input, 'matter')) return { fell: [...request.wanted], applied, ...none };
  const isDoing = await onlyDoes(input, request.isOfTests);
  const [, touched] = await Promise.all([isDoing ? look('idle') : look('one', { offset: 1 }), fallenWhereTouched(input, request)]);
  const touchy = touched ?? [];
  const steady = (): string[] => [...fell].filter((id) => !touchy.includes(id));
  if (isDoing && applied > 0) {
    const isIdle = fell.size === 0;
    if (isIdle) await look('back');
    return { fell: steady(), applied, touchy, isLoose: false, isIdle: isIdle && steady().length > 0 };
  }
  if (fell.size === 0 && applied > 0) await look('other', { offset: 1 });
  // A test that looks at a part of a text says nothing about the rest of it: only of numbers is a little too much asked for.
  if (fell.size === 0 && applied > 0) await look('one', { offset: 1, farTexts: true });
  const isUnmoved = fell.size === 0 && applied > 0;
  // A run in which the tests never came to an end is none in which they held.
  const isHeld = isUnmoved && unanswered === 0;
  const isLeft = (): boolean => request.wanted.some((id) => !fell.has(id));
  for (const kind of isUnmoved ? (['one', 'other'] as const) : (['other'] as const)) if (isLeft()) await look(kind);
  const isLoose = isHeld && fell.size > 0;
  for (const kind of ['back', 'idle', 'apart'] as const) if (isLeft()) await look(kind);
  for (const kind of ['inside', 'inside-other'] as const) if (fell.size === 0) await look(kind);
  return { fell: steady(), applied, touchy, isLoose, isIdle: false };
}

async function fallenWhereTouched(input: Case, request: MatterRequest): Promise<string[] | null> {
  const touched = await (request.touched ?? touch(input, request));
  if (touched === null) return null;
  const { edits, passed } = touched;
  if (passed !== undefined && request.wanted.every((id) => passed.has(id))) return [];
  return await fallenWith(edits, input, { ...request, room: UNCHANGED_ROOM });
}

/** null: nothing could be made wrong, none of the code of which more than comments changed, or none of the test files could be loaded. */
export async function fallenIn(wrongness: Wrongness, input: Case, request: MatterRequest & { room?: string }): Promise<string[] | null> {
  const { edits, count, besideCode } = await makeWrong(input, request.isOfTests, wrongness);
  const fallen = count === 0 ? null : await fallenWith(edits, input, request);
  return besideCode === true && fallen?.length === 0 ? null : fallen;
}

async function fallenWith(
  edits: readonly TreeEdit[],
  input: Case,
  { files, wanted, duration, room = 'base' }: MatterRequest & { room?: string },
): Promise<string[] | null> {
  const { platform, judged } = input;
  const run = await runSuite(platform, {
    ...input,
    timeoutMs: Math.min(input.timeoutMs ?? TIME_LIMIT_MS, TIME_LIMIT_MS, 30_000 + duration * 4),
    tree: await input.trees.compose(judged.tree, [...edits]),
    files,
    room,
    variant: { forceExit: true, alone: true, exitFails: true },
    purpose: 'wrong',
    mixed: true,
    isWrong: true,
  });
  const results = new Map(run.tests.map((test) => [test.id, test]));
  const broken = new Set(run.tests.filter((test) => test.name === WHOLE_FILE).map((test) => test.file));
  const loaded = wanted.filter((id) => !broken.has(fileOf(id)) && results.has(id));
  if (loaded.length === 0) return null;
  return loaded.filter((id) => {
    const test = results.get(id);
    return test !== undefined && (test.status === 'failed' || test.status === 'error') && test.failure !== 'import';
  });
}

export function wrongnessOf(platform: Platform, kind: Wrongness['kind']): Wrongness {
  const dice: Dice = (limit) => Number.parseInt(platform.random.id(6), 16) % limit;
  return { kind, name: lettersFrom(dice, 12), word: lettersFrom(dice, 4 + dice(4)), offset: 101 + dice(5_000) };
}
