/**
 * The surroundings of one run: fresh home, temporary and report directories, dependencies, environment, sandbox.
 *
 * 1. The environment is built from an allowlist; nothing of the agent's or of npm's reaches a run.
 * 2. Dependencies appear in the room as links to the harness's own install, so that caches beside them never touch it.
 * 3. The report directory has an unguessable name outside the room; reporter modules lie beside it, read-only in the sandbox.
 * 4. Each process has limits on memory, file size and number of processes, where the machine can hold them.
 * 5. Everything made here is gone afterwards, and what was started here with it.
 */
import { dirname, isAbsolute, join } from 'node:path';
import type { Room } from '../../domain/tree.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { ownName } from '../../platform/own-name.ts';
import { atTerminal } from '../../platform/at-terminal.ts';
import { limitedPrefix } from '../../platform/limits.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunResult } from '../../platform/processes.ts';
import { chosenSandbox, type SandboxSpec, type Started } from '../../platform/sandbox.ts';
import { sideBySide } from '../../platform/side-by-side.ts';
import { DEFAULT_TIMEOUT_MS, type RunContext } from '../contract.ts';
import { repositoryFor, shellVariables, USED_HOME } from './checkout.ts';
import { createSpares } from './furnished.ts';
import { linkDependencies, writtenInPackages } from './link-dependencies.ts';
import { inOrdinaryPlace } from './ordinary-place.ts';
import { ownPath } from './programs.ts';
import { activated, importRoots, installedPython, makePlace, overCheckout } from './python-of-tree.ts';
import { environmentBeside, environmentProblem } from './room-environment.ts';
import { startProgramBeside, type OwnProgram, type RoomServer, type StartedBeside } from './start-beside.ts';

/** Of each stream; of more, the beginning and the end are kept. */
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface BesideCommand {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Every file of the room's tree. */
  paths: readonly string[];
}

export interface RunSpace {
  room: Room;
  /** The room's path as a run sees it. */
  seen: string;
  home: string;
  temporary: string;
  reportPath: string;
  /** Where a reporter finds the key of its seal. */
  keyPath: string;
  supportDirectory: string;
  /** Where Python finds the packages of the room before any that are installed. */
  pythonPath: readonly string[];
  sandboxed: boolean;
  /** Like `run`, with the project's environment beside it where the settings have one; `problem`: it could not be brought up. */
  runBeside(command: BesideCommand): Promise<{ result: RunResult; problem: string | null }>;
  /** A program of the harness's own beside what serves the room; null: no sandbox here leaves them alone with each other. */
  startBeside(server: RoomServer, program: OwnProgram): Promise<StartedBeside | null>;
  /** `timeoutMs`: instead of the context's. */
  run(file: string, args: readonly string[], env?: Readonly<Record<string, string>>, timeoutMs?: number): Promise<RunResult>;
}

