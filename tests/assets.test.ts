/** Programs under `assets/` are given to rooms, runners and threads as text: nothing imports them, so nothing else would notice one that cannot be read. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';

const folder = new URL('../assets/', import.meta.url);
const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:[cm]js|py)$/.test(name));
const textOf = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

test.each(names.filter((name) => /\.[cm]js$/.test(name)))('%s can be read in the oldest Node that is supported', async (name) => {
  const { warnings } = await transform(await textOf(name), { target: 'node20.19' });
  expect(warnings).toEqual([]);
});

test('programs in Python can be read, in what Python 3.8 knows', async () => {
  const paths = names.filter((name) => name.endsWith('.py')).map((name) => fileURLToPath(new URL(name, folder)));
  const code =
    "import ast, sys\nfor path in sys.argv[1:]:\n    text = open(path).read()\n    ast.parse(text, path, feature_version=(3, 8))\n    compile(text, path, 'exec')";
  await promisify(execFile)('python3', ['-I', '-W', 'error', '-c', code, ...paths]);
  expect(paths.length).toBeGreaterThan(10);
});

test('each program is imported by a source, and by one that fills it in where it has a name to be filled in', async () => {
  const root = new URL('../src/', import.meta.url);
  const paths = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const sources = await Promise.all(paths.map((path) => readFile(new URL(path, root), 'utf8')));
  for (const name of names) {
    const importers = sources.filter((source) => source.includes(`/assets/${name}'`));
    const isFilled = !/\bgiven_\w/.test(await textOf(name)) || importers.some((source) => /\bfill\(/.test(source));
    expect([name, importers.length > 0, isFilled]).toEqual([name, true, true]);
  }
});
