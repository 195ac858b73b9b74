/**
 * Starts the bundled program with the code that an earlier start of the same command compiled.
 *
 * 1. Compiled code is kept beside the bundle, so that only those can write it who could write the bundle as well. Where this process may not,
 *    nothing is kept, and everything works as it does the first time.
 * 2. It is good for one bundle, one version of Node, one kind of machine and its settings: the name says the first two, Node checks the rest.
 * 3. It is written when the command ends, or after a minute, since Node forgets what it compiled and did not use for long; a file appears whole or not at all.
 * 4. A command that lives for a second has no use for code that is optimised in its background, and others need the processor: functions are optimised when
 *    they have run ten times as long as Node waits for otherwise. Only in a process that was started with kept code, because Node refuses code that was
 *    compiled with other settings.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

const FOLDER = 'kept';
const MOST_FILES = 12;
const AFTER_MS = 60_000;
/** Ten times what Node 20 has itself; later ones optimise in smaller steps, and do not know this setting. */
const OPTIMISED_LATE = '--interrupt-budget=675840';
const VERSION = 20;
/** Commands that start others, and what they load of Node: before the setting, because Node's own compiled code is refused after it. */
const STARTERS = ['run'];
const NEEDED = [
  'child_process',
  'crypto',
  'fs/promises',
  'net',
  'os',
  'perf_hooks',
  'stream/promises',
  'timers/promises',
  'tty',
  'worker_threads',
  'zlib',
];

/** The first line of the bundle is its id, the rest one function that is called as Node calls a module. */
export function start(bundle: string, words: readonly string[]): Record<string, unknown> {
  const source = readFileSync(bundle, 'latin1');
  const file = join(dirname(bundle), FOLDER, `${idOf(source)}-${process.version}-${process.arch}-${commandOf(words)}`);
  const cachedData = readKept(file);
  const script = new Script(source, { filename: bundle, ...(cachedData === undefined ? {} : { cachedData }) });
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  if (!isKept) keepLater(file, script);
  const module = { exports: {} as Record<string, unknown> };
  const require = createRequire(bundle);
  (script.runInThisContext() as (...args: unknown[]) => void)(module.exports, require, module, bundle, dirname(bundle));
  if (isKept && STARTERS.includes(commandOf(words))) optimiseLate(require);
  return module.exports;
}

function optimiseLate(require: NodeJS.Require): void {
  if (Number.parseInt(process.versions.node) !== VERSION) return;
  for (const name of NEEDED) require(`node:${name}`);
  setFlagsFromString(OPTIMISED_LATE);
}

function idOf(source: string): string {
  return /^\/\/ ([0-9a-f]+)\n/.exec(source)?.[1] ?? 'none';
}

/** What is compiled differs from command to command. */
function commandOf(words: readonly string[]): string {
  return words.find((word) => /^[a-z][a-z-]{0,30}$/.test(word)) ?? 'none';
}

function readKept(file: string): Buffer | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined ? undefined : readFileSync(file);
  } catch {
    return undefined;
  }
}

function keepLater(file: string, script: Script): void {
  const keep = (): void => {
    clearTimeout(timer);
    process.off('exit', keep);
    try {
      mkdirSync(dirname(file), { recursive: true });
      write(file, script.createCachedData());
      removeOld(dirname(file));
    } catch {
      // Nothing is kept where nothing can be written.
    }
  };
  const timer = setTimeout(keep, AFTER_MS).unref();
  process.on('exit', keep);
}

function write(file: string, data: Buffer): void {
  const temporary = `${file}.${process.pid}`;
  const descriptor = openSync(temporary, 'w', 0o644);
  try {
    writeFileSync(descriptor, data);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
  for (const { path } of files.toSorted((a, b) => b.at - a.at).slice(MOST_FILES)) rmSync(path, { force: true });
}
