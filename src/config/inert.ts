/** Settings that are read and checked but that nothing acts on yet; `harness doctor` names those that a project sets. */
import type { Config } from './schema.ts';

export const INERT_KEYS: readonly { key: string; set(config: Config): boolean }[] = [
  { key: 'project.github_repo', set: (config) => config.project.github_repo !== null },
  { key: 'github.repo', set: (config) => config.github.repo !== null },
  { key: 'github.sync_mode', set: (config) => config.github.sync_mode !== 'mirror' },
  { key: 'github.sync_on_session_end', set: (config) => !config.github.sync_on_session_end },
  { key: 'github.create_missing_issues', set: (config) => !config.github.create_missing_issues },
  { key: 'github.close_on_verify', set: (config) => !config.github.close_on_verify },
  { key: 'github.on_sync_failure', set: (config) => config.github.on_sync_failure !== 'warn' },
  { key: 'logging.require_prefixes', set: (config) => config.logging.require_prefixes },
  { key: 'workspace.mode', set: (config) => config.workspace.mode !== 'copy' },
  { key: 'workspace.wip_on_branch', set: (config) => config.workspace.wip_on_branch },
  { key: 'lanes.max', set: (config) => config.lanes.max !== 1 },
];

/** Keys of this project's settings that have no effect yet. */
export function inertKeys(config: Config): string[] {
  return INERT_KEYS.filter((entry) => entry.set(config)).map((entry) => entry.key);
}
