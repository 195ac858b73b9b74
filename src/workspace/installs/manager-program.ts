/**
 * The program that installs: the version that the project pins, or one that reads its lockfile.
 *
 * 1. What PATH finds, where its version fits. Else corepack, or npm, brings the version: it is fetched without the project in sight, into a
 *    folder of the harness that no install can write. Else what PATH finds of the same major version, with a note.
 * 2. A manager never changes its own version: nothing that it is shown names one.
 */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import type { RunResult } from '../../platform/processes.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import { firstErrorLine } from '../../domain/first-error.ts';
import type { InstallPlan } from '../install-plan.ts';
import { installEnvironment } from './install-environment.ts';
import { jsonOf, recordOf } from './sources.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface ManagerProgram {
  file: string;
  before: readonly string[];
  env: Readonly<Record<string, string>>;
  /** As messages call it. */
  label: string;
  note: string | null;
  /** The package that was fetched for it; null: PATH has it. */
  folder: string | null;
}

export interface ManagerPlace {
  /** Holds what corepack brings. */
  managers: string;
  /** Empty; a version is asked for there. */
  neutral: string;
  /** How the fetch is confined; null: it is not. */
  sandbox: SandboxSpec | null;
}

type Wanted = Pick<InstallPlan, 'manager' | 'version' | 'range' | 'lockfile'>;

/** A sentence where there is none. */
export async function managerProgram(platform: Platform, wanted: Wanted, place: ManagerPlace): Promise<ManagerProgram | string> {
  const found = await findProgram(platform, wanted, place);
  if (typeof found === 'string' || found.folder === null) return found;
  const { engines } = jsonOf((await platform.files.readTextIfExists(join(found.folder, 'package.json'))) ?? '{}');
  const asked = String(recordOf(engines)['node'] ?? '');
  return isTooOld(process.versions.node, asked) ? `${found.label} does not run with Node ${process.version}, it asks for ${asked}` : found;
}

/** Of ranges, only the least version is read; whatever else is said counts as fitting. */
export function isTooOld(node: string, asked: string): boolean {
  const least = /^\s*>=\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?\s*$/.exec(asked)?.slice(1);
  if (least === undefined) return false;
  const here = node.split('.').map(Number);
  const differs = least.map((part, at) => (here[at] ?? 0) - Number(part ?? 0)).find((difference) => difference !== 0);
  return differs !== undefined && differs < 0;
}

async function findProgram(platform: Platform, wanted: Wanted, place: ManagerPlace): Promise<ManagerProgram | string> {
  const { manager } = wanted;
  const path = await onPath(platform, manager);
  const plain = (label: string, note: string | null = null): ManagerProgram => ({
    file: mustHave(path, 'only a program that was found is run'),
    before: [],
    env: {},
    label,
    note,
    folder: null,
  });
  if (manager === 'npm' || manager === 'bun') return path === null ? missing(wanted) : plain(manager);
  const version = path === null || (await isShim(platform, path)) ? null : await versionOf(platform, path, place);
  const fits =
    version !== null && (wanted.version === null ? majorOf(version) === (wanted.range ?? majorOf(version)) : version === wanted.version);
  if (fits) return plain(manager);
  const corepack = await onPath(platform, 'corepack');
  const brought = corepack === null ? 'corepack is not installed' : await byCorepack(platform, wanted, place, corepack);
  if (typeof brought !== 'string') return brought;
  const installed = (await byNpm(platform, wanted, place)) ?? (version === null ? await ofSameMajor(platform, wanted, place) : null);
  if (installed !== null) return installed;
  if (version === null) return `${missing(wanted)} (${brought})`;
  const exact = `${manager}@${wanted.version ?? wanted.range ?? ''}`;
  if (wanted.range !== null && majorOf(version) !== wanted.range) return `${missing(wanted)} (here: ${manager}@${version}; ${brought})`;
  return plain(`${manager}@${version}`, `${manager}@${version} installs in place of ${exact}, which could not be fetched (${brought})`);
}

