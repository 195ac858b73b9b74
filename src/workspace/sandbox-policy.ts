/**
 * What an agent and the tests may see and write in the sandbox.
 *
 * 1. An agent reads everything at its own path except credentials, home's git directory, the harness's state, and all of
 *    $HARNESS_HOME; it writes its workspace, its temporary directories, and private copies of what its program keeps
 *    in the user's home directory (agents/lent-state.ts).
 * 2. Where a private place hides them, these stay in sight: the project, the home directory, programs.
 * 3. What the user allows is in sight for both, but never home's git directory or the harness's own folders.
 * 4. What a run needs of $HARNESS_HOME is bound in one by one: workspace, room, dependencies, caches, and the user's own programs
 *    that are kept there (harness-home.ts).
 */
import { dirname, isAbsolute, join, normalize, resolve } from 'node:path';
import { agentLogins } from '../platform/agent-state.ts';
import { realPath } from '../platform/at-once.ts';
import type { Platform } from '../platform/platform.ts';
import type { SandboxSpec, SandboxView } from '../platform/sandbox.ts';
import { credentialPaths } from './credential-paths.ts';
import { hiddenOfHarness, programsBelow } from './harness-home.ts';
import type { Home } from './home.ts';
import type { PrivateCaches } from './package-caches.ts';
import { isInside } from './paths.ts';

/** Through these, a process outside the sandbox can be made to do what one inside may not; those of /run are private as a whole. */
export const CONTROL_PATHS = [
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/libvirt',
  '/var/lib/lxd',
  '/var/lib/incus',
  '/var/snap/lxd',
  '/var/lib/mysql',
  '/var/lib/postgresql',
  '/var/lib/redis',
  '/var/lib/mongodb',
  '/var/spool/postfix',
  '/var/spool/cron',
  '/mnt/wslg',
  '/mnt/wsl/docker-desktop',
] as const;

/** Where state is kept unless `paths.state_dir` names another folder; what was kept there before stays hidden. */
const USUAL_STATE_DIR = '.harness';

export interface SandboxPlaces {
  home: Home;
  stateDir: string;
  harnessHome: string;
  config: { sandbox: { allow: readonly string[] }; agent?: { logins: boolean } };
}

export interface AgentPlaces extends SandboxPlaces {
  workspace: string;
  temporary: string;
  /** A folder of the harness's own that becomes /tmp and /var/tmp. */
  scratch: string;
  network: boolean;
  /** As in `tools.filesystem`. */
  deniedPaths?: readonly string[];
  /** The user's directory is hidden as well. */
  isBlind?: boolean;
  caches?: Pick<PrivateCaches, 'writableAt' | 'readOnlyAt'>;
  /** The lane's own folder, beside the workspace unless the agent works in place. */
  folder?: string;
  /** The agent works in home's own tree: this git directory stands there in place of the user's. */
  gitInPlace?: string;
  /** Of the workspace. */
  readOnly?: readonly string[];
  /** Further files and folders that the agent is started with. */
  shown?: readonly string[];
}

export function agentSandbox(platform: Platform, places: AgentPlaces): SandboxSpec {
  const view = withOwnGit(withLogins(platform, sandboxView(platform, places), places), places);
  const { caches, gitInPlace } = places;
  return {
    ...view,
    writable: [places.workspace, places.temporary],
    ...(caches === undefined ? {} : { writableAt: caches.writableAt, readOnlyAt: caches.readOnlyAt }),
    ...(gitInPlace === undefined ? {} : { writableAt: [...(caches?.writableAt ?? []), [gitInPlace, places.home.gitDir]] }),
    readOnly: [join(places.folder ?? join(places.workspace, '..'), 'pristine.git'), ...(places.readOnly ?? [])],
    hidden: [
      ...(places.isBlind === true ? outermost([...view.hidden, places.home.root]) : view.hidden),
      ...deniedInside(places.workspace, places.deniedPaths ?? []),
    ],
    shown: [...(view.shown ?? []).filter((path) => places.isBlind !== true || path !== places.home.root), ...(places.shown ?? [])],
    bared: [...(view.bared ?? []), ...programsBelow(places.harnessHome, places.shown ?? [])],
    network: places.network ? 'host' : 'none',
    scratch: places.scratch,
  };
}

