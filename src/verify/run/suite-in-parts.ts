/**
 * The suite of a candidate in two runs that together are one: what was there without any new test file beside it, then the new ones.
 *
 * 1. A new test cannot mend for a moment what the session broke: old tests pass without it or not at all.
 * 2. Where all files share one process, or settings let them follow each other in one place, new tests can also disturb old ones: there everything
 *    runs together as well.
 * 3. The two run side by side, in rooms of their own, where each has a network of its own. One that wrote no report so is made again by itself.
 *    `whenNew` hears of the new ones as soon as they are done.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { posix } from 'node:path';
import type { TreeEdit } from '../../domain/tree.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import type { OpenCase } from '../case.ts';
import type { JudgeInput } from '../contract.ts';
import { mergeRuns, runSuite } from './suite.ts';
import { commandSources } from './command-sources.ts';
import { chooseCommand } from './test-command.ts';

export interface SuiteParts {
  /** As if it were one. */
  suite: TestRun;
  /** Runs in which every test of the baseline has to pass, with the tree of each. */
  kept: { run: TestRun; tree: string }[];
  /** Files that the session brought tests in. */
  fresh: readonly string[];
  /** Files of the tree that are written only where the new tests run. */
  written: readonly string[];
}

const APART: ReadonlySet<string> = new Set(['node:test', 'vitest', 'jest', 'tape', 'node-tap', 'ava', 'uvu', 'bun']);

export async function runSuiteInParts(
  platform: Platform,
  { whenNew, ...input }: JudgeInput & { room?: string; whenNew?: (run: TestRun) => void },
  tree: string,
  fresh: readonly string[],
): Promise<SuiteParts> {
  const whole = { ...input, tree };
  if (fresh.length === 0) {
    const suite = await runSuite(platform, whole);
    return { suite, kept: [{ run: suite, tree }], fresh, written: [] };
  }
  const snapshots = await snapshotsOf(input, tree, fresh);
  const without = await input.trees.compose(
    tree,
    [...fresh, ...snapshots].map((path): TreeEdit => ({ path, kind: 'delete' })),
  );
  const isInParts = await isApart(input, tree);
  const isBeside = isInParts && (await haveNetworksOfTheirOwn({ ...input, platform }));
  let isReady = (): void => {};
  const ready = new Promise<void>((resolve) => (isReady = resolve));
  const oldOnes = (): Promise<TestRun> => runSuite(platform, { ...input, tree: without, watch: true, isReady });
  const newOnes = (room: { room?: string }): Promise<TestRun> =>
    runSuite(platform, { ...whole, ...room, files: fresh, purpose: 'new tests', watch: true });
  // In another room, and once this one is ready: what both need is then there.
  const beside = isBeside ? ready.then(() => newOnes({ room: 'base' })) : null;
  void beside?.then(whenNew, () => {});
  const [first, there] = await Promise.all([oldOnes().finally(isReady), beside]);
  const before = isBeside && saidNothing(first) ? await oldOnes() : first;
  const onlyIn = (run: TestRun): string[] =>
    (run.written ?? []).filter((path) => !fresh.includes(path) && !(before.written ?? []).includes(path));
  const kept = [{ run: before, tree: without }];
  if (isInParts) {
    const added = there === null || saidNothing(there) ? await newOnes({}) : there;
    return { suite: mergeRuns([before, added], []), kept, fresh, written: onlyIn(added) };
  }
  const suite = await runSuite(platform, { ...whole, watch: true });
  return { suite, kept: [...kept, { run: suite, tree }], fresh, written: onlyIn(suite) };
}

/** What new test files have stored: without them it is left over, and jest ends with an error for that. */
async function snapshotsOf({ trees, base }: JudgeInput, tree: string, fresh: readonly string[]): Promise<string[]> {
  const before = pathSetOf(await trees.list(base.tree));
  const wanted = new Set(fresh.map((path) => posix.join(posix.dirname(path), '__snapshots__', `${posix.basename(path)}.snap`)));
  return (await trees.list(tree)).map((entry) => entry.path).filter((path) => wanted.has(path) && !before.has(path));
}

/** A run that came to nothing by itself: beside another one, that says nothing yet. */
function saidNothing({ consistent, timed_out, tests }: TestRun): boolean {
  return !consistent && !timed_out && tests.length === 0;
}

/** Two runs side by side cannot be in each other's way. */
async function haveNetworksOfTheirOwn({ platform, settings }: OpenCase): Promise<boolean> {
  return settings.verification.network !== 'host' && (await chosenSandbox(platform, settings.sandbox.mode)).hides;
}

async function isApart({ settings, trees }: JudgeInput, tree: string): Promise<boolean> {
  const manifest = (await trees.read(tree, 'package.json'))?.toString('utf8') ?? null;
  const sources = await commandSources(trees, tree, [settings.testing.full]);
  const { runner, resolved } = chooseCommand(settings.testing.full, settings.testing.report, sources);
  if (!APART.has(runner.name)) return false;
  const configs = (await trees.list(tree)).map((entry) => entry.path).filter((path) => CONFIG.test(path));
  const texts = await Promise.all(configs.map(async (path) => (await trees.read(tree, path))?.toString('utf8') ?? ''));
  return ![settings.testing.full, resolved.words?.join(' ') ?? '', manifest ?? '', ...texts].some((text) => TOGETHER.test(text));
}

const CONFIG = /^(?:vitest|vite|jest)\.config\.[cm]?[jt]s(?:on)?$/;
/** One worker for all files, or one world in it. */
const TOGETHER =
  /--?runInBand\b|(?:^|\s)-i(?:\s|$)|--no-(?:isolate|file-parallelism)\b|\bisolat(?:e|ion)["']?\s*[:=]\s*["']?(?:false|none)\b|\bfileParallelism\s*:\s*false\b|\bsingle(?:Thread|Fork)["']?\s*:\s*true\b|(?:max-?workers|concurrency)["']?\s*[:=]\s*["']?1\b(?!\d)/i;
