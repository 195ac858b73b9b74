/**
 * Hidden tests on base, on the candidate, on mutated code and beside their twins.
 *
 * 1. Nothing of these runs is recorded, cached or reported: names, code and output stay secret.
 * 2. A failure counts only if it repeats.
 * 3. A test that cannot be loaded is the candidate's failure only if everything it asks for exists or was promised; else it is the examiner's mistake.
 */
import { isFailure } from '../../domain/test-results.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { TestResult, TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { fallenIn, wrongnessOf } from '../checks/check-matter.ts';
import { twinOf } from '../checks/check-force.ts';
import type { TestSide } from '../checks/test-side.ts';
import type { Wrongness } from '../checks/wrongness.ts';
import { repeatFailures } from '../repeats.ts';
import { runSuite } from '../run/suite.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { readSources } from '../source/read-source.ts';
import { isNamed } from '../source/test-names.ts';
import type { HiddenStatus, HiddenTest } from './hidden-test.ts';
import { twinOfTest } from './twin.ts';

const TIME_LIMIT_MS = 120_000;
export const HIDDEN_ROOM = 'hidden';

/** The case as hidden runs see it: nobody watches them. */
export function unwatched(judged: Case): Case {
  return { ...judged, observe: undefined, cache: undefined, whenNew: undefined, emit: undefined };
}

export function editsOf(tests: readonly HiddenTest[]): TreeEdit[] {
  return tests.map(({ file, code }) => ({ path: file, kind: 'write', content: code }));
}

export interface HiddenRun {
  tree: string;
  files: readonly string[];
  room: string;
  limitMs?: number;
}

export async function runHidden(quiet: Case, { tree, files, room, limitMs = TIME_LIMIT_MS }: HiddenRun): Promise<TestRun> {
  return await runSuite(quiet.platform, {
    ...quiet,
    timeoutMs: Math.min(quiet.timeoutMs ?? limitMs, limitMs),
    tree,
    files,
    room,
    variant: { forceExit: true },
    purpose: 'examiner',
    mixed: true,
  });
}

const ALONE_LIMIT_MS = 20_000;

/** One that never ends takes the results of all others with it: then each file runs alone. */
export async function runHiddenToTheEnd(quiet: Case, run: HiddenRun): Promise<TestRun> {
  const together = await runHidden(quiet, run);
  if (!together.timed_out || run.files.length < 2) return together;
  const alone: TestRun[] = [];
  for (const file of run.files) alone.push(await runHidden(quiet, { ...run, files: [file], limitMs: ALONE_LIMIT_MS }));
  return { ...together, tests: alone.flatMap(({ tests }) => tests) };
}

/** The result that decides about a file; null: nothing that counts was reported. */
export function resultOf(run: TestRun, file: string): TestResult | null {
  const tests = run.tests.filter((test) => test.file === file);
  return tests.find((test) => test.name === WHOLE_FILE) ?? tests.find(isFailure) ?? tests.find((test) => test.status === 'passed') ?? null;
}

export function statusOf(result: TestResult | null): HiddenStatus {
  if (result === null || result.name === WHOLE_FILE || result.failure === 'import') return 'unloaded';
  return result.status === 'passed' ? 'passed' : 'failed';
}

/** Files whose failure on the candidate did not repeat. */
export async function unsteadyFiles(quiet: Case, tree: string, failing: readonly TestResult[]): Promise<string[]> {
  const ids = failing.map(({ id }) => id);
  if (ids.length === 0) return [];
  const { flaky } = await repeatFailures({
    failed: ids,
    onCandidate: (files) => runHidden(quiet, { tree, files: files ?? failing.map(({ file }) => file), room: HIDDEN_ROOM }),
    onBase: null,
    isOnBase: () => false,
  });
  return failing.filter(({ id }) => flaky.includes(id)).map(({ file }) => file);
}

const KINDS: readonly [Wrongness['kind'], Partial<Wrongness>][] = [
  ['one', { offset: 1 }],
  ['other', {}],
  ['back', {}],
  ['idle', {}],
  ['inside', {}],
];

/** Of these files, those of which a test fails where the change returns wrong values; null: nothing could be mutated. */
export async function filesNoticingMutation(quiet: Case, green: readonly TestResult[], isOfTests: TestSide): Promise<Set<string> | null> {
  const noticing = new Set<string>();
  let applied = 0;
  for (const [kind, more] of KINDS) {
    const left = green.filter(({ file }) => !noticing.has(file));
    if (left.length === 0) break;
    const fallen = await fallenIn({ ...wrongnessOf(quiet.platform, kind), ...more }, quiet, {
      files: [...new Set(left.map(({ file }) => file))],
      wanted: left.map(({ id }) => id),
      isOfTests,
      duration: TIME_LIMIT_MS / 8,
      room: HIDDEN_ROOM,
    });
    if (fallen === null) continue;
    applied += 1;
    for (const { id, file } of left) if (fallen.includes(id)) noticing.add(file);
  }
  return applied === 0 ? null : noticing;
}

interface TwinFile {
  test: HiddenTest;
  edit: TreeEdit & { path: string };
  titles: readonly string[] | null;
}

/** Twins of the tests, each in a file of its own. */
export async function twinFiles({ platform }: Case, tests: readonly HiddenTest[]): Promise<TwinFile[]> {
  const readings = await readSources(
    platform,
    tests.map(({ file, code }) => ({ path: file, text: code })),
  );
  const draw = (): number => Number.parseInt(platform.random.id(4), 16);
  return tests.flatMap((test, at) => {
    const reading = readings[at] ?? null;
    const letter = String.fromCodePoint(97 + (draw() % 26));
    const twin = reading === null ? null : twinOfTest(test.code, reading, { offset: 3 + (draw() % 90), letter });
    if (twin === null) return [];
    return [{ test, titles: twin.titles, edit: { path: twinOf(test.file, platform.random.id(3)), kind: 'write', content: twin.text } }];
  });
}

/** Twins of which a test passes although it expects other values. */
export function passingTwins(run: TestRun, twins: readonly TwinFile[]): TwinFile[] {
  return twins.filter(({ edit, titles }) => {
    const own = run.tests.filter((test) => test.file === edit.path);
    const changed = titles === null ? own : own.filter((test) => titles.some((title) => isNamed(test.name, title)));
    return changed.length > 0 && changed.every((test) => test.status === 'passed');
  });
}
