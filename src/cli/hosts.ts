/** The hosts that take the plugin: their own commands do the work, so that what they keep about it is right. */
import { dirname, join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { claudeSettings, codexHooks } from './host-settings.ts';

const MARKETPLACE = 'universal-agent-harness';
const PLUGIN = `harness@${MARKETPLACE}`;

export interface Host {
  name: 'claude' | 'codex';
  title: string;
  install(folder: string): string[][];
  uninstall: string[][];
  /** The file for the Stop hook. */
  hooks(platform: Platform): string;
  /** What the user has to do; null: nothing. */
  afterHook: string | null;
  /** A folder of the plugin that the host leaves empty when it removes it; null: it leaves none. */
  leftFolder(platform: Platform): string | null;
}

const HOSTS: readonly Host[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    install: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'install', PLUGIN],
    ],
    uninstall: [
      ['plugin', 'uninstall', PLUGIN],
      ['plugin', 'marketplace', 'remove', MARKETPLACE],
    ],
    hooks: claudeSettings,
    afterHook: null,
    leftFolder: () => null,
  },
  {
    name: 'codex',
    title: 'Codex',
    install: (folder) => [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'add', PLUGIN],
    ],
    uninstall: [
      ['plugin', 'remove', PLUGIN],
      ['plugin', 'marketplace', 'remove', MARKETPLACE],
    ],
    hooks: codexHooks,
    afterHook: 'Codex asks you to trust the hook when you start it next.',
    leftFolder: (platform) => join(dirname(codexHooks(platform)), 'plugins', 'cache', MARKETPLACE),
  },
];

export async function chosenHosts(platform: Platform, named: string | null): Promise<Host[]> {
  const wanted = HOSTS.filter(({ name }) => named === null || name === named);
  const found: Host[] = [];
  for (const host of wanted) if ((await run(platform, host.name, ['--version'])) !== null) found.push(host);
  if (found.length > 0) return found;
  throw new HarnessError(`${wanted.map(({ name }) => name).join(' and ')} ${wanted.length === 1 ? 'is' : 'are'} not on the PATH.`, {
    exitCode: EXIT.preflight,
    details: ['fix: install Claude Code (npm install -g @anthropic-ai/claude-code) or Codex (npm install -g @openai/codex) first'],
  });
}

/** Hosts start `harness` by its name: a plugin outlives the folder that npx or a checkout runs from. */
export async function requireOnPath(platform: Platform): Promise<void> {
  if ((await run(platform, 'harness', ['--version'])) !== null) return;
  throw new HarnessError('The command harness is not on the PATH, where hosts look for it.', {
    exitCode: EXIT.preflight,
    details: ['fix: npm install -g universal-agent-harness'],
  });
}

/** The plugin beside this program. */
export async function pluginFolder(platform: Platform): Promise<string> {
  return join(dirname(dirname(await platform.files.realpath(process.argv[1] ?? ''))), 'plugin');
}

export function shown(host: Host, args: readonly string[]): string {
  return [host.name, ...args.map((arg) => (/^[\w@./:=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))].join(' ');
}

/** Runs the host's own command; with `mayFail` a failure means that there was nothing to do. */
export async function runHost(platform: Platform, host: Host, args: readonly string[], mayFail = false): Promise<void> {
  const done = await run(platform, host.name, args);
  if (done?.code === 0 || mayFail) return;
  const said = done === null ? 'it could not be started' : `${done.stdout.toString('utf8')}${done.stderr.toString('utf8')}`.trim();
  throw new HarnessError(`${host.title} refused: ${shown(host, args)}`, { exitCode: EXIT.preflight, details: said.split('\n').slice(-10) });
}

async function run({ processes, env: user }: Platform, file: string, args: readonly string[]) {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(user)) if (value !== undefined) env[name] = value;
  return await processes.run({ file, args, cwd: env['HOME'] ?? '/', env, timeoutMs: 120_000 }).catch(() => null);
}

/** Only while nothing is in it. */
export async function removeLeftFolder(platform: Platform, host: Host): Promise<void> {
  const folder = host.leftFolder(platform);
  if (folder === null || !(await platform.files.exists(folder))) return;
  if ((await platform.files.list(folder)).length === 0) await platform.files.remove(folder);
}
