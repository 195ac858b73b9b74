/**
 * The agent backends by name. A new one is a line in BACKENDS and a folder beside the others.
 *
 * Each is loaded when it is asked for, so that a command which starts no agent does not pay for them.
 */
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { AgentBackend, BackendReport } from './contract.ts';
import type { ScenarioInput } from './scripted/scenario.ts';

export interface BackendOptions {
  /** `agent.command`, for the backends that start a program. */
  command?: string | null;
  /** For `scripted`: a scenario or the path of one. */
  scenario?: ScenarioInput | string | null;
  apiKey?: string;
  baseUrl?: string;
  idleTimeoutMs?: number;
  maxOutputTokens?: number;
}

interface BackendEntry {
  load(options: BackendOptions): Promise<AgentBackend>;
}

const BACKENDS = {
  'claude-code': { load: async () => (await import('./claude-code/backend.ts')).claudeCodeBackend() },
  anthropic: { load: async (options) => (await import('./anthropic/backend.ts')).anthropicBackend(options) },
  codex: { load: async () => (await import('./codex/backend.ts')).codexBackend() },
  acp: { load: async (options) => (await import('./acp/backend.ts')).acpBackend({ command: options.command ?? null }) },
  command: { load: async (options) => (await import('./command/backend.ts')).commandBackend({ command: options.command ?? null }) },
  scripted: { load: async (options) => (await import('./scripted/backend.ts')).scriptedBackend(options) },
} satisfies Record<string, BackendEntry>;

export type BackendName = keyof typeof BACKENDS;

export const BACKEND_NAMES = Object.keys(BACKENDS) as BackendName[];

/** Throws a usage error for a name that is unknown. */
export async function createBackend(name: string, options: BackendOptions = {}): Promise<AgentBackend> {
  const entry = entryOf(name);
  if (entry === null)
    throw usageError(`There is no agent backend named ${name}.`, 'field: agent.backend', `fix: use one of ${BACKEND_NAMES.join(', ')}`);
  return entry.load(options);
}

/** Every backend and whether it can start here, in the order of the table. */
export async function checkBackends(platform: Platform, options: BackendOptions = {}): Promise<BackendReport[]> {
  const reports: BackendReport[] = [];
  for (const name of BACKEND_NAMES) reports.push(await (await BACKENDS[name].load(options)).check(platform));
  return reports;
}

function entryOf(name: string): BackendEntry | null {
  return Object.hasOwn(BACKENDS, name) ? BACKENDS[name as BackendName] : null;
}
