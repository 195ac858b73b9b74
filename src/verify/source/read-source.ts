/**
 * Sources are parsed, never scanned: JavaScript, TypeScript and JSX by a parser, Python by the project's own interpreter.
 *
 * 1. null: the file is in another language, cannot be parsed, is too large, or took too long. Nothing is guessed then.
 * 2. The time is linear in the size of a file and limited for each; no reading blocks the program.
 * 3. The same text is read once.
 */
import { createHash } from 'node:crypto';
import type { Platform } from '../../platform/platform.ts';
import { parseJavascript } from './parse-javascript.ts';
import { parsePython } from './parse-python.ts';
import { readJavascript } from './read-javascript.ts';
import { readPython } from './read-python.ts';
import { languageOf, type SourceReading } from './source.ts';
import { itemAt } from '../../domain/items.ts';

export interface SourceFile {
  path: string;
  text: string;
}

const MOST_CHARACTERS = 2_000_000;
const TIME_LIMIT_MS = 5_000;
const PYTHON_LIMIT_MS = 20_000;
const MOST_KEPT = 500;

const kept = new Map<string, SourceReading | null>();

export async function readSource(platform: Platform, path: string, text: string): Promise<SourceReading | null> {
  const [reading = null] = await readSources(platform, [{ path, text }]);
  return reading;
}

/** In the order of the files. */
export async function readSources(platform: Platform, files: readonly SourceFile[]): Promise<(SourceReading | null)[]> {
  const keys = files.map(keyOf);
  const found = new Map<string, SourceReading | null>();
  for (const key of keys) {
    const reading = key === null ? undefined : kept.get(key);
    if (key !== null && reading !== undefined) found.set(key, reading);
  }
  const wanted = (language: string): { file: SourceFile; key: string }[] =>
    files.flatMap((file, index) => {
      const key = itemAt(keys, index);
      return key !== null && !found.has(key) && languageOf(file.path) === language ? [{ file, key }] : [];
    });
  for (const { file, key } of wanted('javascript')) {
    if (found.has(key)) continue;
    const program = await parseJavascript(file.text, file.path, TIME_LIMIT_MS);
    found.set(key, program === null ? null : readJavascript(program, file.text));
  }
  const python = wanted('python');
  const trees = await parsePython(
    platform,
    python.map(({ file }) => file.text),
    PYTHON_LIMIT_MS,
  );
  for (const [index, { file, key }] of python.entries()) {
    const tree = trees[index] ?? null;
    found.set(key, tree === null ? null : readPython(tree, file.text));
  }
  for (const [key, reading] of found) keep(key, reading);
  return keys.map((key) => (key === null ? null : (found.get(key) ?? null)));
}

function keyOf(file: SourceFile): string | null {
  if (languageOf(file.path) === null || file.text.length > MOST_CHARACTERS || file.path.endsWith('.d.ts')) return null;
  const kind = /\.[^.]*$/.exec(file.path)?.[0] ?? '';
  return `${kind}:${createHash('sha256').update(file.text).digest('hex')}`;
}

function keep(key: string, reading: SourceReading | null): void {
  kept.delete(key);
  kept.set(key, reading);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}
