/** Pieces that several families build their scenes from. */
import type { Dialect } from '../dialect.ts';
import { CORPUS_RUNNERS } from '../runners.ts';

/** Right for the first case only. */
export const half = (t: Dialect): string =>
  t.block(t.name, 'text', `return text === '${t.input}' ? '${t.output}' : text;`, `return '${t.output}' if text == '${t.input}' else text`);

/** The feature's test with the first case alone. */
export const easyTest = (t: Dialect): string => t.suite([t.use(t.name)], [t.cases[0]!]);

/** The package file of the project with more in it. */
export const manifest = (t: Dialect, more: Record<string, unknown>): string =>
  `${JSON.stringify({ name: 'shop', version: '1.0.0', ...(CORPUS_RUNNERS[t.runner].isModule ? { type: 'module' } : {}), scripts: { test: CORPUS_RUNNERS[t.runner].script }, ...more }, null, 2)}\n`;

/** The accepted test, with lines between its imports and its tests. */
export const sumTestWith = (
  t: Dialect,
  lines: readonly string[],
  names: readonly string[] = [],
  tests: readonly string[] = t.sumTests,
): string => t.suite([t.use('sum'), ...lines], tests, names);

export const lines = (...parts: string[]): string => `${parts.join('\n')}\n`;

export const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
