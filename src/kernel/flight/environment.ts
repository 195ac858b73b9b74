/**
 * The project's environment during a session: `init`, `reset`, `health_check` and `stop`, run in the workspace.
 *
 * 1. The trusted commands run inside the agent's sandbox, because what they start is the agent's code.
 * 2. What `init` leaves in the background lives until `stop`; then its whole process tree is ended. Nothing stays by accident.
 * 3. A command that is not set is skipped, and the result says so.
 */
import { firstErrorLine } from '../../domain/first-error.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunningProcess } from '../../platform/processes.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import { firstItem } from '../../domain/items.ts';

export interface EnvironmentSettings {
  init: string | null;
  reset: string | null;
  healthCheck: string | null;
  stop: string | null;
  autoReset: boolean;
  maxResetAttempts: number;
  timeoutMs: number;
  healthRetryMs: number;
}

export interface EnvironmentPlace {
  workspace: string;
  env: Readonly<Record<string, string>>;
  sandbox: SandboxSpec | null;
  /** Ends every command but the one that stops the environment. */
  signal?: AbortSignal;
  /** Keeps what a command printed; the path that a person is shown. */
  keepOutput(name: string, output: string): Promise<string>;
}

export interface StepReport {
  state: 'passed' | 'failed' | 'skipped';
  detail: string;
}

