import { expect, test } from 'vitest';
import { avaRunner } from './ava.ts';
import { bunRunner } from './bun-test.ts';
import { jasmineRunner } from './jasmine.ts';
import type { DeepRunner, PlanRequest, RunnerFacts } from './runner.ts';
import { uvuRunner } from './uvu.ts';

const REQUEST: PlanRequest = {
  files: null,
  room: '/room',
  reportPath: '/out/report',
  keyPath: '/out/key',
  supportDirectory: '/support',
  temporary: '/temporary',
  pythonPath: [],
  variant: {},
  marks: 'X',
};

/** Files that a whole run of the command takes. */
function chosen(runner: DeepRunner, command: string, paths: readonly string[], packages: readonly string[] = []): string[] {
  const match = runner.detect(command.split(' '), new Set(packages));
  if (match === null) return ['(not detected)'];
  const facts: RunnerFacts = { paths, dependencies: '/packages', python: null, node: 'node' };
  const plan = runner.plan(match, facts, REQUEST);
  const starter = 'missing' in plan ? '' : plan.support.find((one) => one.path.includes('starter'))!.content;
  return (JSON.parse(/"files":(\[[^\]]*\]|null)/.exec(starter)?.[1] ?? '[]') as string[] | null) ?? ['(all)'];
}

test('uvu takes the folder and the pattern of its command, or what is usual', () => {
  const paths = ['tests/b.js', 'tests/a.spec.ts', 'tests/fixtures/x.js', 'src/a.js', 'src/a.test.js', 'test.js'];
  expect(chosen(uvuRunner, 'uvu', paths)).toEqual(['src/a.test.js', 'test.js', 'tests/a.spec.ts', 'tests/b.js', 'tests/fixtures/x.js']);
  expect(chosen(uvuRunner, 'uvu tests -i fixtures', paths)).toEqual(['tests/a.spec.ts', 'tests/b.js']);
  expect(chosen(uvuRunner, 'uvu -r tsm tests spec', paths)).toEqual(['tests/a.spec.ts']);
  expect(chosen(uvuRunner, 'node tests/b.js', paths, ['uvu'])).toEqual(['tests/b.js']);
  expect(chosen(uvuRunner, 'uvu tests (', paths)).toEqual([]);
  expect(uvuRunner.detect(['node', '-r', 'tsm', 'node_modules/uvu/bin.js', 'tests'], new Set())?.interpreterArgs).toEqual(['-r', 'tsm']);
});

test('bun takes files by parts of their paths, or by whole paths', () => {
  const paths = ['a.test.ts', 'src/b_spec.js', 'src/c.ts', 'test/d.test.tsx'];
  expect(chosen(bunRunner, 'bun test --coverage', paths)).toEqual(['a.test.ts', 'src/b_spec.js', 'test/d.test.tsx']);
  expect(chosen(bunRunner, 'bun test src', paths)).toEqual(['src/b_spec.js']);
  expect(chosen(bunRunner, 'bun test ./src/c.ts', paths)).toEqual(['src/c.ts']);
  expect(chosen(bunRunner, 'bun run test', paths)).toEqual(['(not detected)']);
});

test('commands of ava and jasmine that run no test are left alone', () => {
  expect(avaRunner.detect(['ava', 'reset-cache'], new Set())).toBeNull();
  expect(jasmineRunner.detect(['jasmine', 'init'], new Set())).toBeNull();
  expect(avaRunner.detect(['ava', '--tap', '--fail-fast', 'test/*.js'], new Set())?.args).toEqual(['test/*.js']);
});

const XML = `<?xml version="1.0"?>
<testsuites name="bun test"><testsuite name="a.test.ts"><testsuite name="group &quot;x&quot;">
  <testcase name="passes &lt;one&gt;" time="0.001" /></testsuite>
  <testcase name="wrong"><failure type="AssertionError" message="expect(received).toBe(expected)">at a.test.ts:4</failure></testcase>
  <testcase name="later"><skipped message="TODO" /></testcase><testcase name="known" /><testcase name="again" />
</testsuite></testsuites>`;

async function toldByBun(row: Record<string, unknown>): Promise<unknown> {
  const report = `${JSON.stringify({ file: 'a.test.ts', code: 1, failing: [], ...row })}\n{"end":1,"lines":1}\n`;
  const { tests, problems } = await bunRunner.parse({ report, stdout: '', stderr: '', code: 1, room: '/room', files: null });
  return [Object.fromEntries(tests.map((one) => [one.name, one.status])), problems];
}

test('bun: names of groups, what is put off, what passes because it fails and what passed at a second try', async () => {
  const stderr = '(pass) again (attempt 2)\n 3 pass\n 1 todo\n 1 fail\n';
  expect(await toldByBun({ report: XML, stderr, failing: ['known'] })).toEqual([
    { 'group "x" > passes <one>': 'passed', wrong: 'failed', later: 'todo', known: 'xfail', again: 'retried' },
    [],
  ]);
});

test('bun: a file without a report, or with another number of tests than was printed, has not passed', async () => {
  expect(await toldByBun({ report: null, stderr: "error: Cannot find module './gone.js'" })).toEqual([{ '(file)': 'error' }, []]);
  expect(await toldByBun({ report: XML, stderr: ' 2 pass\n 1 fail\n' })).toMatchObject([{ '(file)': 'error' }, []]);
});
