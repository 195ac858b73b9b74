/** What a repository would do before a person has seen any of it: run without a sandbox, or fetch from places that the user never named. */
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { loadConfig } from '../../config/read-config.ts';
import {
  allowedToAll,
  harnessHome,
  loadSettings,
  loadUserSettings,
  mergeUserSettings,
  type UserSettings,
} from '../../config/user-settings.ts';
import { consentFor, wishesOf, type Grant, type Wishes } from '../../config/project-consent.ts';
import type { Emit } from '../../domain/event.ts';
import { usageError } from '../../domain/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import { ensureDependencies, notInstalled, type Dependencies } from '../../workspace/dependencies.ts';
import { openHome, type Home } from '../../workspace/home.ts';
import { createTreeStore } from '../../workspace/tree-store.ts';

/** Why nothing would be confined; null: everything is, the user has allowed it, or there is nothing yet. */
export async function whyUnconfined(platform: Platform, root: string): Promise<string | null> {
  if ((await headOf(platform, root)) === null) return null;
  const user = await loadUserSettings(platform);
  const consent = await consentFor(platform, root, user);
  if (consent.unconfined) return null;
  const hasSettings = await platform.files.exists(join(root, '.harness.yaml'));
  const asked = hasSettings
    ? mergeUserSettings((await loadConfig(platform, root)).config, user, { ...consent, unconfined: true }).config.sandbox
    : user.sandbox;
  const chosen = await chosenSandbox(platform, asked?.mode ?? 'auto');
  return chosen.hides ? null : chosen.detail;
}

export async function allowUnconfined(platform: Platform, root: string): Promise<void> {
  const place = await platform.files.realpath(root);
  await allow(platform, ['sandbox', 'unconfined'], ({ sandbox }) => sandbox?.unconfined, [place]);
}

/** What the settings of the repository ask for and the user has not allowed yet; null: nothing, or there are no settings. */
export async function agentWishes(platform: Platform, root: string): Promise<Wishes | null> {
  if (!(await platform.files.exists(join(root, '.harness.yaml')))) return null;
  const user = await loadUserSettings(platform);
  const wishes = wishesOf((await loadConfig(platform, root)).config, await consentFor(platform, root, user), allowedToAll(user));
  return wishes.env.length + wishes.mcp_servers.length > 0 || wishes.command !== null || wishes.network ? wishes : null;
}

/** Beside what was allowed before. */
export async function grantToAgents(platform: Platform, root: string, { env, command, mcp_servers, network }: Wishes): Promise<void> {
  const place = await platform.files.realpath(root);
  const known: Grant = (await loadUserSettings(platform)).agent?.granted?.[place] ?? {};
  await change(platform, ['agent', 'granted', place], {
    ...known,
    ...(env.length === 0 ? {} : { env: [...new Set([...(known.env ?? []), ...env])] }),
    ...(command === null ? {} : { command }),
    ...(mcp_servers.length === 0 ? {} : { mcp_servers: [...new Set([...(known.mcp_servers ?? []), ...mcp_servers])] }),
    ...(network ? { network } : {}),
  });
}

/** The user has named it just now, and it becomes the project's. */
export async function grantCommand(platform: Platform, root: string, command: string | null): Promise<void> {
  if (command !== null) await grantToAgents(platform, root, { env: [], command, mcp_servers: [], network: false });
}

/** What the tests of HEAD need, installed; `asked` of a failure: places that the user's settings do not name. Null: there is nothing yet. */
export async function installAtHead(platform: Platform, root: string): Promise<Dependencies | null> {
  const home = await headOf(platform, root);
  if (home === null) return null;
  return await ensureDependencies(platform, {
    store: createTreeStore(platform, home),
    tree: home.head,
    harnessHome: harnessHome(platform),
    root: home.root,
    stateDir: await stateFolderOf(platform, root),
  });
}

/** Ends the command where it cannot be installed: nothing could be said about the project. `known`: a try that was made already. */
export async function requireInstalled(platform: Platform, root: string, known: Dependencies | null, emit: Emit): Promise<void> {
  const result = known ?? (await installAtHead(platform, root));
  if (result?.failed === true) throw notInstalled(result.detail);
  if (result?.note !== undefined) emit({ type: 'warning', message: result.note });
}

export async function stateFolderOf(platform: Platform, root: string): Promise<string> {
  const hasSettings = await platform.files.exists(join(root, '.harness.yaml'));
  return join(root, hasSettings ? (await loadSettings(platform, root)).config.paths.state_dir : '.harness');
}

export async function headOf(platform: Platform, root: string): Promise<(Home & { head: string }) | null> {
  const home = await openHome(platform, root).catch(() => null);
  return home === null || home.head === null ? null : { ...home, head: home.head };
}

export async function allowSources(platform: Platform, sources: readonly string[]): Promise<void> {
  await allow(platform, ['dependencies', 'sources'], ({ dependencies }) => dependencies?.sources, sources);
}

async function allow(
  platform: Platform,
  key: readonly string[],
  known: (user: UserSettings) => readonly string[] | undefined,
  added: readonly string[],
): Promise<void> {
  const before = known(await loadUserSettings(platform)) ?? [];
  await change(platform, key, [...new Set([...before, ...added])]);
}

/** Into the user's own settings, which stay as they are otherwise. */
async function change(platform: Platform, key: readonly string[], value: unknown): Promise<void> {
  const folder = harnessHome(platform);
  const file = join(folder, 'config.yaml');
  const document = parseDocument((await platform.files.readTextIfExists(file)) ?? '');
  if (document.errors.length > 0) throw usageError(`${file} cannot be read.`, 'Repair it and run the command again.');
  document.setIn(key, value);
  await platform.files.mkdir(folder);
  await platform.files.writeAtomic(file, document.toString({ lineWidth: 0 }));
}
