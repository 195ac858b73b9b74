/** Where a project keeps its state, relative to its root: `.harness`, unless its settings name another folder. */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';

/** Settings are only parsed when they speak of it, because every command starts here. Broken ones are reported by whoever needs them. */
export async function findStateDir(platform: Platform, root: string): Promise<string> {
  const text = await platform.files.readTextIfExists(join(root, '.harness.yaml')).catch(() => null);
  if (text === null || !text.includes('state_dir')) return '.harness';
  const { parseConfig } = await import('../config/read-config.ts');
  return parseConfig(text).config?.paths.state_dir ?? '.harness';
}
