import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { fileCache } from '../memory/cache.ts';
import { openProject, type Project } from '../test-support-projects.ts';
import { lostAnew } from './lost-anew.ts';

let project: Project;
beforeAll(async () => void (project = await openProject('node:test')));
afterAll(() => project.bench.dispose());

const MARKED = "assert.equal(typeof process.env.NODE_TEST_CONTEXT, 'string');\nassert.equal(add(1, 2), 3);";
const DATED = (): string => `assert.ok(Date.now() < ${Date.now() + 86_400_000});`;

describe('old tests that do not stand other conditions on the base either are held against nobody', () => {
  const adding = (code: string): Record<string, string> => ({
    ...project.honest,
    [project.paths.oldCode]: code,
    [project.paths.oldTest]: project.tests(
      { marked: MARKED, adds: 'assert.equal(add(1, 2), 3);' },
      "import { add } from '../src/add.js';\n",
    ),
  });
  const based = (): Record<string, string> => ({
    ...project.base,
    [project.paths.oldTest]: adding('')[project.paths.oldTest]!,
  });

  test('an honest session is accepted, and what is not held is told', async () => {
    const base = { ...based(), [project.paths.newTest]: project.tests({ dated: DATED() }, "import { add } from '../src/add.js';\n") };
    const work = {
      ...adding('export const add = (a, b) => b + a;\n'),
      [project.paths.newTest]:
        `${base[project.paths.newTest]!}import { subtract } from '../src/subtract.js';\ntest('subtracts', () => { assert.equal(subtract(3, 2), 1); });\n`,
    };
    const verdict = await project.verdictOf(work, { baseFiles: base });
    expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
    const details = new Map(verdict.checks.map(({ name, detail }) => [name, detail]));
    expect(details.get('neutral')).toContain('also fails on base: test/add.test.js::marked');
    expect(details.get('repeat')).toContain('also fails on base: test/subtract.test.js::dated');
  });

  test('a session whose code works only under the marks is refused for the tests that stood it', async () => {
    const work = adding("export const add = (a, b) => (process.env['NODE_TEST' + '_CONTEXT'] ? a + b : 99);\n");
    const verdict = await project.verdictOf(work, { baseFiles: based() });
    expect(verdict).toMatchObject({ decision: 'rejected', reasons: ['test.failed'] });
    expect(verdict.findings[0]!.subjects.join('\n')).toContain('test/add.test.js::adds');
  });
});

test('only what was there and passed is asked of the base', async () => {
  const tree = await project.bench.tree(project.base);
  const input = {
    ...project.bench.context({}),
    base: { commit: 'c', tree },
    baseline: { passing_tests: ['test/add.test.js::adds', 'gone.test.js::old'] } as never,
  };
  const asked: string[][] = [];
  const lost = ['test/add.test.js::adds (failed)', 'test/add.test.js::adds more (failed)', 'gone.test.js::old (not run)'];
  const found = await lostAnew(input, lost, async (files, wanted) => {
    asked.push(files, wanted);
    return ['test/add.test.js::adds (failed): here too'];
  });
  expect(asked).toEqual([['test/add.test.js'], ['test/add.test.js::adds']]);
  expect(found).toEqual({ anew: lost.slice(1), before: ['test/add.test.js::adds'] });
  expect(await lostAnew({ ...input, baseline: null }, lost, async () => [])).toEqual({ anew: lost, before: [] });
});

test('a run to compare with is kept with its failures, and no other is', async () => {
  const { platform, folder } = project.bench;
  const cache = fileCache(platform, `${folder}/compared`);
  const run: TestRun = {
    runner: 'node:test',
    command: ['node'],
    files: [],
    exit_code: 1,
    timed_out: false,
    consistent: true,
    problems: [],
    tests: [{ id: 'a::b', file: 'a', name: 'b', status: 'failed' }],
    duration_ms: 1,
    sandboxed: false,
    output_tail: '',
  };
  for (const key of ['base-1', '1']) await cache.put(key, run);
  expect([await cache.get('base-1'), await cache.get('1')]).toEqual([run, null]);
});
