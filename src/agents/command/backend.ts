/**
 * Any program as an agent.
 *
 * 1. `sh -c <command>` in the workspace, in a process group of its own, in the task's sandbox where it has one.
 * 2. System text and prompt arrive on stdin, then end of file: one turn, and no way to reach the agent in between.
 * 3. Exit 0 means finished; anything else is a failure: of class `usage_limit` or `unavailable` where the last words say so, else `agent`. `end` comes after the last process is gone.
 */
import { usageError } from '../../domain/errors.ts';
import type { RunningProcess } from '../../platform/processes.ts';
import type { AgentBackend, AgentConversation, AgentEnd, AgentEvent, AgentHost, AgentTask } from '../contract.ts';
import { agentEnvironment } from '../environment.ts';
import { eventQueue } from '../event-queue.ts';
import { speaksOfOutage } from '../failure-words.ts';
import { reapEscaped } from '../reap.ts';
import { resetTime, speaksOfUsageLimit } from '../reset-time.ts';
import { checkCommand } from '../shell-program.ts';
import { allowanceOf, readOutput, type OutputAllowance } from './output-stream.ts';
import { beforeFirst } from '../../domain/text-parts.ts';

const HINT = 'set agent.command in .harness.yaml to the shell command that starts your agent';
const QUEUE_CAPACITY = 1024 * 1024;
const GRACE_MS = 5_000;
/** Asked to end, the shell that starts the agent ends after it, not before: its end would be the end of a sandbox, grace time or not. */
const SHELL_WAITS = "trap 'exit 143' TERM";
const LAST_WORDS = 2_000;

/** `outputBytes`: the most of its output that is kept. */
export function commandBackend(options: { command: string | null; outputBytes?: number }): AgentBackend {
  const { command, outputBytes } = options;
  return {
    name: 'command',
    usage: 'reported',
    start: async (task, host) => {
      if (command === null || command.trim() === '') {
        throw usageError(
          'The command backend has no command to start.',
          'file: .harness.yaml',
          'field: agent.command',
          'fix: set it to the shell command that starts your agent',
        );
      }
      return new CommandConversation(command, task, host, allowanceOf(outputBytes));
    },
    check: (platform) => checkCommand(platform, 'command', command?.trim() ?? '', HINT),
  };
}

class CommandConversation implements AgentConversation {
  readonly manyTurns = false;
  readonly #command: string;
  readonly #task: AgentTask;
  readonly #host: AgentHost;
  readonly #allowance: OutputAllowance;
  #process: RunningProcess | null = null;
  #starting: Promise<unknown> = Promise.resolve();
  #used = false;
  #stopped = false;
  #reaped = false;
  #lastError: string | null = null;
  #lastWords = '';

  constructor(command: string, task: AgentTask, host: AgentHost, allowance: OutputAllowance) {
    this.#command = command;
    this.#allowance = allowance;
    this.#task = task;
    this.#host = host;
  }

  async *turn(prompt: string): AsyncGenerator<AgentEvent> {
    const refusal = this.#used
      ? failed('a command agent takes one prompt only; start another conversation')
      : this.#stopped
        ? STOPPED
        : null;
    this.#used = true;
    if (refusal !== null) {
      yield { type: 'end', end: refusal };
      return;
    }
    const started = await this.#start();
    if (typeof started === 'string') {
      yield { type: 'end', end: this.#stopped ? STOPPED : failed(started) };
      return;
    }
    try {
      yield* this.#events(started, prompt);
      yield { type: 'end', end: await this.#finish(started) };
    } finally {
      await this.stop();
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#reaped) return;
    await this.#starting;
    await this.#process?.stop(GRACE_MS);
    await reapEscaped(this.#host.platform, this.#task.workspace);
  }

  /** The process, or why it could not be started. */
  async #start(): Promise<RunningProcess | string> {
    const starting = this.#host.platform.processes
      .start({
        file: '/bin/sh',
        args: ['-c', `${SHELL_WAITS}; ${this.#command}`],
        cwd: this.#task.workspace,
        env: agentEnvironment(this.#task),
        sandbox: this.#task.sandbox,
      })
      .then(
        (process) => (this.#process = process),
        (error: unknown) => `the agent's command could not be started: ${error instanceof Error ? error.message : String(error)}`,
      );
    this.#starting = starting;
    return starting;
  }

  async *#events(process: RunningProcess, prompt: string): AsyncGenerator<AgentEvent> {
    const queue = eventQueue<AgentEvent>(QUEUE_CAPACITY);
    let tools = 0;
    const reading = {
      queue,
      nextId: () => `tool-${(tools += 1)}`,
      onError: (message: string) => void (this.#lastError = message),
      allowance: this.#allowance,
    };
    process.stdin.on('error', () => {});
    process.stdin.end(`${this.#task.system}\n\n${prompt}`);
    const done = Promise.all([
      readOutput(process.stdout, { ...reading, events: true }),
      readOutput(process.stderr, { ...reading, events: false }),
    ]);
    void done.then(() => queue.close());
    for await (const raw of queue) {
      const event = this.#stopped && raw.type === 'text' ? { ...raw, text: withoutShellNote(raw.text) } : raw;
      if (event.type === 'text' && event.text === '') continue;
      if (event.type === 'text') this.#lastWords = (this.#lastWords + '\n' + event.text.slice(-LAST_WORDS)).slice(-LAST_WORDS);
      yield event;
    }
  }

  async #finish(process: RunningProcess): Promise<AgentEnd> {
    const { code, signal } = await process.exited;
    await process.stop(0);
    const escaped = await reapEscaped(this.#host.platform, this.#task.workspace);
    this.#reaped = escaped.length === 0;
    if (this.#stopped) return STOPPED;
    if (escaped.length > 0) return failed(`processes of the agent could not be ended: ${escaped.join(', ')}`);
    if (code === 0) return { kind: 'finished' };
    const how = signal === null ? `exited with status ${code}` : `was ended by ${signal}`;
    const words = `${this.#lastWords}\n${this.#lastError ?? ''}`;
    const limit = lastLineThat(speaksOfUsageLimit, words);
    if (limit !== null)
      return { kind: 'failed', class: 'usage_limit', message: limit, retryAt: resetTime(limit, this.#host.platform.clock.now()) };
    if (code === NOT_FOUND || code === NOT_EXECUTABLE)
      return {
        kind: 'failed',
        class: 'start',
        message: `the agent's command cannot be started (status ${code}): ${this.#lastWords.trim().split('\n').at(-1) ?? ''}`,
        retryAt: null,
      };
    const outage = lastLineThat(speaksOfOutage, words);
    if (outage !== null) return { kind: 'failed', class: 'unavailable', message: outage.slice(0, LAST_WORDS), retryAt: null };
    return failed(this.#lastError === null ? `the agent's command ${how}` : `the agent's command ${how}: ${this.#lastError}`);
  }
}

/** What a shell says about a command that is not there, or is no program. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** The line among the last ones with which an agent says that its allowance is used up, or that its provider is away. */
function lastLineThat(says: (line: string) => boolean, words: string): string | null {
  const lines = words
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-3).findLast(says) ?? null;
}

const STOPPED: AgentEnd = { kind: 'stopped' };

function failed(message: string): AgentEnd {
  return { kind: 'failed', class: 'agent', message, retryAt: null };
}

/** Without what the starting shell says about the end of the agent behind it. */
function withoutShellNote(text: string): string {
  const lines = text.split('\n');
  return lines.filter((line) => !/^(\S+: line \d+: +\d+ )?Terminated *$/.test(beforeFirst(line, '  '))).join('\n');
}