export interface LocalManager {
  /** With the version that the project pins. */
  wanted: string;
  /** `fetchable`: the first install fetches it. */
  state: 'found' | 'fetchable' | 'missing';
  fix: string;
}

/** What `managerProgram` would come to, as far as that can be told without starting anything. */
export async function localManager(platform: Platform, wanted: Wanted, managers: string): Promise<LocalManager> {
  const { manager, version, range } = wanted;
  const exact = version ?? range;
  const path = await onPath(platform, manager);
  const isKept = await platform.files.exists(join(managers, 'npm', `${manager}@${exact ?? 'latest'}`));
  const isFound =
    (path !== null && !(await isShim(platform, path))) || isKept || (await broughtVersion(platform, managers, wanted)) !== null;
  const canFetch = manager !== 'npm' && manager !== 'bun' && (await onPath(platform, 'npm')) !== null;
  const fix = howToInstall(wanted).command;
  return { wanted: exact === null ? manager : `${manager}@${exact}`, state: isFound ? 'found' : canFetch ? 'fetchable' : 'missing', fix };
}

function missing(needed: Wanted): string {
  const { wanted, command } = howToInstall(needed);
  return `${wanted} is not installed on this machine, and ${needed.lockfile} needs it. Install it: ${command}`;
}

function howToInstall({ manager, version, range }: Wanted): { wanted: string; command: string } {
  const wanted = manager === 'npm' || manager === 'bun' ? manager : `${manager}@${version ?? range ?? 'latest'}`;
  const command =
    manager === 'bun' ? 'npm install --global bun' : manager === 'npm' ? 'see nodejs.org' : `corepack install --global ${wanted}`;
  const orElse =
    manager === 'pnpm' || manager === 'yarn'
      ? `, or npm install --global ${manager === 'yarn' && range !== '1' ? `@yarnpkg/cli-dist@${version ?? range ?? 'latest'}` : wanted}`
      : '';
  return { wanted, command: `${command}${orElse}` };
}

async function byCorepack(platform: Platform, wanted: Wanted, place: ManagerPlace, corepack: string): Promise<ManagerProgram | string> {
  const { manager } = wanted;
  const home = platform.env['HOME'];
  const own =
    platform.env['COREPACK_HOME'] ??
    (home === undefined ? null : join(platform.env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'node/corepack'));
  for (const folder of own === null ? [place.managers] : [own, place.managers]) {
    const version = await broughtVersion(platform, folder, wanted);
    if (version !== null) return corepackProgram(corepack, folder, manager, version);
  }
  await platform.files.mkdir(place.managers);
  const env = { ...installEnvironment(platform, 'npm'), COREPACK_HOME: place.managers, ...(await corepackRegistry(platform, place)) };
  const args = ['install', '--global', `${manager}@${wanted.version ?? wanted.range ?? 'latest'}`];
  const run = await start(platform, { file: corepack, args, env }, place, place.sandbox);
  const version = await broughtVersion(platform, place.managers, wanted);
  if (version !== null) return corepackProgram(corepack, place.managers, manager, version);
  return `corepack could not fetch it: ${run === null ? 'it could not be started' : firstErrorLine(text(run.stderr), text(run.stdout)) || 'no reason given'}`;
}

