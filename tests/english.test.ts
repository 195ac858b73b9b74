/** The check of `npm test` that keeps foreign phrases out of text for people, on a small tree of its kind. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../scripts/english.mjs', import.meta.url));
const CLEAN = { 'docs/page.md': 'The verdict records it.\n', 'src/one.ts': "export const message = 'The verdict records it.';\n" };

test.each<[string, Record<string, string>, string]>([
  ['a page', { 'docs/page.md': 'First line.\nA person is told about it.\n' }, 'docs/page.md:2: "is told"'],
  ['a message', { 'src/one.ts': "export const message = 'Whoever holds the lock';\n" }, 'src/one.ts:1: "whoever"'],
  ['a template', { 'src/one.ts': 'export const say = (n: number) => `${n} tests are asked about`;\n' }, 'src/one.ts:1: "are asked about"'],
])('a foreign phrase in %s is found', async (_where, files, place) => {
  expect((await check(CLEAN)).stderr).not.toContain('(write:');
  const found = await check({ ...CLEAN, ...files });
  expect(found.stderr).toContain(place);
  expect(found.status).toBe(1);
});

test('names of modules and comments are no text for people', async () => {
  const { stdout } = await check({ ...CLEAN, 'src/one.ts': "// Whoever reads this.\nexport * from './lost-anew.ts';\n" });
  expect(stdout).toContain('0 phrases in text for people, 1 in comments');
});

async function check(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(tmpdir(), 'harness-english-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }
    return spawnSync(process.execPath, [SCRIPT, '--root', root], { encoding: 'utf8' });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
