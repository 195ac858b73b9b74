/** The end of `npm test`: nothing is tried again in silence. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { emptyScene } from './support.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('a test that passed at the second try only is named, with why it failed at the first', async () => {
  const { project } = await emptyScene();
  await writeFile(
    join(project, 'one.test.js'),
    `let tries = 0;\ntest('steady', () => expect(1).toBe(1));\ntest('unsteady', () => expect((tries += 1)).toBe(2));\n`,
  );
  const report = join(project, 'report.json');
  await promisify(execFile)(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--globals',
      '--retry=1',
      '--root',
      project,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: project, env: { PATH: process.env['PATH'] } },
  );
  const { countTests, retriedTests } = (await import(new URL('../../scripts/test-report.mjs', import.meta.url).href)) as {
    countTests(report: unknown): unknown;
    retriedTests(report: unknown): unknown;
  };
  const read = JSON.parse(await readFile(report, 'utf8')) as unknown;
  expect(countTests(read)).toEqual({ passed: 2, failed: 0, skipped: 0 });
  expect(retriedTests(read)).toEqual([
    { file: expect.stringContaining('one.test.js'), test: 'unsteady', failure: expect.stringContaining('expected 1 to be 2') },
  ]);
});
