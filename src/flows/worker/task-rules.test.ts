/** What a task says about tests and commands, and what the answer says about failures and silences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openBench, PROJECT, sessionsIn, type WorkerBench } from './test-support.ts';

let bench: WorkerBench;
afterEach(() => bench.dispose());

const NODE: Readonly<Record<string, string>> = {
  '.harness.yaml': 'project:\n  name: bench\ntesting:\n  full: node --test\n',
  'package.json': '{ "type": "module" }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('adds', () => assert.equal(add(1, 2), 3));
`,
};
const AS_TEXT = `sed -i 's/=> a + b/=> String(a + b)/' src/add.js; sed -i "s/, 3)/, '3')/" test/add.test.js`;
const FILES = { files: ['src', 'test'], validation_commands: ['node --test'] };

test('accepted tests that the task names may change, and are shown; others are asked about', async () => {
  bench = openBench(NODE);
  const refused = await bench.work({ agent: AS_TEXT, task: FILES });
  expect(refused.value, JSON.stringify(refused.value, null, 1)).not.toMatchObject({ status: 'completed' });
  const { value } = await bench.work({ agent: AS_TEXT, task: { ...FILES, task_id: '2', may_change: ['test/*.test.js'] } });
  expect(value, JSON.stringify(value, null, 1)).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(value['verdict'])).toContain('tests that this feature may change were changed (test/add.test.js)');
});

test('a test file of comments alone may get its first tests', async () => {
  bench = openBench({ ...NODE, 'test/sub.test.js': '// Tests of sub come here.\n' });
  const agent = `echo 'export const sub = (a, b) => a - b;' > src/sub.js
printf "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sub } from '../src/sub.js';\ntest('subtracts', () => assert.equal(sub(3, 2), 1));\n" > test/sub.test.js`;
  const { value } = await bench.work({ agent, task: FILES });
  expect(value, JSON.stringify(value, null, 1)).toMatchObject({ status: 'completed', files_changed: ['src/sub.js', 'test/sub.test.js'] });
});

test('a command that was chosen and fails on the base is not held against the work; one that was given is', async () => {
  const broken = { ...PROJECT, 'package.json': '{ "scripts": { "build": "echo broken; exit 3" } }\n' };
  bench = openBench(broken);
  const agent = 'echo new > src/new.txt';
  const { value } = await bench.work({ agent, task: { validation_commands: undefined } });
  expect(value, JSON.stringify(value, null, 1)).toMatchObject({ status: 'completed' });
  expect(value['validation']).toMatchObject([
    { command: 'sh test.sh', exit_code: 0 },
    { command: 'npm run build', exit_code: 3, fails_on_base: true },
  ]);
  const given = await bench.work({ agent, task: { task_id: '2', validation_commands: ['npm run build'] } });
  expect(given.value).not.toMatchObject({ status: 'completed' });
});

test('the last error is the first line of the error, and two failures that differ there are two', async () => {
  bench = openBench(PROJECT);
  const same = `for n in 1 2 3; do echo "# duration_ms $n"; done; exit 1`;
  const check = `cat src/new.txt; ${same}`;
  const agent = `if [ -f src/new.txt ]; then echo 'Error: the second' > src/new.txt; else echo 'Error: the first' > src/new.txt; fi`;
  const { value } = await bench.work({ agent, task: { validation_commands: [check] } });
  expect(value, JSON.stringify(value)).toMatchObject({ schema_version: 'advisor-request.v1', reason_code: 'retry-threshold', attempt: 3 });
  expect(String(value['last_error']).endsWith('ended with 1: Error: the second')).toBe(true);
  expect(sessionsIn(bench.events)).toBe(3);
});

test('a silence is counted once, and the rules of the project for quality are read where they are', async () => {
  const rules = { '.claude/rules/test-quality.md': 'Name the case.\n', '.claude/rules/implementation-quality.md': 'No shortcuts.\n' };
  bench = openBench({ ...PROJECT, ...rules, '.harness.yaml': `${PROJECT['.harness.yaml']}worker:\n  silence_seconds: 2\n` });
  const agent = `if [ -f src/new.txt ]; then cp "$TMPDIR/prompt" src/prompt.txt; else echo new > src/new.txt; sleep 60; fi`;
  const { value } = await bench.work({ agent });
  expect(value, JSON.stringify(value, null, 1)).toMatchObject({
    status: 'completed',
    task_complexity_note: expect.stringContaining('silent for too long once'),
  });
  bench.git('checkout', '-q', String(value['commit']));
  const prompt = readFileSync(join(bench.root, 'src/prompt.txt'), 'utf8');
  for (const text of ['test-quality.md', 'Name the case.', 'implementation-quality.md', 'No shortcuts.']) expect(prompt).toContain(text);
});

test('what was looked at of a spec is said', async () => {
  bench = openBench({ ...PROJECT, 'docs/spec.md': '# Spec\nnew is new\n' });
  const { value } = await bench.work({
    agent: 'echo new > src/new.txt',
    task: { files: ['src'], spec_skip_reason: null, spec_path: 'docs/spec.md' },
  });
  const items = value['preflight'] as { item: string; ok: boolean; evidence: string }[];
  expect(items.find(({ item }) => item === 'spec-respected')).toMatchObject({
    ok: true,
    evidence: expect.stringContaining('only files were looked at'),
  });
});
