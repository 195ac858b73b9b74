/** The sanity commands and the quick tests of the settings: before a session, and before its work is accepted. */
import { describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { HONEST, projectWithAgent, settingsFor } from './calculator.ts';
import { eventsOf, git, harness, read, write, type Scene } from './support.ts';

/** `testing` holds lines below that key. */
function project(testing: string, more = ''): Promise<Scene> {
  return projectWithAgent(HONEST, { files: { '.harness.yaml': settingsFor(more, `npm test\n${testing}`) } });
}

/** `npm test` takes every second row. */
function some<Row>(rows: readonly Row[]): Row[] {
  return rows.filter((_row, index) => isLong || index % 2 === 1);
}

const HOLDS_BEFORE = 'test ! -e src/subtract.js';

describe('a command that fails on the current commit stops the run before an agent starts', () => {
  test.each(
    some([
      ['testing.unit', '  unit: test ! -e broken.txt', '', 'sanity unit tests', 'env.baseline_broken'],
      ['testing.e2e', '  e2e: test ! -e broken.txt', '', 'sanity end-to-end tests', 'env.baseline_broken'],
      ['testing.sanity.type_check', '  sanity:\n    type_check: test ! -e broken.txt', '', 'sanity type check', 'env.baseline_broken'],
      ['testing.sanity.health', '  sanity:\n    health: test ! -e broken.txt', '', 'health', 'env.unhealthy'],
      [
        'testing.sanity.health beside a health check that holds',
        '  sanity:\n    health: test ! -e broken.txt',
        'environment:\n  health_check: "true"\n',
        'health',
        'env.unhealthy',
      ],
      [
        'a lint that is more than a warning',
        '  sanity:\n    lint: test ! -e broken.txt',
        'quality:\n  warn_on_lint_errors: false\n',
        'sanity lint',
        'env.baseline_broken',
      ],
    ]),
  )('%s', async (_, testing, more, check, reason) => {
    const scene = await project(testing, more);
    await write(scene, { 'broken.txt': '' });
    await git(scene, 'add', 'broken.txt');
    await git(scene, 'commit', '-q', '-m', 'Break it');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 6, last: { reasons: [reason] } });
    expect(eventsOf(run, 'preflight.check')).toContainEqual(expect.objectContaining({ name: check, state: 'failed' }));
    expect(eventsOf(run, 'session.start')).toEqual([]);
  });
});

test('one that failed already when the project was adopted keeps no session from starting, and is not held against its work', async () => {
  const scene = await project('  unit: echo checking; echo "broken.js:1:2 error no" >&2; exit 3');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(eventsOf(run, 'preflight.check')).toContainEqual(
    expect.objectContaining({
      name: 'sanity unit tests',
      state: 'warned',
      detail: expect.stringContaining('failed with status 3: broken.js:1:2 error no (as when the project was adopted; full output: '),
    }),
  );
  expect(await read(scene, '.harness/logs/output-unit-tests.txt')).toContain('checking\n');
});

describe('a command that fails on the work refuses it', () => {
  test.each(
    some([
      ['testing.unit', `  unit: ${HOLDS_BEFORE}`, '', 'sanity.failed'],
      ['testing.e2e', `  e2e: ${HOLDS_BEFORE}`, '', 'sanity.failed'],
      ['testing.sanity.type_check', `  sanity:\n    type_check: ${HOLDS_BEFORE}`, '', 'sanity.failed'],
      ['testing.sanity.health', `  sanity:\n    health: ${HOLDS_BEFORE}`, '', 'sanity.failed'],
      ['testing.sanity.lint', `  sanity:\n    lint: ${HOLDS_BEFORE}`, 'quality:\n  warn_on_lint_errors: false\n', 'quality.lint'],
    ]),
  )('%s', async (_, testing, more, reason) => {
    const scene = await project(testing, more);
    const before = await git(scene, 'rev-parse', 'HEAD');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected', reasons: [reason] } });
    expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
  });
});

test('commands that hold are named in the verdict; lint that fails warns', async () => {
  const scene = await project('  unit: test -e src/add.js\n  sanity:\n    health: "true"\n    lint: exit 3\n    type_check: "true"');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  const quality = eventsOf(run, 'verify.check').find((event) => event['name'] === 'quality');
  expect(quality).toMatchObject({ state: 'warned' });
  for (const words of ['health passed', 'lint failed (exit status 3)', 'type check passed', 'unit tests passed'])
    expect(quality!['detail']).toContain(words);
});
