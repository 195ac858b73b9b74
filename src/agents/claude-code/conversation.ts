/**
 * One conversation with Claude Code.
 *
 * 1. The SDK runs in this process; the program it asks for is started by the host, in the task's sandbox and in a group of its own.
 * 2. Prompts are streamed in, so that one process serves all turns. Injected text waits for the next tool result, else for the next prompt.
 * 3. `stop` interrupts, ends the group, and then whatever left it; it resolves when nothing is left and the login is back.
 */
import { CLAUDE_AGENT_TOOLS, CLAUDE_NEEDLESS_TOOLS } from '../agent-tools.ts';
import type { AgentConversation, AgentEnd, AgentErrorClass, AgentEvent, AgentHost, AgentTask } from '../contract.ts';
import { reapEscaped } from '../reap.ts';
import { claudeEnvironment, type ClaudeEnvironment } from './environment.ts';
import { MessageReader, usedAllTurns } from './messages.ts';
import type { AgentSdk, Query, QueryOptions, UserMessage, HookInput, HookMatcher, HookOutput } from './sdk-shape.ts';
import { HostedProcess } from './spawned-process.ts';
import { refusalOf } from '../tool-policy.ts';

const INTERRUPT_MS = 1_000;
const GRACE_MS = 5_000;

interface Running {
  query: Query;
  messages: AsyncIterator<unknown>;
  prompts: PromptStream;
}

export class ClaudeConversation implements AgentConversation {
  readonly manyTurns = true;
  readonly #sdk: AgentSdk;
  readonly #executable: string | null;
  readonly #task: AgentTask;
  readonly #host: AgentHost;
  readonly #reader = new MessageReader();
  /** Wakes the turn that waits for a message. */
  #onStopped: () => void = () => {};
  #running: Running | null = null;
  #starting: Promise<unknown> = Promise.resolve();
  #environment: ClaudeEnvironment | null = null;
  #process: HostedProcess | null = null;
  #injected: string[] = [];
  #busy = false;
  #overBudget: number | null = null;
  #stopping: Promise<void> | null = null;

  constructor(sdk: AgentSdk, executable: string | null, task: AgentTask, host: AgentHost) {
    this.#sdk = sdk;
    this.#executable = executable;
    this.#task = task;
    this.#host = host;
  }

  inject(text: string): void {
    if (text.trim() !== '') this.#injected.push(text);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#endEverything();
    return this.#stopping;
  }

