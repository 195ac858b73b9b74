/**
 * Composition root: wires the real machine to the table of commands and turns the result into an exit code.
 *
 * 1. The only place that sets the exit code or ends the process.
 * 2. The first SIGINT, SIGTERM or SIGHUP asks the command to stop, and cuts it off when that takes too long; a second SIGINT ends the process.
 * 3. A reader that goes away (EPIPE) ends the output, never the work.
 * 4. The exit code is 1 until a command has come to a result. An event loop that runs empty before is reported as a defect.
 * 5. No program is looked for in a folder that depends on where the harness stands.
 */
import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { COMMANDS } from './cli/commands.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import type { Sink } from './cli/terminal.ts';
import { HarnessError } from './domain/errors.ts';
import { EXIT, type ExitCode } from './domain/reasons.ts';
import { closeInheritedFiles } from './platform/inherited-files.ts';
import { nodePlatform } from './platform/node-platform.ts';
import { withoutRelative } from './platform/program-folder.ts';

const LINGER_MS = 1_000;
/** With the start of a process and its last words, this stays below ten seconds. */
const STOP_MS = 8_000;
const CUT_OFF = 'Interrupted. Stopping took too long and was cut off; the state is saved, and the same command continues.';

/** Settles when everything is said. */
export const finished: Promise<void> = main();

async function main(): Promise<void> {
  closeInheritedFiles();
  if (process.env['PATH'] !== undefined) process.env['PATH'] = withoutRelative(process.env['PATH']);
  const platform = nodePlatform();
  const stopping = new AbortController();
  const { lost, concluded } = watchForResult(stopping.signal);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted && name === 'SIGINT') process.exit(EXIT.interrupted);
      stopping.abort();
    });
  }

  const exitCode = await runCommandLine({
    table: COMMANDS,
    argv: process.argv.slice(2),
    platform,
    terminal: { stdout: sinkOf(process.stdout), stderr: sinkOf(process.stderr), stdinIsTTY: isatty(0), input: () => text(process.stdin) },
    directory: process.cwd(),
    signal: stopping.signal,
    lost,
  });
  concluded(exitCode);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  const end = (): never => {
    platform.processes.endAll();
    process.exit();
  };
  setTimeout(end, exitCode === EXIT.interrupted ? 0 : LINGER_MS).unref();
}

/** `lost` rejects when nothing is left that could bring a result, or when a stop takes too long. */
function watchForResult(stopping: AbortSignal): { lost: Promise<never>; concluded(exitCode: ExitCode): void } {
  process.exitCode = EXIT.defect;
  let isConcluded = false;
  let overdue: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_, reject) => {
    process.once('beforeExit', () => reject(new Error('the command ended without a result')));
    const cutOff = (): void => reject(new HarnessError(CUT_OFF, { exitCode: EXIT.interrupted, reasons: ['interrupted'] }));
    stopping.addEventListener('abort', () => (overdue = setTimeout(cutOff, STOP_MS).unref()));
  });
  lost.catch(() => {});
  process.on('exit', () => {
    if (!isConcluded && process.exitCode === EXIT.defect)
      process.stderr.write('The harness itself failed: the command ended without a result.\n');
  });
  const concluded = (exitCode: ExitCode): void => {
    isConcluded = true;
    clearTimeout(overdue);
    process.exitCode = exitCode;
  };
  return { lost, concluded };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  });
  return {
    write: (text) => void (open && stream.write(text)),
    isTTY: stream.isTTY === true,
    columns: () => stream.columns ?? 80,
    rows: () => stream.rows ?? 24,
    drained: () => (open && stream.writableNeedDrain ? nextDrain(stream) : null),
  };
}

/** A reader that goes away is behind no longer. */
function nextDrain(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const name of ['drain', 'close', 'error']) stream.off(name, done);
      resolve();
    };
    for (const name of ['drain', 'close', 'error']) stream.on(name, done);
  });
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => (stream.destroyed || stream.writableLength === 0 ? resolve() : stream.write('', () => resolve())));
}
