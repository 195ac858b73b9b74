/**
 * Whether verification holds in this project's own test set-up: found out once for each set-up, before anything runs unattended.
 *
 * 1. A good result is kept under `$HARNESS_HOME/cache/self-check/` by the hash of the set-up; a bad one is always found out anew.
 * 2. `.harness/self_check.json` is what the last unattended run went by, and whether a person took the risk for exactly this set-up.
 * 3. Only a person lets an unattended run begin where a planted cheat passes: the question is non-negotiable.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { testFilesOf } from '../../domain/test-files.ts';
import type { RunnerName } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow } from '../../platform/platform.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import { withoutSanity } from '../../verify/checks/check-sanity.ts';
import { fileOf } from '../../verify/memory/baseline.ts';
import { CHEAT_FAMILIES } from '../../domain/cheat-family.ts';
import { RUNNER_NAMES } from '../../verify/runners/registry.ts';
import { runSelfCheck, type SelfCheck } from '../../verify/self-check/self-check.ts';
import { setUpHash } from '../../verify/self-check/set-up-hash.ts';
import { chooseCommand, scriptsOf } from '../../verify/run/test-command.ts';
import { createCleanRooms } from '../../workspace/clean-room.ts';
import { projectKey } from '../../workspace/paths.ts';
import { runContext } from '../../kernel/flight/run-context.ts';
import type { LoadedList, Project } from './project.ts';
import { readBaseline } from '../../kernel/flight/memory-files.ts';

const SELF_CHECK_FILE = 'self_check.json';
const LANES = 2;
const MOST_TEXTS = 5;

const StoredSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  key: z.string(),
  runner: z.enum(RUNNER_NAMES),
  state: z.enum(['sound', 'unsound', 'basic', 'not_ready']),
  /** Families whose cheat was accepted, and those of which some can get through with such a runner. */
  passing: z.array(z.enum(CHEAT_FAMILIES)),
  unheld: z.array(z.enum(CHEAT_FAMILIES)),
  detail: z.string(),
  checked_at: z.string(),
  duration_ms: z.number(),
  /** Who took the risk, and when. */
  accepted: z.object({ by: z.string(), at: z.string() }).nullable(),
});
export type StoredCheck = z.infer<typeof StoredSchema>;

/** What is known for this set-up: what a person accepted first, then a good result of this machine, then the last one of the project. */
export async function knownSelfCheck(project: Project, key: string): Promise<StoredCheck | null> {
  const own = await readStored(project, join(project.stateDir, SELF_CHECK_FILE));
  if (own?.key === key && (own.accepted !== null || own.state === 'sound')) return own;
  const elsewhere = await readStored(project, cachePath(project, key));
  if (elsewhere?.key === key) return elsewhere;
  return own?.key === key ? own : null;
}

/** A damaged note is as good as none. */
async function readStored(project: Pick<Project, 'platform'>, path: string): Promise<StoredCheck | null> {
  return await readDocument(project.platform, path, StoredSchema, { setAside: false }).catch(() => null);
}

function cachePath(project: Pick<Project, 'harnessHome'>, key: string): string {
  return join(project.harnessHome, 'cache', 'self-check', `${key}.json`);
}

export async function writeSelfCheck(project: Project, stored: StoredCheck): Promise<void> {
  await writeDocument(project.platform, join(project.stateDir, SELF_CHECK_FILE), stored);
}

/** The next unattended run finds out anew. */
export async function forgetSelfCheck(project: Project): Promise<void> {
  await project.platform.files.remove(join(project.stateDir, SELF_CHECK_FILE));
}

export async function selfCheckKey(project: Project, tree: string): Promise<string> {
  return await setUpHash(project.platform, { settings: project.config, trees: project.trees, tree, runner: await runnerOf(project, tree) });
}

export async function performSelfCheck(
  project: Project,
  trusted: { loaded: LoadedList; tree: string },
  options: { signal: AbortSignal },
): Promise<{ check: SelfCheck; stored: StoredCheck }> {
  const { platform } = project;
  const { tree } = trusted;
  const key = await selfCheckKey(project, tree);
  const context = runContext(project, { noCache: true, signal: options.signal });
  const check = await withLanes(project, async (lanes) =>
    runSelfCheck(platform, {
      ...context,
      settings: { ...context.settings, testing: withoutSanity(context.settings.testing) },
      lanes,
      tree,
      runner: await runnerOf(project, tree),
      facts: await factsOf(project, trusted),
    }),
  );
  const stored = toStored(project, key, check);
  if (check.state === 'sound' || check.state === 'basic') {
    await platform.files.mkdir(join(project.harnessHome, 'cache', 'self-check'));
    await writeDocument(platform, cachePath(project, key), stored);
  }
  return { check, stored };
}

function toStored(project: Project, key: string, check: SelfCheck): StoredCheck {
  return {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    key,
    runner: check.runner,
    state: check.state,
    passing: check.results.flatMap((result) => (result.family === null || result.right ? [] : [result.family])),
    unheld: check.unheld,
    detail: check.detail,
    checked_at: isoNow(project.platform.clock),
    duration_ms: check.duration_ms,
    accepted: null,
  };
}

async function runnerOf(project: Project, tree: string): Promise<RunnerName> {
  const scripts = scriptsOf((await project.trees.read(tree, 'package.json'))?.toString('utf8') ?? null);
  return chooseCommand(project.config.testing.full, project.config.testing.report, scripts).runner.name;
}

async function factsOf(project: Project, { loaded, tree }: { loaded: LoadedList; tree: string }) {
  const paths = (await project.trees.list(tree)).map((entry) => entry.path);
  const present = new Set(paths);
  const baseline = await readBaseline(project, { writer: false });
  const files = [...new Set((baseline?.passing_tests ?? []).map(fileOf))].filter((path) => present.has(path));
  const passing = files.map(async (path, at) => ({
    path,
    text: at < MOST_TEXTS ? ((await project.trees.read(tree, path))?.toString('utf8') ?? null) : null,
  }));
  return {
    paths,
    manifest: (await project.trees.read(tree, 'package.json'))?.toString('utf8') ?? null,
    passing: await Promise.all(passing),
    named: loaded.list.features.flatMap(testFilesOf),
    featuresPath: project.config.paths.features,
  };
}

/** Rooms of its own: a session may be judged at the same time, and the cases side by side. */
async function withLanes<Result>(
  project: Project,
  work: (lanes: ReturnType<typeof createCleanRooms>[]) => Promise<Result>,
): Promise<Result> {
  const names = Array.from({ length: LANES }, () => `self-check-${project.platform.random.id(6)}`);
  const lanes = names.map((lane) => createCleanRooms(project.platform, { home: project.home, harnessHome: project.harnessHome, lane }));
  try {
    return await work(lanes);
  } finally {
    for (const name of names) await project.platform.files.remove(join(project.harnessHome, 'rooms', projectKey(project.home.root), name));
  }
}