export async function withRunSpace<T>(
  platform: Platform,
  context: RunContext,
  room: Room,
  use: (space: RunSpace) => Promise<T>,
  isElsewhere = false,
): Promise<T> {
  const folder = join(context.scratch, ownName('run', platform.random.id(8)));
  const [home, temporary, reports, supportDirectory] = ['home', 'tmp', platform.random.id(16), 'support'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [temporary, reports, supportDirectory]) await platform.files.mkdir(path);
  const spares = context.spares ?? createSpares(platform, context.scratch);
  const placed = [await spares.place('home', home, () => USED_HOME)];
  const unlink = await linkDependencies(platform, room, context.scratch);
  const repository = join(room.path, '.git');
  if (!(await platform.files.exists(repository))) placed.push(await spares.place('repository', repository, () => repositoryFor(platform)));
  const installed = await installedPython(platform, context, room.tree);
  const leavePlace = installed === null ? null : await makePlace(platform, installed, room.path);
  let contained = false;
  try {
    const bare = await sandboxFor(platform, context, room, {
      writable: [room.path, home, temporary, reports],
      readOnly: [supportDirectory],
      writableOver: await writtenInPackages(platform, room, folder),
    });
    const plain = bare === null || installed === null ? bare : overCheckout(bare, installed, room.path);
    const { init = null, health_check = null } = context.settings.environment ?? {};
    const hasEnvironment = init !== null && health_check !== null;
    const other = plain === null || !isElsewhere || hasEnvironment ? null : await inOrdinaryPlace(platform, room, plain);
    const sandbox = other?.sandbox ?? plain;
    const seen = other?.path ?? room.path;
    contained = sandbox !== null;
    const pythonPath = await importRoots(context.trees, room.tree, seen);
    const base = {
      ...baseEnvironment(platform, { home, temporary, room, seen }),
      ...activated(installed?.environment ?? null, pathOf(platform, room)),
      ...(await toolHomes(platform, room)),
      ...(pythonPath.length === 0 ? {} : { PYTHONPATH: pythonPath.join(':') }),
      ...context.settings.testing.env,
    };
    const limits = (await limitedPrefix()) ?? [];
    const isAtTerminal = context.settings.testing.terminal === true;
    const withinLimits = (file: string, args: readonly string[]): { file: string; args: string[] } =>
      inFrontOf(limits, ...(isAtTerminal ? atTerminal(file, args) : ([file, args] as const)));
    const start = (
      command: Started,
      env: Readonly<Record<string, string>>,
      within: SandboxSpec | null,
      timeoutMs = context.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    ): Promise<RunResult> =>
      platform.processes.run({
        ...command,
        cwd: room.path,
        env: command.env ?? { ...base, ...env },
        sandbox: within,
        timeoutMs,
        graceMs: 500,
        maxOutputBytes: MOST_OUTPUT_BYTES,
        signal: context.signal,
      });
    const run: RunSpace['run'] = (file, args, env = {}, timeoutMs) => start(withinLimits(file, args), env, sandbox, timeoutMs);
    const runBeside: RunSpace['runBeside'] = async ({ file, args, env, paths }) => {
      const beside = environmentBeside(context.settings, sandbox, { room: room.path, folder, reports, supportDirectory }, paths);
      if (beside === null || sandbox === null) return { result: await run(file, args, env), problem: null };
      await platform.files.mkdir(dirname(beside.readyPath));
      const plan = { ...beside, env: { ...base, ...env }, command: { ...withinLimits(file, args), sandbox } };
      const together = await sideBySide(await platform.sandbox(), plan, ownPath(platform));
      const result = await start(together, env, null);
      return { result, problem: environmentProblem(context.settings, await platform.files.readTextIfExists(beside.notePath)) };
    };
    const startBeside: RunSpace['startBeside'] = async (server, program) => {
      if (sandbox === null) return null;
      const at = { room: room.path, folder, reports, supportDirectory };
      return await startProgramBeside(platform, context, { sandbox, at, env: base }, { server, program });
    };
    return await use({
      room,
      seen,
      runBeside,
      startBeside,
      home,
      temporary,
      reportPath: join(reports, `${platform.random.id(16)}.json`),
      keyPath: join(reports, platform.random.id(16)),
      supportDirectory,
      pythonPath,
      sandboxed: sandbox !== null,
      run,
    });
  } finally {
    if (!contained) await endLeftovers(platform, { home, temporary, room: room.path });
    await unlink();
    await leavePlace?.();
    for (const { done } of placed) await done();
    await platform.files.putAway(folder, join(context.scratch, ownName('run', platform.random.id(8))));
    if (context.spares === undefined) await spares.dispose();
  }
}

function inFrontOf([first, ...rest]: readonly string[], file: string, args: readonly string[]): Started {
  return first === undefined ? { file, args: [...args] } : { file: first, args: [...rest, file, ...args] };
}

async function sandboxFor(
  platform: Platform,
  context: RunContext,
  room: Room,
  paths: { writable: string[]; readOnly: string[]; writableOver: [string, string][] },
): Promise<SandboxSpec | null> {
  const { mode } = context.settings.sandbox;
  const sandbox = await chosenSandbox(platform, mode);
  if (!sandbox.hides) {
    if (mode !== 'on') return null;
    throw new HarnessError('The settings ask for a sandbox, and this machine cannot make one.', {
      exitCode: EXIT.preflight,
      details: [`sandbox.mode is "on": ${sandbox.detail}`, 'Install it, or set sandbox.mode to "auto" to go on without one.'],
    });
  }
  const { dependencies, nested = [] } = room;
  const shown = dependencies === null ? [] : [dependencies, ...nested.map((folder) => join(dirname(dependencies), folder))];
  return {
    hidden: [],
    ...context.view,
    writable: paths.writable,
    writableOver: paths.writableOver,
    readOnlyAt: [...paths.readOnly, ...shown].map((path) => [path, path] as const),
    network: context.settings.verification.network === 'host' ? 'host' : 'none',
  };
}

