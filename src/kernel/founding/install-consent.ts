/** What a repository would do before a person has seen any of it: run without a sandbox, or fetch from places that the user never named. */
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { loadConfig } from '../../config/read-config.ts';
import {
  harnessHome,
  isUnconfined,
  loadSettings,
  loadUserSettings,
  mergeUserSettings,
  type UserSettings,
} from '../../config/user-settings.ts';
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
  if (await isUnconfined(platform, root, user)) return null;
  const hasSettings = await platform.files.exists(join(root, '.harness.yaml'));
  const asked = hasSettings ? mergeUserSettings((await loadConfig(platform, root)).config, user, true).config.sandbox : user.sandbox;
  const chosen = await chosenSandbox(platform, asked?.mode ?? 'auto');
  return chosen.hides ? null : chosen.detail;
}

export async function allowUnconfined(platform: Platform, root: string): Promise<void> {
  const place = await platform.files.realpath(root);
  await allow(platform, ['sandbox', 'unconfined'], ({ sandbox }) => sandbox?.unconfined, [place]);
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
export async function requireInstalled(platform: Platform, root: string, known: Dependencies | null): Promise<void> {
  const result = known ?? (await installAtHead(platform, root));
  if (result?.failed === true) throw notInstalled(result.detail);
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

/** Into the user's own settings, which stay as they are otherwise. */
async function allow(
  platform: Platform,
  key: readonly string[],
  known: (user: UserSettings) => readonly string[] | undefined,
  added: readonly string[],
): Promise<void> {
  const folder = harnessHome(platform);
  const file = join(folder, 'config.yaml');
  const document = parseDocument((await platform.files.readTextIfExists(file)) ?? '');
  if (document.errors.length > 0) throw usageError(`${file} cannot be read.`, 'Repair it and run the command again.');
  const before = known(await loadUserSettings(platform)) ?? [];
  document.setIn(key, [...new Set([...before, ...added])]);
  await platform.files.mkdir(folder);
  await platform.files.writeAtomic(file, document.toString({ lineWidth: 0 }));
}
