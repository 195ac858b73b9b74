/**
 * The desk: what a flow without project state works at.
 *
 * 1. It needs no `.harness.yaml`: without one the defaults stand, with the agent that the command line names.
 * 2. Inside git, home is the user's repository; outside, a repository of the harness's own that mirrors the folder.
 * 3. `.harness/` stays out of the user's commits: where nothing ignores it, the repository's own `info/exclude` does. No file of the user's is
 *    changed for that.
 * 4. Events are told after they were written, and all of them before a question is asked.
 */
import { basename, join, relative } from 'node:path';
import { stringify } from 'yaml';
import { CONFIG_FILE, configError, loadConfig, parseConfig } from '../config/read-config.ts';
import { ConfigSchema, type Config } from '../config/schema.ts';
import { BACKEND_NAMES, BACKENDS, COMMAND_BACKEND, isBackend } from '../agents/registry.ts';
import { harnessHome, loadUserSettings, mergeUserSettings, type UserSettings } from '../config/user-settings.ts';
import { usageError } from '../domain/errors.ts';
import type { Emit } from '../domain/event.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { openJournal } from '../journal/journal.ts';
import { tellAfterWriting } from '../journal/told-after.ts';
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { sandboxState } from '../platform/sandbox.ts';
import { createCleanRooms } from '../workspace/clean-room.ts';
import { openFolderHome } from '../workspace/folder-home.ts';
import { openHome, type Home } from '../workspace/home.ts';
import { createTreeStore } from '../workspace/tree-store.ts';
import type { Desk } from './contract.ts';

export interface AgentChoice {
  /** `--agent` */
  agent: string | null;
  /** `--agent-command` */
  agentCommand: string | null;
}

export interface DeskOptions extends AgentChoice {
  emit: Emit;
  /** Waits while the screen or the pipe behind `emit` is behind. */
  drained?(): Promise<void> | null;
  asker: Desk['asker'];
  signal: AbortSignal;
  /** Only the holder of the lock keeps a journal. */
  journal: boolean;
}

export async function openDesk(platform: Platform, root: string, options: DeskOptions): Promise<Desk> {
  const { config, remarks } = await deskSettings(platform, root, options);
  const store = harnessHome(platform);
  const stateDir = join(root, config.paths.state_dir);
  const hasGit = await isInGit(platform, root);
  const home = hasGit ? await openHome(platform, root) : await openFolderHome(platform, root, store);
  const trees = createTreeStore(platform, home);
  const { emit, journal } = options.journal ? await journalFor(platform, stateDir, config, options.emit) : { ...options, journal: null };
  if (options.journal) {
    if (hasGit) await keepOutOfCommits(platform, home, stateDir);
    for (const message of remarks) emit({ type: 'warning', message });
  }
  const sandboxed = config.sandbox.mode !== 'off' && (await sandboxState()).available;
  return {
    platform,
    root,
    stateDir,
    harnessHome: store,
    config,
    hasGit,
    home,
    trees,
    rooms: createCleanRooms(platform, { home, harnessHome: store, store: trees, ...(options.journal ? { sandboxed } : {}) }),
    emit,
    drained: () => options.drained?.() ?? journal?.drained() ?? null,
    journal,
    asker: {
      ...options.asker,
      ask: async (gate) => {
        await journal?.flush();
        return await options.asker.ask(gate);
      },
    },
    signal: options.signal,
  };
}

async function journalFor(platform: Platform, stateDir: string, config: Config, tell: Emit): Promise<Pick<Desk, 'emit' | 'journal'>> {
  const files = await openJournal(platform, join(stateDir, 'logs'), { level: config.logging.level, harnessVersion: HARNESS_VERSION });
  return tellAfterWriting(platform.clock, files, tell);
}

/** The project's settings where it has some, else the defaults; tightened by the user's own. */
export async function deskSettings(platform: Platform, root: string, choice: AgentChoice): Promise<{ config: Config; remarks: string[] }> {
  const own = (await platform.files.exists(join(root, CONFIG_FILE))) ? await loadConfig(platform, root) : null;
  const user = await loadUserSettings(platform);
  const chosen = withAgent(own?.config ?? defaultConfig(root, user), choice);
  const { config, notes } = mergeUserSettings(chosen, user);
  return { config, remarks: [...(own?.warnings ?? []), ...notes] };
}

/**
 * Nothing runs `testing.full` of these settings: flows without a project find their commands themselves. The agent gets the variables that
 * the user allows to every project.
 */
function defaultConfig(root: string, user: UserSettings): Config {
  const project = { name: basename(root) || 'project' };
  const text = stringify({ project, testing: { full: 'true' }, agent: { env: user.agent?.env ?? [] } });
  const parsed = parseConfig(text);
  if (parsed.config === null) throw configError(join(root, CONFIG_FILE), parsed.errors);
  return parsed.config;
}

function withAgent(config: Config, { agent, agentCommand }: AgentChoice): Config {
  if (agent === null && agentCommand === null) return config;
  const wanted = agent ?? (agentCommand === null ? config.agent.backend : COMMAND_BACKEND);
  if (!isBackend(wanted)) throw usageError(`There is no agent backend named ${wanted}.`, `fix: use one of ${BACKEND_NAMES.join(', ')}`);
  const command = agentCommand ?? config.agent.command;
  if (BACKENDS[wanted].needsCommand && command === null)
    throw usageError(`The backend ${wanted} needs a command to start.`, 'fix: name it with --agent-command CMD');
  return ConfigSchema.parse({ ...config, agent: { ...config.agent, backend: wanted, command } });
}

/** Git's own word: a repository that it will not open is an error, not a folder. */
async function isInGit(platform: Platform, root: string): Promise<boolean> {
  const asked = await tryGit(platform, ['rev-parse', '--git-dir'], { cwd: root });
  return asked.code === 0 || !asked.stderr.includes('not a git repository');
}

async function keepOutOfCommits(platform: Platform, home: Home, stateDir: string): Promise<void> {
  const path = relative(home.root, await platform.files.realpath(stateDir));
  if (path === '' || path.startsWith('..')) return;
  const ignored = await tryGit(platform, ['check-ignore', '-q', '--no-index', '--', `${path}/x`], { cwd: home.root });
  if (ignored.code === 0) return;
  const file = join(home.commonDir, 'info', 'exclude');
  const text = (await platform.files.readTextIfExists(file)) ?? '';
  await platform.files.mkdir(join(home.commonDir, 'info'));
  await platform.files.writeAtomic(file, `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}/${path}/\n`);
}
