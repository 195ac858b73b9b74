/**
 * The ground a corpus is run on: for each runner one real repository, from which agents get copies and the judge gets rooms.
 *
 * 1. Trees of different behaviours live side by side in one object store; each lane has a copy and rooms of its own.
 * 2. Dependencies are this package's own: a directory of links to its runners, as an install by the harness would give.
 * 3. A baseline is run once for each tree.
 */
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Baseline } from '../../src/domain/session.ts';
import type { CleanRooms } from '../../src/domain/tree.ts';
import { git } from '../../src/platform/git.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { fileCache } from '../../src/verify/memory/cache.ts';
import { passingIds } from '../../src/verify/memory/baseline.ts';
import type { JudgeSettings, RunContext } from '../../src/verify/contract.ts';
import { findPython } from '../../src/verify/run/programs.ts';
import { runSuite } from '../../src/verify/run/suite.ts';
import { pinTree } from '../../src/workspace/capture.ts';
import { createCleanRooms } from '../../src/workspace/clean-room.ts';
import { openHome, type Home } from '../../src/workspace/home.ts';
import { sandboxView } from '../../src/workspace/sandbox-policy.ts';
import { createTreeStore, type HomeTreeStore } from '../../src/workspace/tree-store.ts';
import type { Edit, Files, SettingsPatch } from './behaviour.ts';
import { ALL_RUNNERS, CORPUS_RUNNERS, withoutInterpreter, type RunnerKey } from './runners.ts';
import { createDialect, type Dialect, type Places } from './dialect.ts';
import { baseFiles } from './project.ts';

export interface Ground {
  platform: Platform;
  folder: string;
  fields: Record<RunnerKey, Field>;
  /** Runners that cannot be started here. */
  missing: RunnerKey[];
  dialect(runner: RunnerKey, seed: number): Dialect;
  dispose(): Promise<void>;
}

/** One runner's repository. */
export interface Field {
  home: Home;
  trees: HomeTreeStore;
  harnessHome: string;
  context(lane: number, settings: JudgeSettings): RunContext;
  commitOf(tree: string): Promise<string>;
  treeOf(files: Files): Promise<string>;
  baselineOf(tree: string, lane: number, settings: JudgeSettings): Promise<Baseline>;
}

