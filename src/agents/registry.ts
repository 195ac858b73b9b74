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

type BackendEntry = { load(options: BackendOptions): Promise<AgentBackend> } | { planned: string };

const BACKENDS = {
  'claude-code': { load: async () => (await import('./claude-code/backend.ts')).claudeCodeBackend() },
  anthropic: { load: async (options) => (await import('./anthropic/backend.ts')).anthropicBackend(options) },
  codex: { load: async () => (await import('./codex/backend.ts')).codexBackend() },
  acp: { planned: 'agents that speak the Agent Client Protocol' },
  command: { load: async (options) => (await import('./command/backend.ts')).commandBackend({ command: options.command ?? null }) },
  scripted: { load: async (options) => (await import('./scripted/backend.ts')).scriptedBackend(options) },
} satisfies Record<string, BackendEntry>;

export type BackendName = keyof typeof BACKENDS;

export const BACKEND_NAMES = Object.keys(BACKENDS) as BackendName[];

/** Throws a usage error for a name that is unknown or not built into this version. */
export async function createBackend(name: string, options: BackendOptions = {}): Promise<AgentBackend> {
  const entry = entryOf(name);
  if (entry === null) throw usageError(`There is no agent backend named ${name}.`, 'field: agent.backend', `fix: use one of ${BACKEND_NAMES.join(', ')}`);
  if ('planned' in entry) throw usageError(unavailable(name), 'field: agent.backend', `fix: use one of ${loadableNames().join(', ')}`);
  return entry.load(options);
}

/** Every backend and whether it can start here, in the order of the table. */
export async function checkBackends(platform: Platform, options: BackendOptions = {}): Promise<BackendReport[]> {
  const reports: BackendReport[] = [];
  for (const name of BACKEND_NAMES) reports.push(await checkBackend(platform, name, options));
  return reports;
}

async function checkBackend(platform: Platform, name: BackendName, options: BackendOptions): Promise<BackendReport> {
  const entry: BackendEntry = BACKENDS[name];
  if ('load' in entry) return (await entry.load(options)).check(platform);
  return { name, found: false, version: null, can_start: false, detail: `${entry.planned}: ${unavailable(name)}`, install: null };
}

function entryOf(name: string): BackendEntry | null {
  return Object.hasOwn(BACKENDS, name) ? BACKENDS[name as BackendName] : null;
}

function loadableNames(): string[] {
  return BACKEND_NAMES.filter((name) => 'load' in BACKENDS[name]);
}

function unavailable(name: string): string {
  return `the ${name} backend is not part of this version`;
}
