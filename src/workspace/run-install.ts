/**
 * Runs a package manager for the harness, in a sandbox where the machine can make one. Nothing is run a second time outside it.
 *
 * 1. First without any script: the user's logins for registries are there. The manager is shown no file by which a project chooses what is
 *    started or where it goes.
 * 2. Scripts, where the user allows them, run in a second pass: without logins.
 * 3. Neither pass can write anything but the folder it installs into and folders that are thrown away.
 */
import { basename, dirname, join } from 'node:path';
import { loadUserSettings } from '../config/user-settings.ts';
import { firstErrorLine } from '../domain/first-error.ts';
import { WRITTEN_IN_PACKAGES } from '../domain/written-in-packages.ts';
import { isThere } from '../platform/at-once.ts';
import type { Platform } from '../platform/platform.ts';
import type { RunResult } from '../platform/processes.ts';
import { isThroughLink } from '../platform/contained-path.ts';
import { chosenSandbox, type SandboxSpec } from '../platform/sandbox.ts';
import { credentialPaths, CREDENTIAL_PATHS } from './credential-paths.ts';
import { hiddenOfHarness } from './harness-home.ts';
import type { InstallPlan } from './install-plan.ts';
import { checkSources, type Unsafe } from './installs/check-sources.ts';
import { cacheVariables, keepContents, layCaches } from './installs/install-caches.ts';
import { installEnvironment } from './installs/install-environment.ts';
import type { Wanted } from './installs/managers.ts';
import { managerProgram, type ManagerProgram } from './installs/manager-program.ts';
import { isInside } from './paths.ts';
import { CONTROL_PATHS } from './sandbox-policy.ts';
import { firstItem } from '../domain/items.ts';
import { copyTree } from './copy-tree.ts';
import { jsonOf, recordOf } from './installs/sources.ts';

export interface InstallPlace {
  /** Holds the package files; `node_modules` appears in it. */
  building: string;
  /** A folder beside it, for what is thrown away. */
  aside: string;
  harnessHome: string;
  /** Nothing that was fetched before is used. */
  fromNothing?: boolean;
}

export interface InstallFailure {
  /** What failed, in one line. */
  message: string;
  /** What to do; null: that depends. */
  remedy: string | null;
  /** Everything that was printed; null: nothing was started. */
  output: string | null;
  kind: Unsafe['kind'] | 'manager' | 'install';
  /** Addresses that the user can say yes to. */
  asked: string[];
}

const NOTHING = { remedy: null, output: null };
const INSTALL_TIMEOUT_MS = 15 * 60_000;
const MOST_OUTPUT = 8 * 1024 * 1024;

/** Null: it is installed. */
export async function runInstall(platform: Platform, plan: InstallPlan, place: InstallPlace): Promise<InstallFailure | null> {
  const started = await startManager(platform, plan, place);
  if ('failure' in started) return started.failure;
  const failure = (await started.check(plan)) ?? (await started.run(plan.quiet, 'quiet'));
  if (failure !== null) return failure;
  await keepContents(platform, plan, join(place.aside, 'caches'), contentStore(place));
  if (plan.scripts) {
    await platform.files.remove(join(place.building, 'node_modules'));
    const loud = await started.run(plan.loud, 'loud');
    if (loud !== null) return loud;
  }
  await keepManager(platform, started.program, place.building);
  await leaveEmptyFiles(platform, join(place.building, 'node_modules'));
  if (started.program.note !== null) await writeOver(platform, join(place.building, MANAGER_NOTE), started.program.note);
  return null;
}

/** Packages and their scripts can leave a link under the same name, and this is no longer in the sandbox. */
async function writeOver({ files }: Platform, path: string, text: string): Promise<void> {
  await files.remove(path);
  await files.writeNew(path, Buffer.from(text), 0o644);
}

/** Beside what was installed: in which respect the manager is not the one that the project pins. */
const MANAGER_NOTE = 'manager-note';

export async function noteIn(platform: Platform, folder: string): Promise<{ note?: string }> {
  const note = await platform.files.readTextIfExists(join(folder, MANAGER_NOTE));
  return note === null ? {} : { note };
}

async function leaveEmptyFiles(platform: Platform, modules: string): Promise<void> {
  for (const path of WRITTEN_IN_PACKAGES) {
    const folder = await platform.files.realpath(dirname(join(modules, path))).catch(() => null);
    if (folder !== null && isInside(modules, folder)) await writeOver(platform, join(folder, basename(path)), '');
  }
}

export interface StartedManager {
  program: ManagerProgram;
  /** Whether it may go where the project sends it. */
  check(plan: Wanted & Pick<InstallPlan, 'registries'>): Promise<InstallFailure | null>;
  run(args: readonly string[], pass: 'quiet' | 'loud'): Promise<InstallFailure | null>;
}

