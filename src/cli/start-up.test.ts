import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Everything that is loaded before a command is chosen. */
async function loadedAtOnce(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.md': 'text', '.txt': 'text', '.py': 'text', '.mjs': 'text', '.cjs': 'text' },
    write: false,
    metafile: true,
  });
  const seen = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    for (const one of metafile.inputs[path]?.imports ?? []) if (one.kind !== 'dynamic-import') waiting.push(one.path);
  }
  return [...seen].filter((path) => !path.startsWith('src/') && path !== 'package.json').toSorted();
}

test('no package, and no words but those of the live view, are loaded before a command is chosen', async () => {
  expect((await loadedAtOnce('src/main.ts')).filter((path) => !/^(?:node:|words\/live\/)/.test(path))).toEqual([]);
});

test('a quick answer loads files and paths of Node and nothing else', async () => {
  expect(await loadedAtOnce('src/quick.ts')).toEqual(['node:fs', 'node:path']);
  expect(await loadedAtOnce('src/quick-status.ts')).toEqual(['node:fs', 'node:path']);
});
