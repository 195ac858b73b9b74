/**
 * One conversation with an agent that speaks the Agent Client Protocol over stdio.
 *
 * 1. The agent is offered neither files nor terminals: it works with its own tools, in the task's sandbox.
 * 2. Its questions for permission are answered by the tool policy. Nothing can be said to it while it works.
 * 3. Reading waits for the host, so that a fast agent is slowed down through its pipe.
 * 4. `stop` cancels, then ends every process.
 */
import { Readable, Writable } from 'node:stream';
import type { ClientConnection, NewSessionResponse } from '@agentclientprotocol/sdk/unstable';
import type { RunningProcess } from '../../platform/processes.ts';
import type { AgentConversation, AgentEnd, AgentEvent, AgentHost, AgentTask } from '../contract.ts';
import { agentEnvironment } from '../environment.ts';
import { eventQueue, type EventQueue } from '../event-queue.ts';
import { failureByWords } from '../failure-words.ts';
import { reapEscaped } from '../reap.ts';
import { UpdateReader } from './updates.ts';
import { AcpUsage } from './usage.ts';
import { CLAUDE_AGENT_TOOLS, CLAUDE_NEEDLESS_TOOLS } from '../agent-tools.ts';
import { startsAgent } from '../../domain/starts-agents.ts';
import type { Platform, Clock } from '../../platform/platform.ts';
import { refusalOf } from '../tool-policy.ts';

const QUEUE_CAPACITY = 1024 * 1024;
const GRACE_MS = 5_000;
const CANCEL_MS = 1_000;
const EXIT_MS = 2_000;
const KEPT_ERRORS = 8 * 1024;
const AUTH_REQUIRED = -32_000;

interface Talk {
  process: RunningProcess;
  connection: ClientConnection;
  session: string;
}

export class AcpConversation implements AgentConversation {
  readonly manyTurns = true;
  readonly #command: string;
  readonly #task: AgentTask;
  readonly #host: AgentHost;
  readonly #usage = new AcpUsage();
  readonly #updates = new UpdateReader(this.#usage);
  #talk: Talk | null = null;
  #process: RunningProcess | null = null;
  #starting: Promise<unknown> = Promise.resolve();
  #queue: EventQueue<AgentEvent> = eventQueue(QUEUE_CAPACITY);
  #delivered: Promise<void> = Promise.resolve();
  #prompting: Promise<unknown> | null = null;
  #errors = '';
  #stopping: Promise<void> | null = null;

  constructor(command: string, task: AgentTask, host: AgentHost) {
    this.#command = command;
    this.#task = task;
    this.#host = host;
  }

