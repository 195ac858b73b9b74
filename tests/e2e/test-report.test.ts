/** The end of `npm test`: nothing is tried again in silence, and what failed is named where a long log is read. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyScene } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a test that passed at the second try only is named, with why it failed at the first', async () => {
  const { countTests, retriedTests, failedTests, read } = await reportOf({
    'one.test.js': `let tries = 0;\ntest('steady', () => expect(1).toBe(1));\ntest('unsteady', () => expect((tries += 1)).toBe(2));\n`,
  });
  expect(countTests(read)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  expect(failedTests(read)).toEqual([]);
  expect(retriedTests(read)).toEqual([
    { file: expect.stringContaining('one.test.js'), test: 'unsteady', failure: expect.stringContaining('expected 1 to be 2') },
  ]);
});

test('a test that failed and a file that cannot be loaded are named, with why', async () => {
  const { countTests, failedTests, read } = await reportOf({
    'one.test.js': `test('steady', () => expect(1).toBe(1));\ntest('wrong', () => expect(1).toBe(2));\n`,
    'two.test.js': `import './nowhere.js';\n`,
  });
  expect(countTests(read)).toEqual({ passed: 1, failed: 2, skipped: 0 });
  expect(failedTests(read)).toEqual(
    expect.arrayContaining([
      { file: expect.stringContaining('one.test.js'), test: 'wrong', failure: expect.stringContaining('expected 1 to be 2') },
      { file: expect.stringContaining('two.test.js'), test: 'the file itself', failure: expect.stringContaining('./nowhere.js') },
    ]),
  );
});

test('a name that the list of long tests leaves out, and that no test has, is told', async () => {
  const { unknownNames, read } = await reportOf({ 'one.test.js': `describe('all', () => test('steady', () => expect(1).toBe(1)));\n` });
  expect(unknownNames(read, { 'one.test.js': ['all steady', 'all slow'], 'nowhere.test.js': ['gone'] })).toEqual([
    { file: 'one.test.js', test: 'all slow' },
  ]);
});

async function reportOf(files: Record<string, string>) {
  const { project } = await emptyScene();
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  const report = join(project, 'report.json');
  const words = ['run', '--globals', '--retry=1', '--root', project, '--reporter=json', `--outputFile=${report}`];
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
    cwd: project,
    env: { PATH: process.env['PATH'] },
  }).catch(() => undefined);
  const read = JSON.parse(await readFile(report, 'utf8')) as unknown;
  const reader = (await import(new URL('../../scripts/test-report.mjs', import.meta.url).href)) as {
    countTests(report: unknown): unknown;
    retriedTests(report: unknown): unknown;
    failedTests(report: unknown): unknown;
    unknownNames(report: unknown, left: Record<string, string[]>): unknown;
  };
  return { ...reader, read };
}
