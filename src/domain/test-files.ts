/** The test files that prove a feature: a path or a list of paths. A list of one is the same as a path. Pure. */
import type { Feature } from './feature.ts';
import { lastItem } from './items.ts';

type Named = Pick<Feature, 'test_file'>;

/** None where the feature names none, or where there is no feature. */
export function testFilesOf(feature: Named | null | undefined): string[] {
  const named = feature?.test_file;
  return named === undefined ? [] : typeof named === 'string' ? [named] : [...named];
}

/** As the feature list may have it; null: none. */
export function asTestFile(files: readonly string[]): string | string[] | null {
  return files.length <= 1 ? (files[0] ?? null) : [...files];
}

/** `a`, `a and b`, `a, b and c`; for many, how many more. */
export function namesOfFiles(files: readonly string[]): string {
  const shown = files.length > MOST_SHOWN ? [...files.slice(0, MOST_SHOWN), `${files.length - MOST_SHOWN} more`] : files;
  return shown.length <= 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${lastItem(shown)}`;
}

const MOST_SHOWN = 5;