  async *turn(prompt: string): AsyncGenerator<AgentEvent> {
    if (this.#stopping !== null) return yield ended(STOPPED);
    const estimate = this.#usage.contextTokens + Math.ceil(Buffer.byteLength(prompt) / 4);
    if (this.#host.beforeRequest?.({ input_tokens: estimate }) === 'stop') {
      return yield ended({
        kind: 'failed',
        class: 'budget',
        message: `a request of about ${estimate} tokens would go over the budget`,
        retryAt: null,
      });
    }
    const queue = eventQueue<AgentEvent>(QUEUE_CAPACITY);
    this.#queue = queue;
    const ending = this.#converse(prompt).finally(() => queue.close());
    this.#prompting = ending;
    yield* queue;
    const end = await ending;
    if (this.#stopping !== null) await this.#stopping;
    yield ended(this.#stopping === null ? end : STOPPED);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#endEverything();
    return this.#stopping;
  }

  async #converse(prompt: string): Promise<AgentEnd> {
    try {
      const first = this.#talk === null;
      const starting = (
        this.#talk === null ? afterOtherStarts(this.#command, this.#host.platform.clock, () => this.#open()) : Promise.resolve(this.#talk)
      ) as Promise<Talk>;
      this.#starting = starting.catch(() => {});
      const { connection, session } = await starting;
      if (this.#stopping !== null) return STOPPED;
      const text = first ? `${this.#task.system}\n\n${prompt}` : prompt;
      this.#usage.beginTurn();
      this.#usage.note('read', text);
      const response = await connection.agent.request('session/prompt', { sessionId: session, prompt: [{ type: 'text', text }] });
      await this.#deliver([...this.#updates.flush(), ...this.#usage.step(), ...this.#usage.sums((response as { usage?: unknown }).usage)]);
      return await this.#endFor(response.stopReason);
    } catch (error) {
      await this.#deliver([...this.#updates.flush(), ...this.#usage.step()]);
      return this.#failure(error);
    }
  }

  async #open(): Promise<Talk> {
    const { client, methods, ndJsonStream, PROTOCOL_VERSION } = await import('@agentclientprotocol/sdk/unstable');
    const { workspace, sandbox, mcpServers } = this.#task;
    if (this.#stopping !== null) throw new Error('stopped before it was started');
    const process = await this.#host.platform.processes.start({
      file: '/bin/sh',
      args: ['-c', this.#command],
      cwd: workspace,
      env: { ...agentEnvironment(this.#task), ...aloneVariables(this.#task) },
      sandbox,
    });
    this.#process = process;
    process.stdin.on('error', () => {});
    process.stderr.on('error', () => {});
    process.stderr.on('data', (chunk: Buffer) => (this.#errors = (this.#errors + chunk.toString('utf8')).slice(-KEPT_ERRORS)));
    const paced = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (chunk, controller) => {
        await this.#delivered;
        controller.enqueue(chunk);
      },
    });
    const output = (Readable.toWeb(process.stdout) as ReadableStream<Uint8Array>).pipeThrough(paced);
    const connection = client({ name: 'universal-agent-harness' })
      .onNotification(
        methods.client.session.update,
        ({ params }) => void this.#deliver(this.#updates.read(params.update as Record<string, unknown>)),
      )
      .onRequest(methods.client.session.requestPermission, ({ params }) =>
        this.#permit(params.options, params.toolCall as Record<string, unknown>),
      )
      .connect(ndJsonStream(Writable.toWeb(process.stdin) as WritableStream<Uint8Array>, output));
    await connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'universal-agent-harness', version: '1' },
    });
    const servers = Object.entries(mcpServers ?? {}).map(([name, server]) => ({
      name,
      command: server.command,
      args: [...server.args],
      env: Object.entries(server.env).map(([variable, value]) => ({ name: variable, value })),
    }));
    const { sessionId }: NewSessionResponse = await connection.agent.request(methods.agent.session.new, {
      cwd: workspace,
      mcpServers: servers,
      ...aloneFields(this.#task),
    });
    this.#talk = { process, connection, session: sessionId };
    return this.#talk;
  }

  async #permit(options: readonly { optionId: string; kind: string }[], toolCall: Record<string, unknown>): Promise<PermissionAnswer> {
    const { outcome, refusal } = await answerPermission(this.#host.platform, this.#task, {
      options,
      name: this.#updates.nameOf(toolCall),
      input: this.#updates.inputOf(toolCall),
    });
    if (refusal !== null) await this.#deliver([{ type: 'warning', message: `a tool call of the agent was refused: ${refusal}` }]);
    return { outcome };
  }

