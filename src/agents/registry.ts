/**
 * The agent backends by name: the only list of them. A new one is a row in BACKENDS and a folder beside the others.
 *
 * 1. What is asked before an agent runs stands in the row; what the running agent can do is said by the loaded object.
 * 2. A backend is loaded when it is asked for, so that a command which starts no agent does not pay for it.
 */
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';
import type { AgentBackend, BackendReport } from './contract.ts';
import type { ScenarioInput } from './scripted/scenario.ts';
import { isForeignModel } from './codex/arguments.ts';

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

export interface BackendRow {
  load(options: BackendOptions): Promise<AgentBackend>;
  /** Starts the program that `agent.command` names. */
  needsCommand: boolean;
  /** Every token is paid by the user at the provider's price, so a model without a known price is refused. */
  isPriced: boolean;
  /** Hands MCP servers on to its agent. */
  takesMcp: boolean;
  /** Levels of effort that it hands on to its agent. */
  efforts: readonly string[];
  /** Variables by which its agent logs in, as its own documentation names them: they reach it without being named in `agent.env`. */
  loginVariables: readonly string[];
  /** Hidden tests are written for its work unless the settings say otherwise. */
  isExamined: boolean;
  /** A program of the user's own: it gets exactly the variables of the contract. */
  isOwnProgram: boolean;
  /** Whether it works with the model that the settings name; if not, its model is its own choice. */
  servesModel(model: string): boolean;
}

const ROWS = {
  'claude-code': {
    load: async () => (await import('./claude-code/backend.ts')).claudeCodeBackend(),
    needsCommand: false,
    isPriced: true,
    takesMcp: true,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    loginVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'CLAUDE_CODE_OAUTH_TOKEN'],
    isExamined: true,
    isOwnProgram: false,
    servesModel: () => true,
  },
  anthropic: {
    load: async (options) => (await import('./anthropic/backend.ts')).anthropicBackend(options),
    needsCommand: false,
    isPriced: true,
    takesMcp: true,
    efforts: [],
    loginVariables: [],
    isExamined: true,
    isOwnProgram: false,
    servesModel: () => true,
  },
  codex: {
    load: async () => (await import('./codex/backend.ts')).codexBackend(),
    needsCommand: false,
    isPriced: false,
    takesMcp: true,
    efforts: ['low', 'medium', 'high', 'xhigh'],
    loginVariables: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    isExamined: true,
    isOwnProgram: false,
    servesModel: (model) => !isForeignModel(model),
  },
  acp: {
    load: async (options) => (await import('./acp/backend.ts')).acpBackend({ command: options.command ?? null }),
    needsCommand: true,
    isPriced: false,
    takesMcp: true,
    efforts: [],
    loginVariables: [],
    isExamined: true,
    isOwnProgram: false,
    servesModel: () => false,
  },
  command: {
    load: async (options) => (await import('./command/backend.ts')).commandBackend({ command: options.command ?? null }),
    needsCommand: true,
    isPriced: false,
    takesMcp: false,
    efforts: [],
    loginVariables: [],
    isExamined: false,
    isOwnProgram: true,
    servesModel: () => false,
  },
  scripted: {
    load: async (options) => (await import('./scripted/backend.ts')).scriptedBackend(options),
    needsCommand: false,
    isPriced: false,
    takesMcp: false,
    efforts: [],
    loginVariables: [],
    isExamined: false,
    isOwnProgram: false,
    servesModel: () => true,
  },
} as const satisfies Record<string, BackendRow>;

export type BackendName = keyof typeof ROWS;

export const BACKENDS: Readonly<Record<BackendName, BackendRow>> = ROWS;

export const BACKEND_NAMES = Object.keys(BACKENDS) as [BackendName, ...BackendName[]];

/** Of a new project. */
export const DEFAULT_BACKEND: BackendName = 'claude-code';
/** Where only a command was named. */
export const COMMAND_BACKEND: BackendName = 'command';

export function isBackend(name: string | null): name is BackendName {
  return name !== null && Object.hasOwn(BACKENDS, name);
}

/** The model as it is recorded and shown; empty if the agent chooses its own. An unknown backend keeps the model it was given. */
export function workingModel(backend: string, model: string): string {
  return !isBackend(backend) || BACKENDS[backend].servesModel(model) ? model : '';
}

/** Throws a usage error for a name that is unknown. */
export async function createBackend(name: string, options: BackendOptions = {}): Promise<AgentBackend> {
  if (!isBackend(name))
    throw usageError(`There is no agent backend named ${name}.`, 'field: agent.backend', `fix: use one of ${BACKEND_NAMES.join(', ')}`);
  return BACKENDS[name].load(options);
}

/** Every backend and whether it can start here, in the order of the table. */
export async function checkBackends(platform: Platform, options: BackendOptions = {}): Promise<BackendReport[]> {
  const reports: BackendReport[] = [];
  for (const name of BACKEND_NAMES) reports.push(await (await BACKENDS[name].load(options)).check(platform));
  return reports;
}
