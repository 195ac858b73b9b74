/**
 * Starts the bundled program with the code that an earlier start of the same command compiled.
 *
 * 1. Compiled code is kept beside the bundle, so that only those can write it who could write the bundle as well. Where this process may not,
 *    nothing is kept, and everything works as it does the first time.
 * 2. It is good for one bundle, one version of Node, one kind of machine and its settings: the name says the first two, Node checks the rest.
 * 3. It is written when the command ends, or after a minute, since Node forgets what it compiled and did not use for long; a file appears whole or not at all.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { optimiseAsUsual } from './optimise-late.ts';

const FOLDER = 'kept';
const MOST_FILES = 12;
const AFTER_MS = 60_000;

/** The first line of the bundle is its id, the rest one function that is called as Node calls a module. */
export function start(bundle: string, words: readonly string[]): Record<string, unknown> {
  const source = readFileSync(bundle, 'latin1');
  const file = join(dirname(bundle), FOLDER, `${idOf(source)}-${process.version}-${process.arch}-${commandOf(words)}`);
  const cachedData = readKept(file);
  const script = new Script(source, { filename: bundle, ...(cachedData === undefined ? {} : { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) keepLater(file, script);
  const module = { exports: {} as Record<string, unknown> };
  (script.runInThisContext() as (...args: unknown[]) => void)(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
  return module.exports;
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
      optimiseAsUsual();
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
