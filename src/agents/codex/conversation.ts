/**
 * One conversation with Codex: one run of `codex exec` for each turn, the later ones resuming the first one's thread.
 *
 * 1. The prompt arrives on stdin; events come back as lines. Nothing can be said to it in between.
 * 2. Usage is read from Codex's own record of the session after each event: on its output it says only the sum, at the end.
 * 3. `end` comes after the last process of the turn is gone.
 */
import type { RunningProcess } from '../../platform/processes.ts';
import type { AgentConversation, AgentEnd, AgentEvent, AgentHost, AgentTask } from '../contract.ts';
import { failureByWords } from '../failure-words.ts';
import { lineSplitter } from '../lines.ts';
import { reapEscaped } from '../reap.ts';
import { codexArguments } from './arguments.ts';
import { readCodexLine } from './events.ts';
import type { FoundCodex } from './find-codex.ts';
import { codexState, type CodexState } from './state.ts';
import { UsageRecord } from './usage-record.ts';
import { mustHave } from '../../domain/must-have.ts';

const GRACE_MS = 5_000;
const LINE_LIMIT = 4 * 1024 * 1024;
const KEPT_ERRORS = 8 * 1024;

export class CodexConversation implements AgentConversation {
  readonly manyTurns = true;
  readonly #codex: FoundCodex;
  readonly #task: AgentTask;
  readonly #host: AgentHost;
  readonly #begun = new Set<string>();
  #state: CodexState | null = null;
  #record: UsageRecord | null = null;
  #thread: string | null = null;
  #process: RunningProcess | null = null;
  #starting: Promise<unknown> = Promise.resolve();
  #errors = '';
  #stopping: Promise<void> | null = null;

  constructor(codex: FoundCodex, task: AgentTask, host: AgentHost) {
    this.#codex = codex;
    this.#task = task;
    this.#host = host;
  }

  async *turn(prompt: string): AsyncGenerator<AgentEvent> {
    if (this.#stopping !== null) return yield ended(STOPPED);
    const estimate = (this.#record?.contextTokens ?? 0) + Math.ceil(Buffer.byteLength(prompt) / 4);
    if (this.#host.beforeRequest?.({ input_tokens: estimate }) === 'stop') {
      return yield ended({
        kind: 'failed',
        class: 'budget',
        message: `a request of about ${estimate} tokens would go over the budget`,
        retryAt: null,
      });
    }
    const starting = this.#start(prompt);
    this.#starting = starting;
    const started = await starting;
    if (typeof started === 'string')
      return yield ended(this.#stopping === null ? failureByWords(started, this.#host.platform.clock.now()) : STOPPED);
    const end = yield* this.#follow(started);
    await this.#clear(started);
    yield ended(this.#stopping === null ? end : STOPPED);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#endEverything();
    return this.#stopping;
  }

  /** The process, or why it could not be started. */
  async #start(prompt: string): Promise<RunningProcess | string> {
    const { platform } = this.#host;
    try {
      this.#state ??= await codexState(platform, this.#task);
      this.#record ??= new UsageRecord(platform, this.#state.folder);
      if (this.#stopping !== null) return 'stopped';
      this.#process = await platform.processes.start({
        file: this.#codex.file,
        args: [...this.#codex.args, ...codexArguments(this.#task, this.#thread)],
        cwd: this.#task.workspace,
        env: this.#state.variables,
        sandbox: this.#task.sandbox,
      });
    } catch (error) {
      return `Codex could not be started: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.#process.stdin.on('error', () => {});
    this.#process.stdin.end(prompt);
    return this.#process;
  }

  async *#follow(process: RunningProcess): AsyncGenerator<AgentEvent, AgentEnd> {
    this.#errors = '';
    process.stderr.on('error', () => {});
    process.stderr.on('data', (chunk: Buffer) => (this.#errors = (this.#errors + chunk.toString('utf8')).slice(-KEPT_ERRORS)));
    const splitter = lineSplitter(LINE_LIMIT);
    let end: AgentEnd | null = null;
    try {
      for await (const chunk of process.stdout) {
        for (const line of splitter.write(chunk as Buffer)) end = (yield* this.#line(line.text, line.dropped)) ?? end;
        yield* this.#usage().read();
        if (end !== null) break;
      }
    } catch {
      // A stream that is torn down with its process ends here; what arrived is kept.
    }
    yield* this.#usage().read();
    if (end !== null) return end;
    const { code, signal } = await process.exited;
    const how = signal === null ? `Codex exited with status ${code} before its turn was over` : `Codex was ended by ${signal}`;
    return failureByWords(this.#errors.trim() === '' ? how : `${how}: ${this.#errors.trim()}`, this.#host.platform.clock.now());
  }

  #usage(): UsageRecord {
    return mustHave(this.#record, 'the record of usage is opened before the turn');
  }

  *#line(text: string, dropped: number): Generator<AgentEvent, AgentEnd | null> {
    if (dropped > 0) {
      yield { type: 'warning', message: `Codex wrote an event of more than ${LINE_LIMIT} bytes; it is left out` };
      return null;
    }
    const { events, end, thread } = readCodexLine(text, this.#host.platform.clock.now(), this.#begun);
    this.#thread ??= thread;
    yield* events;
    return end;
  }

  async #clear(process: RunningProcess): Promise<void> {
    await process.stop(GRACE_MS);
    await reapEscaped(this.#host.platform, this.#task.workspace);
  }

  async #endEverything(): Promise<void> {
    await this.#starting;
    await this.#process?.stop(GRACE_MS);
    await reapEscaped(this.#host.platform, this.#task.workspace);
    await this.#state?.giveBack();
  }
}

const STOPPED: AgentEnd = { kind: 'stopped' };

const ended = (end: AgentEnd): AgentEvent => ({ type: 'end', end });
