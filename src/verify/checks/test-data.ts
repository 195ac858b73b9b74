/**
 * Data that tests read, wherever it lies: golden files, tables of cases, stored output. It is part of the test.
 *
 * A changed file counts when a test that was there, or a helper of one, names it or its folder; what only the product reads is the product's.
 */
import { fileOf } from '../../domain/verdict.ts';
import { posix } from 'node:path';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { readSources } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import type { JudgedTree } from './check-protected.ts';
import { isTestPath, kindOf } from './protected-paths.ts';

export interface TestData {
  /** Changed or removed data. */
  changed: string[];
  /** Test files that name it. */
  readers: string[];
}

const MOST_FILES = 1_000;

export async function dataOfTests(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<TestData> {
  const { settings, trees, base } = input;
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const named = { stateDirectory: settings.paths.state_dir, extra: [], commandFiles: new Set<string>() };
  const said = [settings.paths.features, settings.paths.progress];
  const candidates = judged.changes
    .filter(
      (change) =>
        change.from !== null &&
        languageOf(change.path) === null &&
        !replaced.has(change.path) &&
        !said.includes(change.path) &&
        kindOf(change.path, named) === null,
    )
    .map((change) => change.path);
  if (candidates.length === 0) return { changed: [], readers: [] };
  const tests = new Set([...(input.baseline?.passing_tests ?? []).map(fileOf), ...testFilesOf(input.feature)]);
  const paths = (await trees.list(base.tree))
    .map((entry) => entry.path)
    .filter((path) => languageOf(path) !== null && (tests.has(path) || isTestPath(path)));
  const texts = await Promise.all(
    paths.slice(0, MOST_FILES).map(async (path) => ({ path, text: (await trees.read(base.tree, path))!.toString('utf8') })),
  );
  const readings = await readSources(platform, texts);
  const found = { changed: new Set<string>(), readers: new Set<string>() };
  for (const [index, { path }] of texts.entries()) {
    const words = readings[index]?.texts ?? [];
    for (const file of candidates.filter((one) => words.some((word) => names(word, path, one)))) {
      found.changed.add(file);
      for (const reader of tests.has(path) ? [path] : tests) found.readers.add(reader);
    }
  }
  return { changed: [...found.changed], readers: [...found.readers] };
}

/** Whether a text of the file at `path` leads to `file` or to a folder that holds it. */
function names(word: string, path: string, file: string): boolean {
  if (word === '' || word.length > 300) return false;
  const parts = word
    .replace(/^\.?\//, '')
    .split('/')
    .filter((part) => part !== '..' && part !== '.' && part !== '');
  if (parts.length === 0) return false;
  const tail = parts.join('/');
  const isWhole = file === tail || file.endsWith(`/${tail}`);
  const folder = posix.normalize(posix.join(posix.dirname(path), word));
  return isWhole || file.startsWith(`${folder}/`) || (/^[\w-]+$/.test(tail) && file.startsWith(`${tail}/`));
}
