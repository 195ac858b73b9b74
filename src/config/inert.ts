/** Settings that are read and checked but that nothing acts on yet; `harness doctor` names those that a project sets. */
import type { Config } from './schema.ts';

export const INERT_KEYS: readonly { key: string; set(config: Config): boolean }[] = [
  { key: 'logging.require_prefixes', set: (config) => config.logging.require_prefixes },
  { key: 'workspace.wip_on_branch', set: (config) => config.workspace.wip_on_branch },
];

/** Keys of this project's settings that have no effect yet. */
export function inertKeys(config: Config): string[] {
  return INERT_KEYS.filter((entry) => entry.set(config)).map((entry) => entry.key);
}
