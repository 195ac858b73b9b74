/** Programs under `assets/` are given to rooms, runners and threads as text: nothing imports them, so nothing else would notice one that cannot be read. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../assets/', import.meta.url);
const names = await readdir(folder);

test.each(names.filter((name) => /\.[cm]js$/.test(name)))('%s can be read in the oldest Node that is supported', async (name) => {
  const { warnings } = await transform(await readFile(new URL(name, folder), 'utf8'), { target: 'node20.19' });
  expect(warnings).toEqual([]);
});

test('programs in Python can be read', async () => {
  const files = names.filter((name) => name.endsWith('.py')).map((name) => fileURLToPath(new URL(name, folder)));
  const code = 'import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path).read(), path)';
  await promisify(execFile)('python3', ['-I', '-W', 'error', '-c', code, ...files]);
  expect(files.length).toBeGreaterThan(0);
});

test('nothing of a program is left to be filled in that no source fills in', async () => {
  const texts = await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const));
  const holes = texts.flatMap(([name, text]) => [...text.matchAll(/@@\w+@@/g)].map(([hole]) => `${name} ${hole}`));
  expect(holes.toSorted()).toEqual(['jest-reporter.cjs @@REPORT@@', 'vitest-reporter.mjs @@REPORT@@']);
  for (const runner of ['jest', 'vitest'])
    expect(await readFile(new URL(`../src/verify/runners/${runner}.ts`, import.meta.url), 'utf8')).toContain(`.replace("'@@REPORT@@'"`);
});
