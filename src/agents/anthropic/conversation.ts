/**
 * The built-in agent loop.
 *
 * 1. The messages array belongs to this class; it only grows, by whole messages, and never holds a half response.
 * 2. Injected text waits for the next user message and stands there after the tool results.
 * 3. Before each request the host is asked; each response is followed by its exact usage.
 * 4. `stop` aborts the request or the running tool, and resolves when no process of the conversation is left.
 */
import { contextTokens } from '../../domain/money.ts';
import type { AgentConversation, AgentEnd, AgentErrorClass, AgentEvent, AgentHost, AgentTask } from '../contract.ts';
import { reapEscaped } from '../reap.ts';
import type { AssembledResponse } from './assemble.ts';
import { receive } from './receive.ts';
import { decideRetry, failureClass, type FailureKind } from './retry.ts';
import type { McpTools } from './tools/mcp.ts';
import type { ToolOutcome } from './tools/tool.ts';
import { toolbox, type Toolbox } from './tools/toolbox.ts';
import type { Block, Message, SendRequest, StreamingRequest, ToolResult, ToolUse, TextBlock, ToolDefinition } from './wire.ts';

export interface LoopOptions {
  send: SendRequest;
  idleTimeoutMs: number;
  maxOutputTokens: number;
  /** Tools of MCP servers; absent: none. */
  mcp?: McpTools;
  /** Called once, after everything of the conversation is gone. */
  onStopped?(): Promise<void>;
}

type Responded = { response: AssembledResponse } | { end: AgentEnd };

export class LoopConversation implements AgentConversation {
  readonly manyTurns = true;
  readonly #task: AgentTask;
  readonly #host: AgentHost;
  readonly #options: LoopOptions;
  readonly #tools: Toolbox;
  readonly #abort = new AbortController();
  readonly #messages: Message[] = [];
  #injected: string[] = [];
  #warnings: string[];
  #working: Promise<unknown> = Promise.resolve();
  #stopping: Promise<void> | null = null;
  /** Tokens of the window as the provider counted them, and bytes added since. */
  #known = 0;
  #added: number;

  constructor(task: AgentTask, host: AgentHost, options: LoopOptions) {
    this.#task = task;
    this.#host = host;
    this.#options = options;
    this.#tools = toolbox(task.tools, options.mcp?.tools);
    this.#warnings = [...(options.mcp?.warnings ?? [])];
    this.#added = Buffer.byteLength(JSON.stringify(this.#tools.definitions)) + Buffer.byteLength(task.system);
  }

  inject(text: string): void {
    if (text.trim() !== '') this.#injected.push(text);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#endEverything();
    return this.#stopping;
  }