export interface Environment {
  start(): Promise<StepReport & { reason: 'env.init_failed' | 'env.reset_failed' | null }>;
  health(): Promise<StepReport>;
  stop(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** What others call are fields, so that each can be handed on alone. */
class ProjectEnvironment implements Environment {
  readonly #platform: Platform;
  readonly #settings: EnvironmentSettings;
  readonly #place: EnvironmentPlace;
  readonly #kept: RunningProcess[] = [];
  #started = false;
  /** Something may run that was started here. */
  #isUsed = false;

  constructor(platform: Platform, settings: EnvironmentSettings, place: EnvironmentPlace) {
    this.#platform = platform;
    this.#settings = settings;
    this.#place = place;
  }

  readonly start: Environment['start'] = async () => {
    const { init, reset, autoReset, maxResetAttempts } = this.#settings;
    this.#started = true;
    if (init === null) return { state: 'skipped', detail: 'no init command', reason: null };
    let last = await this.#init(init);
    if (last.code === 0) return { state: 'passed', detail: init, reason: null };
    if (!autoReset || reset === null) return { state: 'failed', detail: await this.#failed('init', init, last), reason: 'env.init_failed' };
    for (let attempt = 1; attempt <= maxResetAttempts && this.#place.signal?.aborted !== true; attempt++) {
      await this.#endAll();
      const end = await this.#plain(reset);
      if (end.code !== 0) {
        if (attempt === maxResetAttempts)
          return { state: 'failed', detail: await this.#failed('reset', reset, end), reason: 'env.reset_failed' };
        continue;
      }
      last = await this.#init(init);
      if (last.code === 0) return { state: 'passed', detail: `${init} (after ${attempt} reset${attempt === 1 ? '' : 's'})`, reason: null };
    }
    return { state: 'failed', detail: await this.#failed('init', init, last), reason: 'env.init_failed' };
  };

  readonly health: Environment['health'] = async () => {
    const { healthCheck, healthRetryMs } = this.#settings;
    const { clock } = this.#platform;
    if (healthCheck === null) return { state: 'skipped', detail: 'no health check' };
    const deadline = clock.monotonic() + healthRetryMs;
    for (;;) {
      const end = await this.#plain(healthCheck);
      if (end.code === 0) return { state: 'passed', detail: healthCheck };
      if (clock.monotonic() >= deadline || this.#place.signal?.aborted === true)
        return { state: 'failed', detail: await this.#failed('health check', healthCheck, end) };
      await clock.sleep(500, this.#place.signal);
    }
  };

  readonly stop: Environment['stop'] = async () => {
    if (this.#settings.stop !== null && this.#started) await this.#plain(this.#settings.stop, NEVER);
    this.#started = false;
    if (!this.#isUsed) return;
    this.#isUsed = false;
    await this.#endAll();
  };

  async #endAll(): Promise<void> {
    const { processes } = this.#platform;
    await Promise.all(this.#kept.splice(0).map((child) => child.stop(2_000)));
    processes.kill(await processes.findByEnvironment('HARNESS_ENVIRONMENT', this.#place.workspace));
  }

  #init(command: string): Promise<CommandEnd> {
    this.#isUsed = true;
    return runAndKeep(this.#platform, this.#place, { command, timeoutMs: this.#settings.timeoutMs, kept: this.#kept });
  }

  #plain(command: string, signal = this.#place.signal): Promise<CommandEnd> {
    this.#isUsed = true;
    return runPlain(this.#platform, { ...this.#place, signal }, command, this.#settings.timeoutMs);
  }

  #failed(name: string, command: string, end: CommandEnd): Promise<string> {
    return describe(this.#platform, this.#place, { name, command, end });
  }
}

export function createEnvironment(platform: Platform, settings: EnvironmentSettings, place: EnvironmentPlace): Environment {
  return new ProjectEnvironment(platform, settings, place);
}

interface CommandEnd {
  code: number | null;
  output: string;
}

/** Its first error line, and the path of everything it printed. */
async function describe(
  platform: Platform,
  place: EnvironmentPlace,
  { name, command, end }: { name: string; command: string; end: CommandEnd },
): Promise<string> {
  const line = firstErrorLine(end.output);
  const said = line === '' ? '' : `: ${line}`;
  const holder = await portHolder(platform, end.output);
  const log = end.output.trim() === '' ? '' : ` (full output: ${await place.keepOutput(name, end.output)})`;
  return `${name} command "${command}" ended with ${end.code ?? 'no status'}${said}${holder}${log}`;
}

/** A port that is taken is named with the process that holds it. */
async function portHolder(platform: Platform, output: string): Promise<string> {
  const line = output.split('\n').find((one) => /EADDRINUSE|address already in use|port .{0,40}(in use|taken|allocated)/i.test(one));
  for (const [, digits] of line?.matchAll(/(?<![\d.])(\d{2,5})(?![\d.])/g) ?? []) {
    const holder = await platform.processes.listenerOn(Number(digits));
    if (holder !== null)
      return `. Port ${digits} is held by process ${holder.pid} (${holder.command.slice(0, 200)}): end it, or use another port.`;
  }
  return '';
}

async function runPlain(platform: Platform, place: EnvironmentPlace, command: string, timeoutMs: number): Promise<CommandEnd> {
  const result = await platform.processes.run({
    file: '/bin/sh',
    args: ['-c', command],
    cwd: place.workspace,
    env: { ...place.env, HARNESS_ENVIRONMENT: place.workspace },
    sandbox: place.sandbox,
    timeoutMs,
    maxOutputBytes: 64 * 1024,
    ...(place.signal === undefined ? {} : { signal: place.signal }),
  });
  return { code: result.timedOut ? null : result.code, output: result.stdout.toString('utf8') + result.stderr.toString('utf8') };
}

/** The shell reports the command's status on descriptor 3 and then stays, so that background processes keep their parent and sandbox. */
async function runAndKeep(
  platform: Platform,
  place: EnvironmentPlace,
  { command, timeoutMs, kept }: { command: string; timeoutMs: number; kept: RunningProcess[] },
): Promise<CommandEnd> {
  const script = `( ${command}\n ) 3>&-; echo "$?" >&3; exec 3>&-; while :; do sleep 3600; done`;
  const child = await platform.processes.start({
    file: '/bin/sh',
    args: ['-c', script],
    cwd: place.workspace,
    env: { ...place.env, HARNESS_ENVIRONMENT: place.workspace },
    sandbox: place.sandbox,
    extraPipes: 1,
  });
  child.stdin.on('error', () => {});
  child.stdin.end();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('error', () => {});
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-64 * 1024)));
  }
  const code = await firstLine(child, timeoutMs, place.signal);
  if (code === 0) kept.push(child);
  else await child.stop(2_000);
  return { code, output };
}

function firstLine(child: RunningProcess, timeoutMs: number, signal?: AbortSignal): Promise<number | null> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => resolve(null), timeoutMs);
    const stop = (): void => done(null);
    const done = (value: number | null): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      resolve(value);
    };
    if (signal?.aborted === true) return stop();
    signal?.addEventListener('abort', stop);
    firstItem(child.extra).on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) done(Number(text.split('\n')[0]));
    });
    firstItem(child.extra).on('error', () => {});
    void child.exited.then(() => done(null));
  });
}
