/**
 * Finds agent packages that are no dependencies of this one.
 *
 * 1. Looked for beside the harness itself, among npm's global packages, and in the agent cache; never in the project that is
 *    worked on: what lies there was written by agents, and is not loaded into the harness.
 * 2. Looking starts no program, except npm, and that only when everything else found nothing.
 */
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Platform } from '../platform/platform.ts';

export interface InstalledPackage {
  folder: string;
  version: string;
}

const CACHE_VARIABLE = 'HARNESS_AGENT_CACHE';

/** `agent` is the name of its folder in the cache. */
export async function findPackage(platform: Platform, agent: string, name: string): Promise<InstalledPackage | null> {
  const near = [...besideHarness(), ...globalFolders(platform), ...cacheFolders(platform, agent)];
  for (const folder of near) {
    const found = await packageIn(platform, join(folder, name));
    if (found !== null) return found;
  }
  const global = await askNpm(platform);
  return global === null ? null : packageIn(platform, join(global, name));
}

export async function findOnPath(platform: Platform, path: string | undefined, program: string): Promise<string | null> {
  for (const folder of (path ?? '').split(delimiter).filter((entry) => entry !== '')) {
    const file = join(folder, program);
    if (await platform.files.exists(file)) return file;
  }
  return null;
}

function besideHarness(): string[] {
  const folders: string[] = [];
  for (let at = dirname(fileURLToPath(import.meta.url)); at !== dirname(at); at = dirname(at)) folders.push(join(at, 'node_modules'));
  return folders;
}

function globalFolders({ env }: Platform): string[] {
  const prefixes = [env['NPM_CONFIG_PREFIX'], env['npm_config_prefix'], dirname(dirname(process.execPath))];
  return prefixes.flatMap((prefix) => (prefix === undefined || prefix === '' ? [] : [join(prefix, 'lib', 'node_modules')]));
}

function cacheFolders({ env }: Platform, agent: string): string[] {
  const home = env['HOME'];
  const cache = env[CACHE_VARIABLE] || (home ? join(home, '.cache', 'universal-agent-harness', 'agents') : null);
  return cache === null ? [] : [join(cache, agent, 'node_modules')];
}

async function packageIn(platform: Platform, folder: string): Promise<InstalledPackage | null> {
  const text = await platform.files.readTextIfExists(join(folder, 'package.json')).catch(() => null);
  if (text === null) return null;
  try {
    const { version } = JSON.parse(text) as { version?: unknown };
    return { folder, version: typeof version === 'string' ? version : 'unknown' };
  } catch {
    return null;
  }
}

async function askNpm(platform: Platform): Promise<string | null> {
  const npm = await findOnPath(platform, platform.env['PATH'], 'npm');
  if (npm === null) return null;
  const env = Object.fromEntries(
    ['PATH', 'HOME'].flatMap((name) => (platform.env[name] === undefined ? [] : [[name, platform.env[name]]])),
  );
  const asked = await platform.processes.run({ file: npm, args: ['root', '--global'], cwd: '/', env, timeoutMs: 10_000 }).catch(() => null);
  const folder = asked?.code === 0 ? asked.stdout.toString('utf8').trim() : '';
  return folder.startsWith('/') ? folder : null;
}
