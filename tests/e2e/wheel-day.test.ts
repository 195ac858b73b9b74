/** The day of docs/a-day.md, block by block, in an empty directory. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyScene, git, harness, read, type Scene } from './support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

/** A folder in which `harness` is the built program. */
async function programs(scene: Scene): Promise<string> {
  const folder = join(scene.folder, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'harness'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(folder, 'harness'), 0o755);
  return folder;
}

test("a person's day goes as the page tells it", { timeout: 400_000 }, async () => {
  const page = await readFile(new URL('../../docs/a-day.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]!);
  expect(blocks.length).toBeGreaterThanOrEqual(8);
  const scene = await emptyScene();
  const env = { ...scene.env, PATH: `${await programs(scene)}:${scene.env['PATH']}` };
  const told: string[] = [];
  for (const block of blocks) {
    const { stdout, stderr } = await promisify(execFile)('sh', ['-eu', '-c', block], { cwd: scene.project, env }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`this block failed:\n${block}\n${error.stdout}\n${error.stderr}`, { cause: error });
      },
    );
    told.push(stdout + stderr);
  }
  const all = told.join('\n');
  for (const words of [
    'Harness-Feature: 1',
    'continue with: harness resume',
    'Recorded as passing: #2',
    'Feature #2: PASSED',
    "on a person's word alone: #4",
    'refs/harness/saved/',
  ])
    expect(all).toContain(words);
  const list = JSON.parse(await read(scene, 'features.json')) as { features: { passes: boolean }[] };
  expect(list.features.map((feature) => feature.passes)).toEqual([true, true, true, true, true]);
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({
    features: { passing: 5, total: 5 },
    current: 'all features pass',
  });
  expect(await git(scene, 'status', '--porcelain')).toBe('');
});
