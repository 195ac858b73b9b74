/** Where a project keeps its state: `.harness`, unless its settings name another place. */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';

/** Settings are only parsed when they speak of it, because every command starts here. Broken ones are reported by whoever needs them. */
export async function findStateDir(platform: Platform, root: string): Promise<string> {
  const text = await platform.files.readTextIfExists(join(root, '.harness.yaml')).catch(() => null);
  if (text === null || !text.includes('state_dir')) return join(root, '.harness');
  const { parseConfig } = await import('../config/read-config.ts');
  return join(root, parseConfig(text).config?.paths.state_dir ?? '.harness');
}
