/**
 * The process that the SDK asks for, started the harness's way: in the task's sandbox, in a group of its own.
 *
 * 1. The SDK needs it at once, the platform gives it later: until then what is written waits in the pipes.
 * 2. `end` resolves when the group is gone; `errors` is the end of what it wrote to stderr.
 */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Platform } from '../../platform/platform.ts';
import type { ProcessSpec, RunningProcess } from '../../platform/processes.ts';
import type { SpawnedProcess } from './sdk-shape.ts';

const KEPT_ERRORS = 8 * 1024;

export class HostedProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  errors = '';
  readonly #starting: Promise<RunningProcess | null>;

  constructor(platform: Platform, spec: ProcessSpec) {
    super();
    this.on('error', () => {});
    this.#starting = platform.processes.start(spec).then(
      (process) => this.#connect(process),
      (error: unknown) => {
        this.exitCode = -1;
        this.errors = error instanceof Error ? error.message : String(error);
        this.stdout.end();
        this.emit('error', error instanceof Error ? error : new Error(this.errors));
        return null;
      },
    );
  }

  kill(signal: NodeJS.Signals): boolean {
    this.killed = true;
    void this.end(signal === 'SIGKILL' ? 0 : 2_000);
    return true;
  }

  async end(graceMs: number): Promise<void> {
    const process = await this.#starting;
    await process?.stop(graceMs);
  }

  #connect(process: RunningProcess): RunningProcess {
    process.stdin.on('error', () => {});
    process.stdout.on('error', () => this.stdout.end());
    process.stderr.on('error', () => {});
    process.stderr.on('data', (chunk: Buffer) => (this.errors = (this.errors + chunk.toString('utf8')).slice(-KEPT_ERRORS)));
    this.stdin.pipe(process.stdin);
    process.stdout.pipe(this.stdout);
    void this.#watch(process);
    return process;
  }

  async #watch(process: RunningProcess): Promise<void> {
    const { code, signal } = await process.exited;
    this.exitCode = code;
    this.signalCode = signal as NodeJS.Signals | null;
    this.stdout.end();
    this.emit('exit', code, signal);
  }
}
