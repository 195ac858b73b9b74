/** Where an agent works: its environment by an allowlist, its sandbox by the settings, its temporary directory. */
import { join } from 'node:path';
import type { AgentBackend } from '../../agents/contract.ts';
import { lendState } from '../../agents/lent-state.ts';
import { BACKENDS, createBackend } from '../../agents/registry.ts';
import { usageError } from '../../domain/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { realPath } from '../../platform/at-once.ts';
import { isExecutable, programFolder } from '../../platform/program-folder.ts';
import { chosenSandbox, type SandboxSpec } from '../../platform/sandbox.ts';
import { activated, importRoots, installedPython, overCheckout, type InstalledPython } from '../../verify/run/python-of-tree.ts';
import { pinnedManager } from '../../verify/run/run-space.ts';
import type { AgentCopy } from '../../workspace/agent-copy.ts';
import { privateCaches } from '../../workspace/package-caches.ts';
import { keptFromAgent } from '../../workspace/loan.ts';
import { isInside } from '../../workspace/paths.ts';
import { agentSandbox, type AgentPlaces } from '../../workspace/sandbox-policy.ts';
import type { Place } from '../place.ts';

export interface AgentPlace {
  env: Record<string, string>;
  sandbox: SandboxSpec | null;
  temporary: string;
  /** Ends what still furnishes the place: nobody works in it any more. */
  leave(): Promise<void>;
}

const KEPT_VARIABLES = ['PATH', 'HOME', 'LANG', 'LANGUAGE'];
/** What the agents that the harness knows look for; a program of the user's own gets exactly what the contract lists. */
const KEPT_FOR_KNOWN_AGENTS = ['TZ', 'TERM', 'USER', 'LOGNAME', 'SHELL'];

export interface AgentSight {
  /** Those of the settings, unless the caller has others. */
  deniedPaths?: readonly string[];
  /** The user's directory is hidden, where there is a sandbox. */
  isBlind?: boolean;
}

/** How many agents that a harness started are around this process. */
export function depthOf({ env }: Pick<Platform, 'env'>): number {
  const depth = Number(env['HARNESS_DEPTH'] ?? 0);
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}

export async function makeAgentPlace(
  ground: AgentGround,
  copy: Pick<AgentCopy, 'path' | 'folder'>,
  { deniedPaths = ground.config.tools.filesystem.denied_paths, isBlind = false }: AgentSight = {},
): Promise<AgentPlace> {
  const { platform, config } = ground;
  const [temporary, scratch] = [join(copy.folder, 'tmp'), join(copy.folder, 'scratch')];
  for (const folder of [temporary, scratch]) {
    await platform.files.remove(folder);
    await platform.files.mkdir(folder);
  }
  const env: Record<string, string> = {
    TMPDIR: temporary,
    HARNESS_DEPTH: String(depthOf(platform) + 1),
    ...(await pinnedManager(platform, copy)),
  };
  const { isOwnProgram, loginVariables } = BACKENDS[config.agent.backend];
  const names = [...KEPT_VARIABLES, ...(isOwnProgram ? [] : KEPT_FOR_KNOWN_AGENTS), ...loginVariables, ...config.agent.env];
  for (const [name, value] of Object.entries(platform.env)) {
    if ((names.includes(name) || name.startsWith('LC_')) && value !== undefined) env[name] = value;
  }
  const { path: workspace, folder } = copy;
  const python = await pythonFor(ground, workspace);
  Object.assign(env, python?.env);
  const inPlace =
    workspace === ground.home.root ? { gitInPlace: join(folder, 'tree', '.git'), readOnly: await readOnlyInPlace(ground) } : {};
  const { sandbox, leave } = await sandboxFor(ground, { workspace, folder, temporary, scratch, deniedPaths, isBlind, ...inPlace }, env);
  // What is hidden in the copy would be in sight at the other place.
  const hidden = (sandbox?.hidden ?? []).filter((path) => isInside(workspace, path));
  const isWhole = !(await Promise.all(hidden.map((path) => platform.files.exists(path)))).includes(true);
  const over = sandbox === null || python === null || !isWhole ? sandbox : overCheckout(sandbox, python.installed, workspace);
  return { env, temporary, sandbox: over, leave };
}