export async function startManager(
  platform: Platform,
  plan: Wanted,
  place: InstallPlace,
): Promise<StartedManager | { failure: InstallFailure }> {
  const user = await loadUserSettings(platform);
  const { hides } = await chosenSandbox(platform, user.sandbox?.mode ?? 'auto');
  const [caches, neutral] = [join(place.aside, 'caches'), join(place.aside, 'neutral')];
  for (const folder of [neutral, join(place.aside, 'tmp')]) await platform.files.mkdir(folder);
  const managers = join(place.harnessHome, 'cache', 'managers');
  if (place.fromNothing !== true) await layCaches(platform, plan, caches, contentStore(place));
  const fetching = hides ? installSandbox(platform, place, { pass: 'quiet', writable: [managers] }) : null;
  if (hides) await platform.files.mkdir(managers);
  const program = await managerProgram(platform, plan, { managers, neutral, sandbox: fetching });
  if (typeof program === 'string') return { failure: { ...NOTHING, asked: [], kind: 'manager', message: program } };
  return {
    program,
    check: async (whole) => {
      const sandbox = hides ? installSandbox(platform, place, { pass: 'quiet', writable: [] }) : null;
      const unsafe = await checkSources(platform, whole, { program, neutral, sandbox, allowed: user.dependencies?.sources ?? [] });
      return unsafe === null ? null : { ...NOTHING, ...unsafe };
    },
    run: async (args, pass) => {
      const sandbox = hides ? installSandbox(platform, place, { pass, writable: [] }) : null;
      const env = {
        ...environment(platform, plan, caches, program),
        TMPDIR: join(place.aside, 'tmp'),
        ...(pass === 'loud' ? { YARN_ENABLE_SCRIPTS: '1' } : {}),
      };
      const run = await platform.processes
        .run({
          file: program.file,
          args: [...program.before, ...args],
          cwd: place.building,
          env,
          sandbox,
          timeoutMs: INSTALL_TIMEOUT_MS,
          maxOutputBytes: MOST_OUTPUT,
        })
        .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      return whyFailed(`${plan.manager} ${firstItem(args)}`, run);
    },
  };
}

function contentStore({ harnessHome }: InstallPlace): string {
  return join(harnessHome, 'cache', 'packages');
}

function environment(platform: Platform, plan: Wanted, caches: string, program: ManagerProgram): Record<string, string> {
  const quiet = { YARN_ENABLE_SCRIPTS: '0', npm_config_prefer_offline: plan.manager === 'npm' ? 'true' : 'false' };
  return { ...installEnvironment(platform, plan.manager), ...cacheVariables(plan, caches), ...quiet, ...program.env };
}

/** Of the harness's own folder, only what this install needs. */
function installSandbox(
  platform: Platform,
  place: InstallPlace,
  { pass, writable }: { pass: 'quiet' | 'loud'; writable: readonly string[] },
): SandboxSpec {
  const home = platform.env['HOME'];
  const logins = [...CREDENTIAL_PATHS['package managers and registries'], '.netrc', '.git-credentials', '.config/git/credentials'];
  const needed = pass === 'quiet' && home !== undefined ? logins.map((path) => join(home, path)) : [];
  const hidden = [...credentialPaths(platform.env), ...CONTROL_PATHS].filter((path) => !needed.includes(path));
  const shared = ['managers', 'packages'].map((name) => join(place.harnessHome, 'cache', name));
  return {
    writable: [place.building, place.aside, ...writable],
    readOnlyAt: shared.filter((path) => !writable.includes(path) && isThere(path)).map((path) => [path, path]),
    hidden: [...hidden, ...hiddenOfHarness(platform, place.harnessHome)],
    shown: home === undefined ? [] : [home],
    programs: (platform.env['PATH'] ?? '').split(':').filter((path) => path.startsWith('/')),
    network: 'host',
  };
}

function whyFailed(command: string, run: RunResult | string): InstallFailure | null {
  if (typeof run === 'string') return { ...NOTHING, asked: [], kind: 'install', message: `${command} could not be started: ${run}` };
  if (run.code === 0) return null;
  const [stdout, stderr] = [run.stdout.toString('utf8'), run.stderr.toString('utf8')];
  const what = run.timedOut
    ? 'it took longer than 15 minutes'
    : firstErrorLine(stderr, stdout) || `it ended with status ${run.code ?? run.signal}`;
  return { ...NOTHING, asked: [], kind: 'install', message: `${command} failed: ${what}`, output: `${stdout}\n${stderr}` };
}

/**
 * A manager that the harness fetched, beside the packages that it installed.
 *
 * Scripts call it by name (`pnpm lint && vitest run`), in rooms and in agents' copies, where nothing could fetch it. As a copy it needs no path
 * outside of the packages.
 */
const FOLDER = '.manager';

/** Where the project brings a program of that name, that one stays. */
async function keepManager(platform: Platform, { folder }: Pick<ManagerProgram, 'folder'>, building: string): Promise<void> {
  if (folder === null || (await isThroughLink(platform, building, 'node_modules/.bin'))) return;
  const { files } = platform;
  const modules = join(building, 'node_modules');
  await files.mkdir(join(modules, '.bin'));
  await files.remove(join(modules, FOLDER));
  await copyTree(platform, folder, join(modules, FOLDER));
  for (const [name, path] of Object.entries(await programsOf(platform, folder))) {
    const link = join(modules, '.bin', name);
    const isTaken = (await files.lstat(link).catch(() => null)) !== null;
    if (typeof path !== 'string' || isTaken || !(await files.exists(join(modules, FOLDER, path)))) continue;
    await files.chmod(join(modules, FOLDER, path), 0o755);
    await files.symlink(join('..', FOLDER, path), link);
  }
}

/** As the package says it, or corepack for a manager that is a single file. */
async function programsOf({ files }: Platform, folder: string): Promise<Record<string, unknown>> {
  const read = async (name: string) => recordOf(jsonOf((await files.readTextIfExists(join(folder, name))) ?? '{}')['bin']);
  return { ...(await read('.corepack')), ...(await read('package.json')) };
}