/** For machines without corepack, and where it cannot check what it fetched: npm checks it by the registry's checksum. */
async function byNpm(platform: Platform, { manager, version, range }: Wanted, place: ManagerPlace): Promise<ManagerProgram | null> {
  const exact = version ?? range ?? 'latest';
  const folder = join(place.managers, 'npm', `${manager}@${exact}`);
  const file = join(folder, 'node_modules', '.bin', manager);
  const name = manager === 'yarn' && range !== '1' ? '@yarnpkg/cli-dist' : manager;
  const found = { file, before: [], env: {}, label: `${manager}@${exact}`, note: null, folder: join(folder, 'node_modules', name) };
  if (await platform.files.exists(file)) return found;
  const next = join(place.managers, 'npm', `next-${platform.random.id(6)}`);
  await platform.files.mkdir(next);
  const args = ['install', '--prefix', next, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${exact}`];
  const env = { ...installEnvironment(platform, 'npm'), npm_config_cache: join(place.neutral, 'npm') };
  const run = await start(platform, { file: 'npm', args, env }, place, place.sandbox);
  if (run?.code === 0) await platform.files.rename(next, folder).catch(() => {});
  await platform.files.remove(next);
  return (await platform.files.exists(file)) ? found : null;
}

/** Registries lack a version now and then; the lockfile is read by all of the same major version. */
async function ofSameMajor(platform: Platform, wanted: Wanted, place: ManagerPlace): Promise<ManagerProgram | null> {
  const { manager, version, range } = wanted;
  if (version === null) return null;
  const other = await byNpm(platform, { ...wanted, version: null, range: range ?? majorOf(version) }, place);
  return other === null
    ? null
    : { ...other, note: `${other.label} installs in place of ${manager}@${version}, which could not be fetched` };
}

function corepackProgram(corepack: string, home: string, manager: string, version: string): ManagerProgram {
  const label = `${manager}@${version}`;
  const env = { COREPACK_HOME: home, COREPACK_ENABLE_NETWORK: '0' };
  return { file: corepack, before: [label], env, label, note: null, folder: join(home, 'v1', manager, version) };
}

/** corepack knows of no settings of npm's: without this it asks the default registry, and for yarn another host. */
async function corepackRegistry(platform: Platform, place: ManagerPlace): Promise<Record<string, string>> {
  if (platform.env['COREPACK_NPM_REGISTRY'] !== undefined) return {};
  const run = await start(
    platform,
    { file: 'npm', args: ['config', 'get', 'registry'], env: installEnvironment(platform, 'npm') },
    place,
    null,
  );
  const address = run?.code === 0 ? text(run.stdout).trim().replace(/\/+$/, '') : '';
  return /^https?:\/\//.test(address) ? { COREPACK_NPM_REGISTRY: address } : {};
}

/** The newest that fits. */
async function broughtVersion(platform: Platform, folder: string, { manager, version, range }: Wanted): Promise<string | null> {
  const names = (await platform.files.list(join(folder, 'v1', manager)).catch(() => [])).map((entry) => entry.name);
  const fitting = names.filter((name) =>
    version === null ? /^\d+\.\d+\.\d+$/.test(name) && (range === null || majorOf(name) === range) : name === version,
  );
  return fitting.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null;
}

async function onPath(platform: Platform, name: string): Promise<string | null> {
  for (const folder of (platform.env['PATH'] ?? '').split(':'))
    if (folder.startsWith('/') && (await platform.files.exists(join(folder, name)))) return join(folder, name);
  return null;
}

/** corepack stands at the managers' names where a person switched it on. */
async function isShim(platform: Platform, path: string): Promise<boolean> {
  return /\/corepack\//.test(await platform.files.realpath(path).catch(() => path));
}

async function versionOf(platform: Platform, file: string, place: ManagerPlace): Promise<string | null> {
  const run = await start(platform, { file, args: ['--version'], env: installEnvironment(platform, 'pnpm') }, place, place.sandbox);
  return run?.code === 0 ? (/^\d+\.\d+\.\d+\S*$/m.exec(text(run.stdout))?.[0] ?? null) : null;
}

async function start(
  platform: Platform,
  command: { file: string; args: readonly string[]; env: Readonly<Record<string, string>> },
  { neutral }: ManagerPlace,
  sandbox: SandboxSpec | null,
): Promise<RunResult | null> {
  return await platform.processes.run({ ...command, cwd: neutral, sandbox, timeoutMs: 300_000 }).catch(() => null);
}

function majorOf(version: string): string {
  return version.replace(/\..*$/, '');
}

function text(output: Buffer): string {
  return output.toString('utf8');
}
