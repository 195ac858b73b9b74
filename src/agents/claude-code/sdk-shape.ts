/** The parts of `@anthropic-ai/claude-agent-sdk` that are used, by shape: the package is loaded when it is there, and is no dependency. */
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export interface AgentSdk {
  query(request: { prompt: AsyncIterable<UserMessage>; options: QueryOptions }): Query;
}

export interface Query extends AsyncIterable<unknown> {
  interrupt(): Promise<unknown>;
  close?(): void;
}

export interface UserMessage {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
}

export interface SpawnRequest {
  command: string;
  args: string[];
  cwd?: string;
  env: Record<string, string | undefined>;
}

type Listener = Parameters<EventEmitter['on']>[1];

export interface SpawnedProcess {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
  on(event: string, listener: Listener): unknown;
  once(event: string, listener: Listener): unknown;
  off(event: string, listener: Listener): unknown;
}

export interface HookInput {
  hook_event_name: string;
  tool_name?: string;
  tool_input?: unknown;
  /** The level that is in force, after the program lowered it for a model that does not have it. */
  effort?: { level?: unknown };
}

export interface HookOutput {
  continue?: boolean;
  stopReason?: string;
  hookSpecificOutput?: Record<string, unknown>;
}

export interface HookMatcher {
  hooks: ((input: HookInput) => Promise<HookOutput>)[];
  onFailure?: 'continue' | 'block';
}

export interface QueryOptions {
  cwd: string;
  env: Record<string, string>;
  model: string;
  maxTurns: number;
  systemPrompt: { type: 'preset'; preset: 'claude_code'; append: string; excludeDynamicSections: boolean };
  settingSources: never[];
  permissionMode: 'bypassPermissions';
  allowDangerouslySkipPermissions: true;
  includePartialMessages: true;
  persistSession: false;
  strictMcpConfig: true;
  mcpServers: Record<string, { type: 'stdio'; command: string; args: string[]; env: Record<string, string> }>;
  disallowedTools: string[];
  effort?: string;
  hooks: Record<string, HookMatcher[]>;
  pathToClaudeCodeExecutable?: string;
  spawnClaudeCodeProcess(request: SpawnRequest): SpawnedProcess;
}