async function readOnlyInPlace({ platform, home, trees }: AgentGround): Promise<string[]> {
  const entries = home.head === null ? [] : await trees.list(await trees.of(home.head));
  const submodules = entries.filter(({ mode }) => mode === '160000').map(({ path }) => path);
  return await keptFromAgent(platform, home, submodules);
}

/** The environment that the judge runs tests in: its programs first, packages of the copy before installed ones. */
async function pythonFor(
  { platform, config, trees, home }: AgentGround,
  workspace: string,
): Promise<{ env: Record<string, string>; installed: InstalledPython } | null> {
  if (home.head === null || config.workspace.mode === 'in_place') return null;
  const tree = await trees.of(home.head);
  const installed = await installedPython(platform, { settings: config, trees, checkout: home.root }, tree);
  if (installed === null) return null;
  const roots = await importRoots(trees, tree, workspace);
  return {
    env: {
      ...activated(installed.environment, platform.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'),
      ...(roots.length === 0 ? {} : { PYTHONPATH: roots.join(':') }),
    },
    installed,
  };
}

async function sandboxFor(
  ground: AgentGround,
  places: Pick<AgentPlaces, 'workspace' | 'temporary' | 'scratch' | 'deniedPaths' | 'isBlind' | 'gitInPlace' | 'readOnly'> & {
    folder: string;
  },
  env: Readonly<Record<string, string>>,
): Promise<{ sandbox: SandboxSpec | null; leave(): Promise<void> }> {
  const { mode, network } = ground.config.sandbox;
  const chosen = await chosenSandbox(ground.platform, mode);
  if (!chosen.hides) {
    if (mode === 'on')
      throw usageError(
        `sandbox.mode is "on", but there is no sandbox here: ${chosen.detail}`,
        'Install it, or set sandbox.mode: auto in .harness.yaml.',
      );
    return { sandbox: null, leave: () => Promise.resolve() };
  }
  const state = ground.config.agent.logins ? ((await backendFor(ground)).stateDirectories?.(env) ?? []) : [];
  const lent = await lendState(ground.platform, state, join(places.temporary, 'agent-state'));
  const { home, stateDir, harnessHome, config } = ground;
  const shown = namedFiles(config.agent.command);
  const { workspace, folder } = places;
  const caches = await privateCaches(ground.platform, { folder: join(folder, 'caches'), workspace, home: env['HOME'] });
  const view = { ...places, home, stateDir, harnessHome, config, network, shown, caches };
  const sandbox = agentSandbox(ground.platform, view);
  return {
    sandbox: { ...sandbox, writableAt: [...(sandbox.writableAt ?? []), ...lent.at] },
    leave: async () => {
      await caches.filling.stop();
      await lent.giveBack();
    },
  };
}

/** Files that the agent's command names by their absolute path, with what belongs to them: as words of a shell, and inside of quoted text. */
function namedFiles(command: string | null): string[] {
  const inQuotes = (command ?? '').split(/[\s'"=;|&()<>]+/);
  const words = (command ?? '').match(SHELL_WORD) ?? [];
  const unquoted = words.map((word) => word.replace(QUOTED, (_, double: string, single: string, one: string) => double ?? single ?? one));
  const named = [...new Set([...inQuotes, ...unquoted])].filter((word) => word.startsWith('/') && !isOfDaemons(word));
  return named.flatMap((word) => [word, programFolder(word)]);
}

/** A project names the command: of /run it gets programs into sight, and nothing that a daemon keeps there. */
function isOfDaemons(path: string): boolean {
  return /^(?:\/var)?\/run(?:\/|$)/.test(realPath(path) ?? path) && !isExecutable(path);
}

const SHELL_WORD = /(?:[^\s'"=;|&()<>\\]|\\.|"[^"]*"|'[^']*')+/g;
const QUOTED = /"([^"]*)"|'([^']*)'|\\(.)/g;

export function backendFor(ground: Pick<AgentGround, 'config' | 'platform'>): Promise<AgentBackend> {
  return createBackend(ground.config.agent.backend, {
    command: ground.config.agent.command,
    scenario: ground.platform.env['HARNESS_SCENARIO'] ?? null,
  });
}

/** What every agent session needs of its surroundings, whichever flow starts it: a place and a project both fit. */
export type AgentGround = Pick<
  Place,
  'platform' | 'config' | 'home' | 'trees' | 'stateDir' | 'documents' | 'harnessHome' | 'emit' | 'drained'
>;