/** Where another git directory lies over the user's, that one is out of sight already. */
function withOwnGit(view: SandboxView, { gitInPlace, home }: AgentPlaces): SandboxView {
  return gitInPlace === undefined ? view : { ...view, hidden: view.hidden.filter((path) => path !== resolve(home.gitDir)) };
}

/** An agent finds the login of its program, unless the settings withhold it. */
function withLogins(platform: Platform, view: SandboxView, { config }: SandboxPlaces): SandboxView {
  if (config.agent?.logins === false) return view;
  const logins = agentLogins(platform.env['HOME']);
  return { ...view, hidden: view.hidden.filter((path) => !logins.includes(path)) };
}

/** For tests, and for agents but for `withLogins`. The room and the dependencies of a run are shown again by the run itself. */
export function sandboxView(platform: Platform, places: SandboxPlaces): SandboxView {
  const { home, stateDir, harnessHome } = places;
  const usual = join(home.root, USUAL_STATE_DIR);
  const own = [home.gitDir, home.commonDir, stateDir, usual, ...hiddenOfHarness(platform, harnessHome)];
  const real = own.map((path) => realPath(path) ?? path);
  const isOwn = (path: string): boolean => real.some((folder) => isInside(folder, realPath(path) ?? path));
  const allowed = allowedPaths(platform, places.config.sandbox.allow).filter((path) => !isOwn(path));
  const guarded = [
    ...credentialPaths(platform.env),
    ...agentLogins(platform.env['HOME']),
    ...CONTROL_PATHS,
    ...runtimeFolder(platform, places),
  ].filter((path) => !allowed.some((other) => isInside(other, path)));
  const programs = programFolders(platform);
  return {
    hidden: outermost([...new Set([...guarded, ...own, ...real])]),
    shown: [home.root, ...homeFolder(platform)],
    programs,
    bared: programs.filter((path) => path !== harnessHome && isInside(harnessHome, path)),
    allowed,
    sockets: namedSockets(platform),
  };
}

/** Without those that lie below another one. Asked before every run, of some hundred paths. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths.map((path) => resolve(path)));
  return [...all].filter((path) => {
    for (let above = dirname(path); above !== dirname(above); above = dirname(above)) if (all.has(above)) return false;
    return true;
  });
}

/** `sandbox.allow` with `~` for the home directory. */
function allowedPaths(platform: Platform, allow: readonly string[]): string[] {
  const [home] = homeFolder(platform);
  const absolute = allow.map((path) => (home !== undefined && /^~(?=\/|$)/.test(path) ? join(home, path.slice(1)) : path));
  return absolute.filter((path) => isAbsolute(path)).map((path) => normalize(path).replace(/(?<=.)\/+$/, ''));
}

function homeFolder(platform: Platform): string[] {
  const home = platform.env['HOME'];
  return home === undefined || !isAbsolute(home) ? [] : [home];
}

/** The folder for sockets of a login, where it is one of its own. */
function runtimeFolder(platform: Platform, { home, harnessHome }: SandboxPlaces): string[] {
  const folder = platform.env['XDG_RUNTIME_DIR'];
  if (folder === undefined || !isAbsolute(folder)) return [];
  return [home.root, harnessHome, ...homeFolder(platform)].some((path) => isInside(folder, path)) ? [] : [folder];
}

function programFolders(platform: Platform): string[] {
  return [...new Set((platform.env['PATH'] ?? '').split(':').filter((path) => isAbsolute(path)))];
}

/** Every variable whose value is the path or address of a socket names one that some program of the user's listens on. */
function namedSockets(platform: Platform): string[] {
  return Object.values(platform.env).flatMap((value = '') => {
    const path = /^(?:unix:(?:path=|\/\/)?)?(\/[^,;:]*)/.exec(value)?.[1];
    return path === undefined || !/sock|ipc|agent|bus|unix:/i.test(value) ? [] : [path];
  });
}

/** Denied paths of the workspace that can be named; its `.git` is the agent's own, and patterns are left to the tools. */
function deniedInside(workspace: string, deniedPaths: readonly string[]): string[] {
  const plain = deniedPaths.filter((path) => !/[*?[{]/.test(path)).map((path) => normalize(join(workspace, path)).replace(/\/+$/, ''));
  return plain.filter((path) => path.startsWith(`${workspace}/`) && path !== join(workspace, '.git'));
}
