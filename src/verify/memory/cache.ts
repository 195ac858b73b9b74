/**
 * Results by the hash of all their inputs.
 *
 * 1. The tree's hash covers sources, tests, protected files and the lockfile; the rest of the key is how it was run.
 * 2. Only passing, complete runs are kept: a failure is always seen again. What is run on the base to compare with is kept with its failures:
 *    it is asked for the same tree again and again, and only ever excuses.
 * 3. An entry that cannot be read is as good as none.
 * 4. There are never many more entries than `most`: the ones that were written first go.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from '../../domain/zod.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { ResultCache, SuiteInput } from '../contract.ts';
import { findPython } from '../run/programs.ts';
import { environmentMarks } from '../run/python-environments.ts';
import { installedPython } from '../run/python-of-tree.ts';
import { RUNNER_NAMES, RUNNERS } from '../runners/registry.ts';

const CACHE_VERSION = 2;

const StoredTestSchema = z.object({
  id: z.string(),
  file: z.string(),
  name: z.string(),
  status: z.enum(['passed', 'skipped', 'todo', 'xfail', 'retried']),
  duration_ms: z.number().optional(),
  message: z.string().optional(),
});

const StoredRunSchema = z.object({
  runner: z.enum(RUNNER_NAMES),
  command: z.array(z.string()),
  files: z.array(z.string()),
  exit_code: z.literal(0),
  timed_out: z.literal(false),
  consistent: z.literal(true),
  problems: z.array(z.string()).length(0),
  tests: z.array(StoredTestSchema).min(1),
  duration_ms: z.number(),
  sandboxed: z.boolean(),
  output_tail: z.string(),
  written: z.array(z.string()).optional(),
  replaced: z.array(z.object({ what: z.string(), by: z.string() })).optional(),
  unreached: z.array(z.string()).optional(),
});

const ComparedRunSchema = StoredRunSchema.extend({
  exit_code: z.number().int(),
  tests: z.array(StoredTestSchema.extend({ status: z.enum(['passed', 'failed', 'skipped', 'todo', 'xfail', 'retried', 'error']) })).min(1),
});

const enveloped = <Run extends z.ZodType>(run: Run) => z.object({ cache_version: z.literal(CACHE_VERSION), key: z.string(), run });

const COMPARED = 'base-';

/** One JSON file for each result in a directory of the harness's own. */
export function fileCache(platform: Platform, directory: string, most = MOST_RESULTS): ResultCache {
  const pathOf = (key: string): string => join(directory, `${key}.json`);
  return {
    get: async (key) => {
      const text = await platform.files.readTextIfExists(pathOf(key)).catch(() => null);
      return text === null ? null : readStored(text, key);
    },
    put: async (key, run) => {
      await platform.files.mkdir(directory);
      await platform.files.writeAtomic(pathOf(key), JSON.stringify({ cache_version: CACHE_VERSION, key, run }));
      await dropOldest(platform, directory, most);
    },
  };
}

const MOST_RESULTS = 2_000;

/** A quarter more than is wanted at once, so that it happens seldom. */
async function dropOldest(platform: Platform, directory: string, most: number): Promise<void> {
  if ((await platform.files.list(directory)).length <= most) return;
  const entries = (await platform.files.listStats(directory)).filter(({ name }) => /^[0-9a-f]+\.json$/.test(name));
  const byAge = entries.toSorted((one, other) => Number((one.stat?.mtimeNs ?? 0n) - (other.stat?.mtimeNs ?? 0n)));
  for (const { name } of byAge.slice(0, Math.max(0, entries.length - Math.floor((most * 3) / 4))))
    await platform.files.remove(join(directory, name));
}

export async function cacheKey(platform: Platform, input: SuiteInput, files: readonly string[] | null): Promise<string> {
  const { testing, verification, sandbox, environment } = input.settings;
  const sandboxed = (await chosenSandbox(platform, sandbox.mode)).hides;
  const python =
    testing.full.includes('py') || (testing.report !== 'auto' && RUNNERS[testing.report].interpreter === 'python')
      ? await findPython(platform)
      : null;
  const { compared = false, variant = null, fresh = false } = input;
  const parts = [
    CACHE_VERSION,
    ...(compared ? [{ variant, fresh }] : variant?.alone === true ? ['alone'] : []),
    input.tree,
    files,
    input.mixed === true,
    input.watch === true,
    testing,
    verification.network,
    sandboxed,
    process.version,
    process.platform,
    process.arch,
    python,
    ...(await marksOf(platform, input)),
    platform.env['PATH'],
    platform.env['LANG'],
    platform.env['LC_ALL'],
    platform.env['TZ'],
    ...(environment?.health_check ? [environment.init, environment.health_check] : []),
  ];
  return `${compared ? COMPARED : ''}${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`;
}

/** The environment that the tests run in, by what is installed in it. */
async function marksOf(platform: Platform, input: SuiteInput): Promise<string[]> {
  const environment = (await installedPython(platform, input, input.tree))?.environment ?? null;
  return environment === null ? [] : await environmentMarks(platform, environment);
}

export function isWorthKeeping(run: TestRun, { compared }: Pick<SuiteInput, 'compared'> = {}): boolean {
  if (compared === true) return run.consistent && !run.timed_out && run.problems.length === 0 && run.tests.length > 0;
  return run.consistent && run.exit_code === 0 && run.tests.length > 0 && !run.tests.some(isFailure);
}

function readStored(text: string, key: string): TestRun | null {
  try {
    const stored = enveloped(key.startsWith(COMPARED) ? ComparedRunSchema : StoredRunSchema).safeParse(JSON.parse(text));
    return stored.success && stored.data.key === key ? stored.data.run : null;
  } catch {
    return null;
  }
}