  #deliver(events: readonly AgentEvent[]): Promise<void> {
    for (const event of events) this.#delivered = this.#queue.push(event, JSON.stringify(event).length);
    return this.#delivered;
  }

  async #endFor(reason: string): Promise<AgentEnd> {
    if (reason === 'refusal') return failed('the agent declined to go on');
    if (reason === 'cancelled') return failed('the agent cancelled its turn');
    if (reason !== 'end_turn') await this.#deliver([{ type: 'warning', message: `the agent stopped early: ${reason}` }]);
    return { kind: 'finished' };
  }

  async #failure(thrown: unknown): Promise<AgentEnd> {
    const { clock } = this.#host.platform;
    const { code, data, message } = (thrown instanceof Error ? thrown : new Error(String(thrown))) as Error & {
      code?: unknown;
      data?: unknown;
    };
    if (code === AUTH_REQUIRED) return { kind: 'failed', class: 'auth', message: `the agent is not logged in: ${message}`, retryAt: null };
    const details = data === undefined || data === null ? '' : ` ${typeof data === 'string' ? data : JSON.stringify(data)}`;
    if (typeof code === 'number') return failureByWords(`the agent failed: ${message}${details}`, clock.now());
    const exit = this.#process === null ? null : await Promise.race([this.#process.exited, clock.sleep(EXIT_MS).then(() => null)]);
    const how =
      exit === null
        ? `could not communicate with the agent: ${message}`
        : `the agent's command ${exit.signal === null ? `exited with status ${exit.code}` : `was ended by ${exit.signal}`}`;
    return this.#errors.trim() === '' ? failed(how) : failureByWords(`${how}: ${this.#errors.trim()}`, clock.now());
  }

  async #endEverything(): Promise<void> {
    const { platform } = this.#host;
    if (this.#talk !== null && this.#prompting !== null) {
      const { connection, session } = this.#talk;
      await connection.agent.notify('session/cancel', { sessionId: session }).catch(() => {});
      await Promise.race([this.#prompting, platform.clock.sleep(CANCEL_MS)]);
    }
    if (this.#process === null) await Promise.race([this.#starting, platform.clock.sleep(CANCEL_MS)]);
    await this.#process?.stop(GRACE_MS);
    await reapEscaped(platform, this.#task.workspace);
  }
}

const STOPPED: AgentEnd = { kind: 'stopped' };

const ended = (end: AgentEnd): AgentEvent => ({ type: 'end', end });

function failed(message: string): AgentEnd {
  return { kind: 'failed', class: 'agent', message, retryAt: null };
}

/** For `session/new`; other agents leave out what they do not know of it. */
function aloneFields({ alone }: Pick<AgentTask, 'alone'>): { _meta?: Record<string, unknown> } {
  return alone === true
    ? { _meta: { claudeCode: { options: { disallowedTools: [...CLAUDE_AGENT_TOOLS, ...CLAUDE_NEEDLESS_TOOLS] } } } }
    : {};
}

/** For the process of the agent. */
function aloneVariables({ alone }: Pick<AgentTask, 'alone'>): Record<string, string> {
  return alone === true ? { OPENCODE_PERMISSION: '{"task":"deny"}' } : {};
}

/**
 * Answers an agent that asks for permission.
 *
 * 1. What the tool policy leaves open is allowed, once: the next call is asked about again.
 * 2. What it closes is rejected, and so are other agents where the task is for one alone; an agent that offers no way to reject is told that the call is cancelled.
 */
interface PermissionQuestion {
  options: readonly { optionId: string; kind: string }[];
  name: string;
  input: Readonly<Record<string, unknown>>;
}

type PermissionAnswer = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export async function answerPermission(
  platform: Platform,
  task: AgentTask,
  question: PermissionQuestion,
): Promise<PermissionAnswer & { refusal: string | null }> {
  const isOther = task.alone === true && startsAgent(question.name, question.input);
  const refusal = isOther ? 'this task may start no other agent' : await refusalOf(platform, task, question.input);
  const wanted = refusal === null ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = wanted.flatMap((kind) => question.options.filter((candidate) => candidate.kind === kind))[0];
  return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId }, refusal };
}

const LONGEST_WAIT_MS = 30_000;

const lastStart = new Map<string, Promise<unknown>>();

export async function afterOtherStarts<Result>(command: string, clock: Clock, start: () => Promise<Result>): Promise<Result> {
  const before = lastStart.get(command) ?? Promise.resolve();
  const mine = (async () => {
    const waited = new AbortController();
    await Promise.race([before, clock.sleep(LONGEST_WAIT_MS, waited.signal)]).finally(() => waited.abort());
    return await start();
  })();
  lastStart.set(
    command,
    mine.catch(() => {}),
  );
  return await mine;
}
