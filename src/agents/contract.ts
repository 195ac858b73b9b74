/**
 * The agent contract, version 1.
 *
 * 1. The host owns workspace, lifecycle and watch; a backend only translates its agent's stream into events.
 * 2. One conversation is one context window. `turn` yields events and ends with exactly one `end` event.
 * 3. What not every agent can do is an optional member: `inject`, `resume`, and more than one turn.
 * 4. `stop` resolves only when no process of the conversation is left.
 * 5. A backend never throws for what an agent or a provider did: that is an `end` with a class.
 */
import type { Usage } from '../domain/money.ts';
import type { StateFolder } from '../platform/agent-state.ts';
import type { Platform } from '../platform/platform.ts';
import type { SandboxSpec } from '../platform/sandbox.ts';

export interface ToolPolicy {
  filesystem: { enabled: boolean; allowed_paths: string[]; denied_paths: string[] };
  shell: { enabled: boolean; timeout_seconds: number; denied_commands: string[] };
}

/** A tool server of the Model Context Protocol that the agent starts; its environment is the agent's plus this one. */
export interface McpServer {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

export interface AgentTask {
  /** `<flow>/<role>`, e.g. `project/coding` */
  role: string;
  session: number;
  feature: number | null;
  /** Newline-separated in the environment of its programs. */
  testFiles: readonly string[];
  /** Absolute path of the file that the role has to write, where it has one. */
  outputFile: string | null;
  /** Model id as the provider knows it. */
  model: string;
  /** Byte-stable across sessions of a role: goes first, and is cached. */
  system: string;
  /** Absolute path of the directory the agent works in. */
  workspace: string;
  /** Private temporary directory of the session. */
  temporary: string;
  /** Every variable the agent may see, apart from the HARNESS_* ones that the backend adds. */
  env: Readonly<Record<string, string>>;
  /** null: no sandbox, process group only. */
  sandbox: SandboxSpec | null;
  tools: ToolPolicy;
  /** Upper bound of turns inside the agent's own loop. */
  maxTurns: number;
  /** How hard the agent should think; only given to backends that take it (`BackendRow.efforts`). */
  effort?: string;
  /** It gets no tool that starts other agents. */
  alone?: true;
  /** By name, for the backends that can hand them on. */
  mcpServers?: Readonly<Record<string, McpServer>>;
}

/** `start`: no agent ran at all. */
export type AgentErrorClass = 'start' | 'auth' | 'unavailable' | 'usage_limit' | 'context_too_long' | 'agent' | 'budget' | 'aborted';

export type AgentEvent =
  /** `aside`: printed beside what the agent says, as on a program's error output. */
  | { type: 'text'; text: string; aside?: true }
  | { type: 'tool'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; id: string; name: string; ok: boolean; output: string }
  /** Usage of one request; `context_tokens` is what now fills the window; `effort` the level that it was sent with, where the agent says so. */
  | { type: 'usage'; usage: Usage; context_tokens: number; cost_usd: number | null; estimated: boolean; effort?: string }
  | { type: 'retry'; class: AgentErrorClass; message: string; at: number }
  /** `isError`: the agent itself reported it as an error. */
  | { type: 'warning'; message: string; isError?: true }
  | { type: 'end'; end: AgentEnd };

export type AgentEnd =
  | { kind: 'finished' }
  | { kind: 'stopped' }
  | {
      kind: 'failed';
      class: AgentErrorClass;
      message: string;
      /** Epoch milliseconds, where the provider says when to try again. */ retryAt: number | null;
    };

export interface AgentConversation {
  /** One turn of the host: the first carries the session's prompt. */
  turn(prompt: string): AsyncIterable<AgentEvent>;
  /** Goes on with a turn that a usage limit ended, without saying anything. Absent: the agent has to be started again. */
  resume?(): AsyncIterable<AgentEvent>;
  /** Text for the agent while it works; it arrives with the next tool result. Absent: the agent cannot be reached mid-turn. */
  inject?(text: string): void;
  /** Whether `turn` may be called again after `finished`. */
  readonly manyTurns: boolean;
  /** Interrupts, then ends every process. */
  stop(): Promise<void>;
}

/** What the host decides before a request is sent. */
export interface AgentHost {
  platform: Platform;
  /** Called before each request with the tokens it will carry; `stop` ends the turn with class `budget`. */
  beforeRequest?(estimate: { input_tokens: number }): 'go' | 'stop';
}

export interface BackendReport {
  name: string;
  found: boolean;
  version: string | null;
  can_start: boolean;
  detail: string;
  install: string | null;
}

export interface AgentBackend {
  readonly name: string;
  /** exact: from the provider; reported: if the agent says so; none: never. */
  readonly usage: 'exact' | 'reported' | 'none';
  start(task: AgentTask, host: AgentHost): Promise<AgentConversation>;
  /** Directories of the user's that the agent has to write: in a sandbox it gets private copies of them. Absent: none. */
  stateDirectories?(env: Readonly<Record<string, string>>): StateFolder[];
  /** Whether the agent works with this model; if not, it uses its own default, whose price is not the model's. Absent: it does. */
  servesModel?(model: string): boolean;
  check(platform: Platform): Promise<BackendReport>;
}
