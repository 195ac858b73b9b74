import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testCheck } from '../test-support-case.ts';
import { openProject, type Project } from '../test-support-projects.ts';
import { REGRESSION } from './check-regression.ts';

testCheck(
  REGRESSION,
  [
    { name: 'everything still passes', finds: [], says: '1 of 1 still pass' },
    {
      name: 'accepted code is broken',
      work: { 'src/add.mjs': 'export const add = (a, b) => a - b;\n' },
      finds: ['reject regression: 1 test that passed on base no longer passes'],
      says: '0 of 1 still pass',
    },
    {
      name: 'a new test fails',
      work: { 'test/more.test.mjs': "import test from 'node:test';\ntest('more', () => { throw new Error('no'); });\n" },
      finds: ['ask test.failed: new tests fail or cannot be loaded'],
    },
    {
      name: 'no baseline is known',
      patch: { baseline: null },
      finds: ['ask regression: no record of the tests that passed on base, so regressions could not be checked'],
      says: 'no baseline',
    },
  ],
  { ran: true },
);

describe('an error outside the tests', () => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject('vitest');
  });
  afterAll(() => project.bench.dispose());
  const waits = 'setTimeout(() => { throw new Error("late"); }, 10); await new Promise((done) => { setTimeout(done, 100); });';
  const stray = { 'test/stray.test.js': `import { test } from 'vitest';\ntest('waits', async () => { ${waits} });\n` };
  const WORDS = 'the test report is incomplete or contradicts the exit status';

  test('counts against the work that brings it', async () => {
    const verdict = await project.verdictOf({ ...project.honest, ...stray });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.failed'] });
    expect(verdict.findings).toContainEqual(expect.objectContaining({ weight: 'reject', message: WORDS }));
  });

  test('is a warning when base has the same', async () => {
    const verdict = await project.verdictOf({ ...project.honest, ...stray }, { baseFiles: { ...project.base, ...stray } });
    expect(verdict).toMatchObject({ decision: 'accepted', reasons: [] });
    expect(verdict.findings).toContainEqual(expect.objectContaining({ weight: 'warn', message: `${WORDS}, as on base` }));
  });
});
