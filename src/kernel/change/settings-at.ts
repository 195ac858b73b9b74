/** The settings that judge a change: those of its base, tightened by the user's own. A base without settings is judged by the command found in it. */
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { listTree } from '../../config/detect.ts';
import { CONFIG_FILE } from '../../config/read-config.ts';
import type { Config } from '../../config/schema.ts';
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { TreeStore } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import { chooseCommands } from '../ground/commands.ts';
import { placeSettings } from '../place-settings.ts';

export async function settingsAt(platform: Platform, root: string, trees: TreeStore, tree: string): Promise<Config> {
  const read = async (path: string): Promise<string | null> => (await trees.read(tree, path))?.toString('utf8') ?? null;
  const configText = (await read(CONFIG_FILE)) ?? (await foundSettings(root, trees, tree, read));
  const { config } = await placeSettings(platform, root, { needs: 'project', configText });
  return {
    ...config,
    verification: { ...config.verification, harness_verify: true, regression_check: true, require_evidence: false, red_check: true },
  };
}

async function foundSettings(
  root: string,
  trees: TreeStore,
  tree: string,
  read: (path: string) => Promise<string | null>,
): Promise<string> {
  const paths = (await trees.list(tree)).map(({ path }) => path);
  const { test_cmd: full } = chooseCommands(await listTree(paths, read));
  if (full === null)
    throw new HarnessError('No test command was found in the base commit.', {
      exitCode: EXIT.preflight,
      reasons: ['test.none_ran'],
      details: [`fix: commit a ${CONFIG_FILE} with testing.full, for example "npm test"`],
    });
  return stringify({ project: { name: basename(root) || 'project' }, testing: { full } });
}