  async *turn(prompt: string): AsyncGenerator<AgentEvent> {
    for (const message of this.#warnings.splice(0)) yield { type: 'warning', message };
    this.#say([{ type: 'text', text: prompt }]);
    yield* this.resume();
  }

  /** The last message is the user's whenever a response is missing: asking again continues the turn. */
  async *resume(): AsyncGenerator<AgentEvent> {
    let cuts = 0;
    for (let turns = 0; turns < this.#task.maxTurns; turns += 1) {
      const responded = yield* this.#respond();
      if ('end' in responded) return yield { type: 'end', end: responded.end };
      const { response } = responded;
      if (response.content.length > 0) this.#append({ role: 'assistant', content: response.content });
      this.#known = contextTokens(response.usage);
      this.#added = 0;
      yield { type: 'usage', usage: response.usage, context_tokens: this.#known, cost_usd: null, estimated: false };
      const next = nextMove(response, cuts);
      cuts = response.stopReason === 'max_tokens' || response.stopReason === 'pause_turn' ? cuts + 1 : 0;
      if (next.move === 'fail') return yield { type: 'end', end: failed(next.class, next.message) };
      if (next.move === 'finish') return yield* finished(next.warning);
      const results = yield* this.#runTools(response.toolUses);
      if (results === null) return yield { type: 'end', end: STOPPED };
      this.#say([...results, ...(next.note === null ? [] : [{ type: 'text' as const, text: next.note }])]);
    }
    yield* finished(`the agent used all ${this.#task.maxTurns} turns of one prompt`);
  }

  /** One complete response, over as many requests as the table of retries allows. */
  async *#respond(): AsyncGenerator<AgentEvent, Responded> {
    const { clock } = this.#host.platform;
    const signal = this.#abort.signal;
    const earlier = new Map<FailureKind, number>();
    while (true) {
      if (signal.aborted) return { end: STOPPED };
      const estimate = this.#known + Math.ceil(this.#added / 4);
      if (this.#host.beforeRequest?.({ input_tokens: estimate }) === 'stop')
        return { end: failed('budget', `a request of about ${estimate} tokens would go over the budget`) };
      const received = yield* receive(this.#options.send, this.#request(), { clock, idleTimeoutMs: this.#options.idleTimeoutMs, signal });
      if (signal.aborted) return { end: STOPPED };
      if (received.ok) return { response: received.response };
      const { failure } = received;
      const before = earlier.get(failure.kind) ?? 0;
      earlier.set(failure.kind, before + 1);
      const decision = decideRetry(failure, before, clock.now());
      if (decision.action === 'fail')
        return { end: { kind: 'failed', class: decision.class, message: failure.message, retryAt: decision.retryAt } };
      yield { type: 'retry', class: failureClass(failure.kind), message: failure.message, at: clock.now() + decision.delayMs };
      await clock.sleep(decision.delayMs, signal);
    }
  }

  #request(): StreamingRequest {
    const { definitions } = this.#tools;
    const system = markedSystem(this.#task.system);
    return {
      model: this.#task.model,
      max_tokens: this.#options.maxOutputTokens,
      ...(definitions.length === 0 ? {} : { tools: markedTools(definitions) }),
      ...(system.length === 0 ? {} : { system }),
      messages: markedMessages(this.#messages),
      stream: true,
    };
  }

  /** The results in the order of the calls; null when the conversation was stopped meanwhile. */
  async *#runTools(uses: readonly ToolUse[]): AsyncGenerator<AgentEvent, Block[] | null> {
    const results: Block[] = [];
    for (const use of uses) {
      yield { type: 'tool', id: use.id, name: use.name, input: use.input as Record<string, unknown> };
      const outcome = await this.#run(use);
      if (outcome === null) return null;
      yield { type: 'tool_result', id: use.id, name: use.name, ok: outcome.ok, output: outcome.output };
      results.push({
        type: 'tool_result',
        tool_use_id: use.id,
        content: contentOf(outcome),
        ...(outcome.ok ? {} : { is_error: true }),
      });
    }
    return this.#abort.signal.aborted ? null : results;
  }

  async #run(use: ToolUse): Promise<ToolOutcome | null> {
    const { signal } = this.#abort;
    if (signal.aborted) return null;
    const running = this.#tools.run({ platform: this.#host.platform, task: this.#task, signal }, use);
    this.#working = running;
    const outcome = await running;
    return signal.aborted ? null : outcome;
  }

  /** A user message: what it is about first, then what the host injected. */
  #say(blocks: readonly Block[]): void {
    const injected = this.#injected.map((text) => ({ type: 'text' as const, text }));
    this.#injected = [];
    this.#append({ role: 'user', content: [...blocks, ...injected] });
  }

  #append(message: Message): void {
    this.#messages.push(message);
    this.#added += Buffer.byteLength(JSON.stringify(message.content));
  }

  async #endEverything(): Promise<void> {
    this.#abort.abort();
    await this.#working;
    await this.#options.mcp?.close();
    await reapEscaped(this.#host.platform, this.#task.workspace);
    await this.#options.onStopped?.();
  }
}

