/**
 * Composition root: wires the real machine to the table of commands and turns the result into an exit code.
 *
 * 1. The only place that sets the exit code or ends the process.
 * 2. The first SIGINT, SIGTERM or SIGHUP asks the command to stop; a second SIGINT ends the process.
 * 3. A reader that goes away (EPIPE) ends the output, never the work.
 */
import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { COMMANDS } from './cli/commands.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import type { Sink } from './cli/terminal.ts';
import { EXIT } from './domain/reasons.ts';
import { closeInheritedFiles } from './platform/inherited-files.ts';
import { nodePlatform } from './platform/node-platform.ts';

const LINGER_MS = 1_000;

/** Settles when everything is said. */
export const finished: Promise<void> = main();

async function main(): Promise<void> {
  closeInheritedFiles();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted && name === 'SIGINT') process.exit(EXIT.interrupted);
      stopping.abort();
    });
  }

  process.exitCode = await runCommandLine({
    table: COMMANDS,
    argv: process.argv.slice(2),
    platform: nodePlatform(),
    terminal: { stdout: sinkOf(process.stdout), stderr: sinkOf(process.stderr), stdinIsTTY: isatty(0), input: () => text(process.stdin) },
    directory: process.cwd(),
    signal: stopping.signal,
  });
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  setTimeout(() => process.exit(), LINGER_MS).unref();
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
