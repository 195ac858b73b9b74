/**
 * Whether an install may go where its project sends it. Asked before a package manager sees the project.
 *
 * 1. A registry that the project names and the user's settings do not is a stop: its packages are never taken from another one.
 * 2. Repositories and addresses count once the user has said yes to them: `dependencies.sources` of the user's settings.
 * 3. Paths out of the project are refused.
 */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import type { InstallPlan } from '../install-plan.ts';
import type { Wanted } from './managers.ts';
import { installEnvironment } from './install-environment.ts';
import { iniPairs, namedRegistries, type NamedRegistry } from './manager-settings.ts';
import type { ManagerProgram } from './manager-program.ts';
import { dependencySources, hostOf, jsonOf } from './sources.ts';
import { firstItem } from '../../domain/items.ts';

export interface Unsafe {
  kind: 'sources' | 'registry' | 'outside' | 'unreadable';
  message: string;
  /** The command or line that allows it; null: nothing does. */
  remedy: string | null;
  /** Addresses that the user can say yes to. */
  asked: string[];
}

export interface Asking {
  program: ManagerProgram;
  neutral: string;
  sandbox: SandboxSpec | null;
  /** `dependencies.sources` of the user's settings. */
  allowed: readonly string[];
}

export async function checkSources(
  platform: Platform,
  plan: Wanted & Pick<InstallPlan, 'registries'>,
  asking: Asking,
): Promise<Unsafe | null> {
  const text = plan.files.find(({ path }) => path === plan.lockfile)?.content.toString('utf8') ?? '';
  const isPlain = plan.registries.length === 0 && !/https?:\/\//.test(text);
  const user = isPlain ? { registries: [], hosts: new Set<string>() } : await registriesOfUser(platform, plan, asking);
  const foreign = plan.registries.find((named) => !isKnown(named, user.registries));
  if (foreign !== undefined) return foreignRegistry(plan, foreign);
  const { unreadable, refused, asked } = dependencySources(plan.files, plan.lockfile, user.hosts);
  if (unreadable.length > 0) return notAsWritten(plan);
  if (refused.length > 0)
    return { kind: 'outside', message: `${firstItem(refused)} leads outside the project${more(refused.length)}`, remedy: null, asked: [] };
  const open = asked.filter((address) => !isAllowed(address, asking.allowed));
  if (open.length === 0) return null;
  return {
    kind: 'sources',
    message: `dependencies come from ${open.slice(0, 5).join(', ')}${more(open.length, 5)}, which your own settings do not allow yet`,
    remedy: 'Run harness init to allow it, or add it to dependencies.sources in $HARNESS_HOME/config.yaml',
    asked: open,
  };
}

function notAsWritten({ manager, lockfile }: Wanted): Unsafe {
  return {
    kind: 'unreadable',
    message: `${lockfile} is not in the form that ${manager} writes`,
    remedy: `Write it again with ${manager} install, then commit it`,
    asked: [],
  };
}

function isAllowed(address: string, allowed: readonly string[]): boolean {
  return allowed.some((one) => one === address || (/^https?:\/\/[^/]+\/$/.test(one) && address.startsWith(one)));
}

function more(count: number, shown = 1): string {
  return count > shown ? ` (and ${count - shown} more)` : '';
}

function isKnown(named: NamedRegistry, known: readonly NamedRegistry[]): boolean {
  return known.some((one) => sameAddress(one.address, named.address) && (one.scope === named.scope || one.scope === null));
}

function sameAddress(one: string, other: string): boolean {
  return one.replace(/\/+$/, '').toLowerCase() === other.replace(/\/+$/, '').toLowerCase();
}

function foreignRegistry({ manager, range }: Wanted, { scope, address, file }: NamedRegistry): Unsafe {
  const isNewYarn = manager === 'yarn' && range !== '1';
  const key = scope === null ? 'npmRegistryServer' : `npmScopes.${scope.slice(1)}.npmRegistryServer`;
  const line = isNewYarn ? `yarn config set --home ${key} ${address}` : `${scope === null ? '' : `${scope}:`}registry=${address}`;
  return {
    kind: 'registry',
    message: `${file} takes ${scope === null ? 'packages' : `the packages of ${scope}`} from ${address}, which your own settings do not name`,
    remedy: isNewYarn ? `If you trust it, run: ${line}` : `If you trust it, add this line to ~/.npmrc: ${line}`,
    asked: [],
  };
}

/** What the user's own settings name, and what the manager takes where they name nothing. */
async function registriesOfUser(
  platform: Platform,
  plan: Wanted,
  asking: Asking,
): Promise<{ registries: NamedRegistry[]; hosts: ReadonlySet<string> }> {
  const found: NamedRegistry[] = [];
  const own = jsonOf(await ask(platform, asking, { args: ['config', 'list', '--json'], env: {} }));
  for (const [key, address] of Object.entries(own)) {
    const scope = /^(?:(@[^:]+):)?registry$/.exec(key);
    if (scope !== null && typeof address === 'string') found.push({ scope: scope[1] ?? null, address, file: '' });
  }
  const none = { npm_config_userconfig: '/dev/null', npm_config_globalconfig: '/dev/null', npm_config_registry: '' };
  found.push(...addresses(await ask(platform, asking, { args: ['config', 'get', 'registry'], env: none })));
  if (plan.manager === 'yarn') {
    const key = plan.range === '1' ? 'registry' : 'npmRegistryServer';
    found.push(...addresses(await ask(platform, asking, { args: ['config', 'get', key], env: {}, program: asking.program })));
  }
  const home = platform.env['HOME'];
  const folders = home === undefined ? [] : [home];
  for (const [folder, file] of folders.flatMap((one) =>
    ['.npmrc', '.yarnrc', '.yarnrc.yml', '.bunfig.toml'].map((file) => [one, file] as const),
  ))
    found.push(...namedRegistries(file, (await platform.files.readTextIfExists(join(folder, file)).catch(() => null)) ?? ''));
  return { registries: found, hosts: new Set(found.flatMap(({ address }) => hostOf(`${address}/`) ?? [])) };
}

function addresses(text: string): NamedRegistry[] {
  return iniPairs(text).flatMap(({ key }) => (/^https?:\/\/\S+$/.test(key) ? [{ scope: null, address: key, file: '' }] : []));
}

async function ask(
  platform: Platform,
  { neutral, sandbox }: Asking,
  { args, env, program }: { args: readonly string[]; env: Readonly<Record<string, string>>; program?: ManagerProgram },
): Promise<string> {
  const whole = { ...installEnvironment(platform, 'npm'), npm_config_cache: join(neutral, 'npm'), ...program?.env, ...env };
  const run = await platform.processes
    .run({
      file: program?.file ?? 'npm',
      args: [...(program?.before ?? []), ...args],
      cwd: neutral,
      env: whole,
      sandbox,
      timeoutMs: 60_000,
    })
    .catch(() => null);
  return run?.code === 0 ? run.stdout.toString('utf8') : '';
}