function contentOf({ output, pictures = [] }: ToolOutcome): ToolResult['content'] {
  const words = output === '' ? '(empty)' : output;
  if (pictures.length === 0) return words;
  return [
    { type: 'text', text: words },
    ...pictures.map(({ mediaType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: mediaType, data },
    })),
  ];
}

const STOPPED: AgentEnd = { kind: 'stopped' };

function failed(errorClass: AgentErrorClass, message: string): AgentEnd {
  return { kind: 'failed', class: errorClass, message, retryAt: null };
}

async function* finished(warning: string | null): AsyncGenerator<AgentEvent> {
  if (warning !== null) yield { type: 'warning', message: warning };
  yield { type: 'end', end: { kind: 'finished' } };
}

/**
 * Prompt-cache marks: on the tools and on the system text for an hour, on the last block of the last two requests.
 *
 * 1. Marks are set when a request is made and never stored, so the messages before the last stay byte-identical.
 * 2. Four marks in all, which is what the provider allows.
 * 3. The provider looks for what it has stored up to twenty blocks before a mark. One step may bring more than that, so the end of the request before
 *    this one is marked as well. Roles that have the same tools share them, whatever else they are told.
 */
const AN_HOUR = { type: 'ephemeral', ttl: '1h' } as const;

function markedTools(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, cache_control: AN_HOUR } : tool));
}

function markedSystem(system: string): TextBlock[] {
  return system === '' ? [] : [{ type: 'text', text: system, cache_control: AN_HOUR }];
}

function markedMessages(messages: readonly Message[]): Message[] {
  const ends = messages.flatMap(({ role }, at) => (role === 'user' || at === messages.length - 1 ? [at] : [])).slice(-2);
  return messages.map((message, at) => (ends.includes(at) ? marked(message) : message));
}

function marked(message: Message): Message {
  const blocks = [...message.content];
  const block = blocks.at(-1);
  if (block !== undefined) blocks[blocks.length - 1] = { ...block, cache_control: { type: 'ephemeral' } } as Block;
  return { ...message, content: blocks };
}

/**
 * What the loop does after a complete response.
 *
 * 1. Tool calls are always answered, whatever the stop reason says, unless the conversation ends there.
 * 2. A reply cut by the output limit is continued, at most MOST_CUTS times in a row.
 */
type NextMove =
  | { move: 'tools' | 'continue'; note: string | null }
  | { move: 'finish'; warning: string | null }
  | { move: 'fail'; class: AgentErrorClass; message: string };

const MOST_CUTS = 3;

const FINISHING: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use']);

function nextMove(response: Pick<AssembledResponse, 'stopReason' | 'toolUses' | 'unfinished'>, earlierCuts: number): NextMove {
  const { stopReason } = response;
  if (stopReason === 'refusal') return { move: 'fail', class: 'agent', message: 'the model declined to go on' };
  if (stopReason === 'model_context_window_exceeded')
    return { move: 'fail', class: 'context_too_long', message: "the model's context window is full" };
  const cut = stopReason === 'max_tokens' || stopReason === 'pause_turn';
  if (cut && earlierCuts >= MOST_CUTS)
    return { move: 'fail', class: 'agent', message: `the reply was cut at the output limit ${earlierCuts + 1} times in a row` };
  const note = stopReason === 'max_tokens' ? cutNote(response.unfinished) : null;
  if (response.toolUses.length > 0) return { move: 'tools', note };
  if (cut) return { move: 'continue', note: note ?? 'Please go on.' };
  return {
    move: 'finish',
    warning: FINISHING.has(stopReason) ? null : `the model stopped for a reason that is not known here: ${stopReason}`,
  };
}

function cutNote(unfinished: readonly string[]): string {
  const lost = unfinished.length === 0 ? '' : ` The call of ${unfinished.join(', ')} was not complete and has not been carried out.`;
  return `Your last reply was cut at the output limit.${lost} Please continue, in smaller steps.`;
}
