/** The test suite, or some of its files, over one tree. */
import { pathsOf } from '../../domain/tree-index.ts';
import type { Room } from '../../domain/tree.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { cacheKey, isWorthKeeping } from '../memory/cache.ts';
import type { RunContext, SuiteInput } from '../contract.ts';
import type { RunVariant } from '../runners/runner.ts';
import { executeTests } from './execute.ts';
import { inTurn } from './room-turns.ts';
import { commandSources, type CommandSources } from './command-sources.ts';
import { chooseCommand, chooseFileCommand, type TestCommand } from './test-command.ts';
import { mustHave } from '../../domain/must-have.ts';

/**
 * Runs on exactly the given tree. The result is a value, whatever happened: `consistent` false and `problems` say what cannot be
 * believed; no tests at all is a consistent, empty run.
 */
export async function runSuite(platform: Platform, input: SuiteInput): Promise<TestRun> {
  const files = input.files ?? null;
  const isKept = isPlain(input.variant) || input.compared === true;
  const cache = isKept ? input.cache : undefined;
  const key = cache === undefined ? null : await cacheKey(platform, input, files);
  const known = key === null ? null : await cache?.get(key);
  const run = known ?? (await runInRoom(platform, input, files));
  input.signal?.throwIfAborted();
  if (cache !== undefined && key !== null && known === null && (cache.keepsFailures === true || isWorthKeeping(run, input)))
    await cache.put(key, run);
  input.observe?.(input.purpose ?? 'suite', run);
  return run;
}

/** Tests see nothing of how it differs. */
function isPlain({ alone: _alone, ...others }: RunVariant = {}): boolean {
  return Object.keys(others).length === 0;
}

async function runInRoom(platform: Platform, input: SuiteInput, files: readonly string[] | null): Promise<TestRun> {
  const { testing } = input.settings;
  const sources = await commandSources(input.trees, input.tree, [testing.full, testing.feature]);
  const paths = pathsOf(await input.trees.list(input.tree));
  const name = input.room ?? 'judge';
  const use = async (): Promise<TestRun> => {
    const room = await input.rooms.prepare(input.tree, { name, ...(input.fresh === true ? { fresh: true } : {}) });
    input.isReady?.();
    return await runIn(platform, input, room, { files, sources, paths });
  };
  return input.fresh === true ? await use() : await inTurn(input.rooms, name, use);
}

async function runIn(
  platform: Platform,
  input: SuiteInput,
  room: Room,
  { files, sources, paths }: { files: readonly string[] | null; sources: CommandSources; paths: readonly string[] },
): Promise<TestRun> {
  const { testing } = input.settings;
  if (files === null)
    return executeTests(platform, input, room, {
      command: chooseCommand(testing.full, testing.report, sources),
      files: null,
      paths,
      variant: input.variant,
      mixed: input.mixed,
      isWrong: input.isWrong,
      watch: input.watch,
    });
  const runs: TestRun[] = [];
  for (const { command, group } of groupFiles(input, sources, files, input.variant?.neutral !== undefined))
    runs.push(
      await executeTests(platform, input, room, {
        command,
        files: group,
        paths,
        variant: input.variant,
        mixed: input.mixed,
        isWrong: input.isWrong,
        watch: input.watch,
      }),
    );
  return mergeRuns(runs, files);
}

/** A command with a placeholder runs one file at a time; a known runner takes all at once; an opaque suite runs whole. */
function groupFiles(
  context: RunContext,
  sources: CommandSources,
  files: readonly string[],
  neutral: boolean,
): { command: TestCommand; group: readonly string[] | null }[] {
  const { testing } = context.settings;
  if (testing.feature !== null)
    return files.map((file) => ({
      command: mustHave(chooseFileCommand(testing, sources, file), 'the setting for one file names a command'),
      group: [file],
    }));
  const command = chooseFileCommand(testing, sources, files[0] ?? '');
  if (neutral && command?.runner.single?.neutralOneByOne === true) return files.map((file) => ({ command, group: [file] }));
  return command === null ? [{ command: chooseCommand(testing.full, testing.report, sources), group: null }] : [{ command, group: files }];
}

/** Several runs as if they were one. */
export function mergeRuns(runs: readonly TestRun[], files: readonly string[]): TestRun {
  const [first, ...rest] = runs;
  if (first === undefined) throw new Error('runSuite was given an empty list of files');
  return rest.reduce<TestRun>(
    (all, run) => ({
      ...all,
      exit_code: all.exit_code === 0 ? run.exit_code : all.exit_code,
      timed_out: all.timed_out || run.timed_out,
      consistent: all.consistent && run.consistent,
      problems: [...all.problems, ...run.problems],
      tests: [...all.tests, ...run.tests],
      duration_ms: all.duration_ms + run.duration_ms,
      sandboxed: all.sandboxed && run.sandboxed,
      output_tail: run.output_tail,
      ...(all.unreached === undefined && run.unreached === undefined
        ? {}
        : { unreached: [...new Set([...(all.unreached ?? []), ...(run.unreached ?? [])])] }),
      written: [...new Set([...(all.written ?? []), ...(run.written ?? [])])],
      ...(all.replaced === undefined && run.replaced === undefined ? {} : { replaced: [...(all.replaced ?? []), ...(run.replaced ?? [])] }),
    }),
    { ...first, files: [...files] },
  );
}