function baseEnvironment(platform: Platform, at: { home: string; temporary: string; room: Room; seen: string }): Record<string, string> {
  const env: Record<string, string> = {
    ...shellVariables(at.home, at.seen),
    HOME: at.home,
    TMPDIR: at.temporary,
    LANG: platform.env['LANG'] ?? 'C.UTF-8',
    PATH: pathOf(platform, at.room),
  };
  for (const name of ['LC_ALL', 'TZ']) {
    const value = platform.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Where rustup and cargo look for their own installation: below the home directory, and a fresh one has none. The sandbox shows them read-only. */
const TOOL_HOMES = { RUSTUP_HOME: '.rustup', CARGO_HOME: '.cargo' } as const;

async function toolHomes(platform: Platform, room: Room): Promise<Record<string, string>> {
  const has = (file: string): Promise<boolean> => platform.files.exists(join(room.path, file));
  const env: Record<string, string> = {
    ...((await has('go.mod')) ? await goHome(platform) : {}),
    ...((await has('package.json')) ? { ...(await corepackHome(platform)), ...(await pinnedManager(platform, room)) } : {}),
  };
  if (!(await has('Cargo.toml'))) return env;
  for (const [name, folder] of Object.entries(TOOL_HOMES)) {
    const path = platform.env[name] ?? join(platform.env['HOME'] ?? '/', folder);
    if (isAbsolute(path) && (await platform.files.exists(path))) env[name] = path;
  }
  return env;
}

/** Modules that Go has downloaded before are read where they are, and no others are asked for. */
async function goHome(platform: Platform): Promise<Record<string, string>> {
  const own = platform.env['GOPATH']?.split(':')[0] ?? join(platform.env['HOME'] ?? '/', 'go');
  const path = platform.env['GOMODCACHE'] ?? join(own, 'pkg', 'mod');
  if (!isAbsolute(path) || !(await platform.files.exists(path))) return {};
  return { GOMODCACHE: path, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
}

/** Package managers that corepack has brought before are started from there, and no others are asked for. */
async function corepackHome(platform: Platform): Promise<Record<string, string>> {
  const path = platform.env['COREPACK_HOME'] ?? join(platform.env['HOME'] ?? '/', '.cache', 'node', 'corepack');
  return isAbsolute(path) && (await platform.files.exists(path)) ? { COREPACK_HOME: path, COREPACK_ENABLE_NETWORK: '0' } : {};
}

/** A project that pins its manager: the one that is here does not fetch the pinned version, which no room could reach. */
const NO_SWITCH = {
  npm_config_manage_package_manager_versions: 'false',
  pnpm_config_manage_package_manager_versions: 'false',
  pnpm_config_pm_on_fail: 'ignore',
  SKIP_YARN_COREPACK_CHECK: '1',
} as const;

export async function pinnedManager(platform: Platform, { path }: Pick<Room, 'path'>): Promise<Record<string, string>> {
  const manifest = (await platform.files.readTextIfExists(join(path, 'package.json'))) ?? '';
  return /"(?:packageManager|devEngines)"\s*:/.test(manifest) ? NO_SWITCH : {};
}

export function pathOf(platform: Platform, room: Room): string {
  const own = ownPath(platform);
  return room.dependencies === null ? own : `${join(room.dependencies, '.bin')}:${own}`;
}

/**
 * What a run without a sandbox left running: processes that went out of its group.
 *
 * Known by the run's own directories, in their environment or as the place where they stand. One that gave up both is not found.
 */
const MOST_ROUNDS = 5;

/** Ends them, and those that they started meanwhile. */
async function endLeftovers(platform: Pick<Platform, 'processes'>, run: { home: string; temporary: string; room: string }): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const found = new Set([
      ...(await platform.processes.findByEnvironment('HOME', run.home)),
      ...(await platform.processes.findByEnvironment('TMPDIR', run.temporary)),
      ...(await platform.processes.orphansIn(run.room)).map((known) => known.pid),
    ]);
    if (found.size === 0) return;
    platform.processes.kill([...found]);
  }
}
