import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { checkOwnSteps } from './check-quality.ts';

const FILES: FileTable = {
  'package.json': '{"scripts":{"test":"cp rule.txt made.txt && node --test && grep -q good made.txt"}}',
  'rule.txt': 'good\n',
  'src.txt': 'fine\n',
};

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

const check = async (before: FileTable, after: FileTable): ReturnType<typeof checkOwnSteps> =>
  checkOwnSteps(
    bench.platform,
    { ...bench.context({ testing: { full: 'npm test' } }), base: { commit: '', tree: await bench.tree(before) } },
    await bench.tree(after),
  );

test('a step that passed before the session has to pass after it, with what the steps before it make', async () => {
  expect(await check(FILES, FILES)).toEqual({ findings: [], detail: 'grep -q good made.txt passed' });
  const broken = await check(FILES, { ...FILES, 'rule.txt': 'bad\n' });
  expect(broken?.findings).toMatchObject([{ check: 'quality', reason: 'sanity.failed', weight: 'reject' }]);
});

test('a step that failed before the session is told and not held against it', async () => {
  const red = { ...FILES, 'rule.txt': 'bad\n' };
  expect((await check(red, { ...red, 'src.txt': 'other\n' }))?.findings).toMatchObject([{ weight: 'warn' }]);
});

test('a step that fails is named with the script that repairs, and with paths of the project', async () => {
  const scripts = { test: 'node --test && npm run lint', lint: 'node lint.cjs', 'lint:fix': 'true' };
  const files = {
    'package.json': JSON.stringify({ scripts }),
    'lint.cjs':
      "const { readFileSync } = require('node:fs');\nif (readFileSync('src.txt', 'utf8') !== 'fine\\n') { console.error(__dirname + '/src.txt:1 error'); process.exit(1); }\n",
    'src.txt': 'fine\n',
  };
  const [finding] = (await check(files, { ...files, 'src.txt': 'other\n' }))?.findings ?? [];
  expect(finding?.message).toBe(
    'npm run lint, a step of the test command, failed (exit status 1); it passes on base, and npm run lint:fix repairs what it can',
  );
  expect(finding?.subjects).toContain('src.txt:1 error');
});

test('a command that is nothing but tests has no such steps', async () => {
  const plain = { 'package.json': '{"scripts":{"test":"node --test"}}' };
  expect(await check(plain, plain)).toBeNull();
});