  async *turn(prompt: string): AsyncGenerator<AgentEvent> {
    if (this.#stopping !== null) return yield ended(STOPPED);
    const estimate = this.#reader.contextTokens + Math.ceil((Buffer.byteLength(this.#task.system) + Buffer.byteLength(prompt)) / 4);
    if (this.#host.beforeRequest?.({ input_tokens: estimate }) === 'stop') return yield ended(overBudget(estimate));
    const starting = this.#begin();
    this.#starting = starting.catch(() => {});
    const running = await starting;
    if (this.#stopping !== null) return yield ended(STOPPED);
    running.prompts.push([prompt, ...this.#injected.splice(0)].join('\n\n'));
    this.#busy = true;
    try {
      yield* this.#follow(running);
    } finally {
      this.#busy = false;
    }
  }

  async *#follow({ messages }: Running): AsyncGenerator<AgentEvent> {
    const { clock } = this.#host.platform;
    while (true) {
      const next = await this.#next(messages);
      if (next === 'stopped' || this.#stopping !== null) {
        await this.#stopping;
        return yield ended(STOPPED);
      }
      if ('broken' in next || next.done) {
        const text = [this.#process?.errors ?? '', 'broken' in next ? next.broken : ''].filter((part) => part.trim() !== '').join('\n');
        return yield ended(this.#reader.brokenOff(text, clock.now()));
      }
      const { events, end } = this.#reader.read(next.value, clock.now());
      yield* events;
      if (end === null) continue;
      if (this.#overBudget !== null) return yield ended(overBudget(this.#overBudget));
      if (!usedAllTurns(next.value)) return yield ended(end);
      yield { type: 'warning', message: `the agent used all ${this.#task.maxTurns} turns of one prompt` };
      return yield ended({ kind: 'finished' });
    }
  }

  #next(messages: AsyncIterator<unknown>): Promise<IteratorResult<unknown> | { broken: string } | 'stopped'> {
    return new Promise((resolve) => {
      this.#onStopped = () => resolve('stopped');
      messages.next().then(resolve, (error: unknown) => resolve({ broken: error instanceof Error ? error.message : String(error) }));
    });
  }

  async #begin(): Promise<Running> {
    if (this.#running !== null) return this.#running;
    this.#environment ??= await claudeEnvironment(this.#host.platform, this.#task);
    const prompts = promptStream();
    const query = this.#sdk.query({ prompt: prompts.messages, options: this.#options(this.#environment.variables) });
    this.#running = { query, messages: query[Symbol.asyncIterator](), prompts };
    return this.#running;
  }

  #options(env: Record<string, string>): QueryOptions {
    const { platform } = this.#host;
    const { workspace, sandbox, system, model, maxTurns, tools } = this.#task;
    return {
      cwd: workspace,
      env,
      model,
      maxTurns,
      systemPrompt: { type: 'preset', preset: 'claude_code', append: system, excludeDynamicSections: true },
      settingSources: [],
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      includePartialMessages: true,
      persistSession: false,
      strictMcpConfig: true,
      mcpServers: Object.fromEntries(
        Object.entries(this.#task.mcpServers ?? {}).map(([name, { command, args, env: own }]) => [
          name,
          { type: 'stdio' as const, command, args: [...args], env: { ...own } },
        ]),
      ),
      disallowedTools: [
        ...CLAUDE_NEEDLESS_TOOLS,
        ...(tools.shell.enabled ? [] : ['Bash']),
        ...(this.#task.alone === true ? CLAUDE_AGENT_TOOLS : []),
      ],
      ...(this.#task.effort === undefined ? {} : { effort: this.#task.effort }),
      hooks: hooksFor(this.#task, this.#host, {
        takeInjected: () => (this.#injected.length === 0 ? null : this.#injected.splice(0).join('\n\n')),
        nextInput: () => this.#reader.contextTokens,
        onBudget: (inputTokens) => void (this.#overBudget = inputTokens),
        onEffort: (level) => void (this.#reader.effort = level),
      }),
      ...(this.#executable === null ? {} : { pathToClaudeCodeExecutable: this.#executable }),
      spawnClaudeCodeProcess: (request) => {
        const variables = Object.fromEntries(
          Object.entries(request.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
        );
        this.#process = new HostedProcess(platform, {
          file: request.command,
          args: request.args,
          cwd: request.cwd ?? workspace,
          env: variables,
          sandbox,
        });
        return this.#process;
      },
    };
  }

  async #endEverything(): Promise<void> {
    const { platform } = this.#host;
    await this.#starting;
    if (this.#running !== null && this.#busy) {
      const interrupting = this.#running.query.interrupt().catch(() => {});
      await Promise.race([interrupting, platform.clock.sleep(INTERRUPT_MS)]);
    }
    this.#running?.prompts.end();
    await this.#process?.end(GRACE_MS);
    await reapEscaped(platform, this.#task.workspace);
    await this.#environment?.giveBack();
    this.#onStopped();
  }
}

const STOPPED: AgentEnd = { kind: 'stopped' };

const ended = (end: AgentEnd): AgentEvent => ({ type: 'end', end });

function overBudget(inputTokens: number): AgentEnd {
  const errorClass: AgentErrorClass = 'budget';
  return { kind: 'failed', class: errorClass, message: `a request of about ${inputTokens} tokens would go over the budget`, retryAt: null };
}

/** Prompts as the SDK wants them: a stream that stays open between turns and ends with the conversation. */
interface PromptStream {
  messages: AsyncIterable<UserMessage>;
  push(text: string): void;
  end(): void;
}

function promptStream(): PromptStream {
  const waiting: UserMessage[] = [];
  let ended = false;
  let wake: (() => void) | undefined;

  async function* deliver(): AsyncGenerator<UserMessage> {
    while (true) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (ended) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }

  return {
    messages: { [Symbol.asyncIterator]: deliver },
    push: (text) => {
      waiting.push({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null });
      wake?.();
    },
    end: () => {
      ended = true;
      wake?.();
    },
  };
}

/**
 * What the host does between the tool calls of Claude Code.
 *
 * 1. Before a call the tool policy is asked; a refusal reaches the model as the reason. A policy that fails closes the call.
 * 2. What the program says about its effort is told on.
 * 3. After a call, injected text goes out with its result, and the host is asked whether the next request may be sent.
 */
export interface Between {
  /** Text that waits for the model; asking takes it. */
  takeInjected(): string | null;
  /** Tokens that the next request will carry, as far as known. */
  nextInput(): number;
  onBudget(inputTokens: number): void;
  onEffort(level: string): void;
}

export function hooksFor(task: AgentTask, host: AgentHost, between: Between): Record<string, HookMatcher[]> {
  const after = async (input: HookInput): Promise<HookOutput> => {
    const inputTokens = between.nextInput();
    if (host.beforeRequest?.({ input_tokens: inputTokens }) === 'stop') {
      between.onBudget(inputTokens);
      return { continue: false, stopReason: 'the budget is used up' };
    }
    const text = between.takeInjected();
    return text === null ? {} : { hookSpecificOutput: { hookEventName: input.hook_event_name, additionalContext: text } };
  };
  const first = async (input: HookInput): Promise<HookOutput> => {
    if (typeof input.effort?.level === 'string') between.onEffort(input.effort.level);
    return await before(task, host, input);
  };
  return {
    PreToolUse: [{ hooks: [first], onFailure: 'block' }],
    PostToolUse: [{ hooks: [after] }],
    PostToolUseFailure: [{ hooks: [after] }],
  };
}

async function before(task: AgentTask, host: AgentHost, input: HookInput): Promise<HookOutput> {
  if (input.tool_name?.startsWith('mcp__')) return {};
  const given = typeof input.tool_input === 'object' && input.tool_input !== null ? (input.tool_input as Record<string, unknown>) : {};
  const reason = await refusalOf(host.platform, task, given);
  if (reason === null) return {};
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } };
}