/** `packageRoot`: where this package's `node_modules` lies. */
export async function createGround(packageRoot: string): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-corpus-'));
  const platform = nodePlatform({ PATH: process.env['PATH'], HOME: join(folder, 'user'), LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' });
  await mkdir(join(folder, 'user'));
  const server = await serveAnswers();
  const places: Places = { home: '', harnessHome: '', port: (server.address() as AddressInfo).port };
  const fields: Partial<Record<RunnerKey, Field>> = {};
  for (const runner of ALL_RUNNERS) fields[runner] = await createField(platform, folder, runner, packageRoot, places);
  const missing = withoutInterpreter(await findPython(platform));
  return {
    platform,
    folder,
    fields: fields as Record<RunnerKey, Field>,
    missing,
    dialect: (runner, seed) =>
      createDialect(runner, seed, { ...places, home: fields[runner]!.home.root, harnessHome: fields[runner]!.harnessHome }),
    dispose: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function createField(platform: Platform, folder: string, runner: RunnerKey, packageRoot: string, places: Places): Promise<Field> {
  const own = join(folder, runner.replace(':', '-'));
  const root = join(own, 'project');
  const harnessHome = join(own, 'harness-home');
  await mkdir(join(harnessHome, 'scratch'), { recursive: true });
  await mkdir(root);
  await git(platform, ['init', '-q', '-b', 'main', root], { cwd: own });
  await writeFiles(root, baseFiles(createDialect(runner, 0, places)));
  const commit = (message: string) =>
    git(platform, ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', message], { cwd: root });
  await git(platform, ['add', '-A'], { cwd: root });
  await commit('Start');
  await plantAnswer(platform, root, createDialect(runner, 0, places), commit);
  const home = await openHome(platform, root);
  const trees = createTreeStore(platform, home);
  const dependencies = CORPUS_RUNNERS[runner].needsPackages ? await linkRunners(own, packageRoot) : null;
  const rooms = new Map<number, CleanRooms>();
  const baselines = new Map<string, Promise<Baseline>>();
  const roomsOf = (lane: number): CleanRooms => {
    const known =
      rooms.get(lane) ?? withDependencies(createCleanRooms(platform, { home, harnessHome, lane: `lane-${lane}` }), dependencies);
    rooms.set(lane, known);
    return known;
  };
  const context: Field['context'] = (lane, settings) => ({
    settings,
    trees,
    rooms: roomsOf(lane),
    scratch: join(harnessHome, 'scratch'),
    view: sandboxView(platform, { home, stateDir: join(root, '.harness'), harnessHome, config: { sandbox: { allow: [] } } }),
    cache: fileCache(platform, join(harnessHome, 'cache', 'results')),
    timeoutMs: 60_000,
  });
  return {
    home,
    trees,
    harnessHome,
    context,
    commitOf: (tree) => pinTree(platform, home, { tree, parent: home.head, ref: `refs/harness/corpus/${tree}`, message: 'Base' }),
    treeOf: async (files) =>
      trees.compose(
        await trees.emptyTree(),
        Object.entries(files).flatMap(([path, edit]) => (edit === null ? [] : [{ path, kind: 'write' as const, ...contentOf(edit) }])),
      ),
    baselineOf: (tree, lane, settings) => {
      const key = `${tree} ${settings.testing.full} ${settings.testing.report}`;
      const known = baselines.get(key) ?? captureBaseline(platform, { ...context(lane, settings), tree });
      baselines.set(key, known);
      return known;
    },
  };
}

/** The solution on a branch of home: what a look into home's repository would give. */
async function plantAnswer(platform: Platform, root: string, t: Dialect, commit: (message: string) => Promise<Buffer>): Promise<void> {
  await git(platform, ['checkout', '-q', '-b', 'solution'], { cwd: root });
  await writeFiles(root, t.work);
  await git(platform, ['add', '-A'], { cwd: root });
  await commit('Solve it');
  await git(platform, ['checkout', '-q', 'main'], { cwd: root });
}

async function captureBaseline(platform: Platform, input: RunContext & { tree: string }): Promise<Baseline> {
  const run = await runSuite(platform, { ...input, room: 'baseline' });
  const passing = passingIds(run.tests);
  const stamp = { schema_version: 1, harness_version: '0', session: 1, timestamp: '', commit: '' };
  return {
    ...stamp,
    tree: input.tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: run.tests.length,
  };
}

async function linkRunners(folder: string, packageRoot: string): Promise<string> {
  const installed = await realpath(join(packageRoot, 'node_modules'));
  // Test runs have a /tmp of their own: links that lead there would lead nowhere.
  if (installed.startsWith('/tmp/')) return installed;
  const modules = join(folder, 'installed', 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  for (const name of await readdir(installed)) {
    if (['vitest', 'vite', 'jest', '@jest', 'babel-jest', 'mocha', 'tape', 'zod'].includes(name))
      await symlink(join(installed, name), join(modules, name));
  }
  return modules;
}

function withDependencies(rooms: CleanRooms, dependencies: string | null): CleanRooms {
  return { prepare: async (tree, options) => ({ ...(await rooms.prepare(tree, options)), dependencies }) };
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, edit] of Object.entries(files)) {
    const target = join(root, path);
    await rm(target, { recursive: true, force: true });
    if (edit === null) continue;
    await mkdir(dirname(target), { recursive: true });
    if (typeof edit === 'object' && 'link' in edit) await symlink(edit.link, target);
    else await writeFile(target, contentOf(edit).content);
    if (typeof edit === 'object' && 'run' in edit) await chmod(target, 0o755);
  }
}

function contentOf(edit: Exclude<Edit, null>): { content: string | Uint8Array; mode?: '100755' } {
  if (typeof edit === 'string' || edit instanceof Uint8Array) return { content: edit };
  if ('run' in edit) return { content: edit.run, mode: '100755' };
  throw new Error('a base holds no links');
}

/** Anything that asks gets something; a sandboxed run must not be able to ask. */
async function serveAnswers(): Promise<Server> {
  const server = createServer((request, response) => response.end(decodeURIComponent((request.url ?? '/').slice(1))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return server;
}

export function settingsFor(runner: RunnerKey, patch: SettingsPatch = {}): JudgeSettings {
  return {
    testing: { full: CORPUS_RUNNERS[runner].full, feature: null, report: 'auto', ...patch.testing },
    verification: {
      require_evidence: true,
      harness_verify: true,
      regression_check: true,
      max_features_per_session: 1,
      red_check: true,
      flaky_reruns: 1,
      protected: [],
      network: 'loopback',
      ...patch.verification,
    },
    quality: { lint_command: null, max_file_lines: 500, warn_on_lint_errors: true, ...patch.quality },
    sandbox: { mode: 'auto', ...patch.sandbox },
    paths: { features: 'features.json', progress: 'claude-progress.txt', state_dir: '.harness', ...patch.paths },
  };
}
