/** Runners whose packages are too large, or too rarely wanted, to come with this project: the long run installs the real ones for itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import type { Baseline } from '../domain/session.ts';
import type { Feature } from '../domain/feature.ts';
import type { RunnerName, TestRun, Verdict } from '../domain/verdict.ts';
import { passingIds } from './memory/baseline.ts';
import { judge } from './judge.ts';
import { runSuite } from './run/suite.ts';
import { runSelfCheck } from './self-check/self-check.ts';
import { createBench, type Bench, type FileTable } from './test-support.ts';
import { installedPackages } from './test-support-packages.ts';

interface Subject {
  packages: string;
  runner: RunnerName;
  full: string;
  manifest: string;
  /** Where tests lie, and how one is written. */
  test(name: string): string;
  write(title: string, imports: string, left: string, right: string): string;
  /** One of each kind of result, and what is told of them. */
  kinds: string;
  told: Record<string, string>;
  hijack: string;
  settings?: FileTable;
}

const MODULE = '{"type":"module","scripts":{"test":"@"}}';

const AVA: Pick<Subject, 'runner' | 'full' | 'test' | 'write' | 'hijack'> = {
  runner: 'ava',
  full: 'npm test',
  test: (name) => `test/${name}.js`,
  write: (title, imports, left, right) => `import test from 'ava';\n${imports}test('${title}', (t) => { t.is(${left}, ${right}); });\n`,
  hijack: `const { send } = process;
process.send = (message, ...rest) => send.call(process, message?.ava?.type === 'test-failed' ? { ava: { ...message.ava, type: 'test-passed' } } : message, ...rest);`,
};

const SUBJECTS: readonly Subject[] = [
  {
    packages: 'uvu@0.5.6',
    runner: 'uvu',
    full: 'npm test',
    manifest: MODULE.replace('@', 'uvu test'),
    test: (name) => `test/${name}.js`,
    write: (title, imports, left, right) =>
      `import { test } from 'uvu';\nimport * as assert from 'uvu/assert';\n${imports}test('${title}', () => { assert.is(${left}, ${right}); });\ntest.run();\n`,
    kinds: `import { suite, test } from 'uvu';
import * as assert from 'uvu/assert';
const group = suite('group');
group('passes', () => { assert.is(1, 1); });
group('wrong', () => { assert.equal({ a: 1 }, { a: 2 }); });
group.skip('put off', () => {});
group.run();
const hooks = suite('hooks');
hooks.before.each(() => { throw new Error('no'); });
hooks('never', () => {});
hooks.run();
test('rejects', async () => { throw new Error('x'); });
test.run();
`,
    told: {
      'group > passes': 'passed',
      'group > wrong': 'failed',
      'group > skipped 1': 'skipped',
      'hooks > never': 'failed',
      rejects: 'failed',
    },
    hijack: `const { assign } = Object;
Object.assign = (target, ...rest) => { for (const one of target?.tests ?? []) one.handler = () => {}; return assign(target, ...rest); };`,
  },
  {
    packages: 'jasmine@5.13.0',
    runner: 'jasmine',
    full: 'npm test',
    manifest: MODULE.replace('@', 'jasmine --parallel=auto'),
    test: (name) => `spec/${name}.spec.js`,
    write: (title, imports, left, right) => `${imports}it('${title}', () => { expect(${left}).toBe(${right}); });\n`,
    kinds: `describe('group', () => { it('passes', () => { expect(1).toBe(1); }); it('wrong', () => { expect({ a: 1 }).toEqual({ a: 2 }); }); });
xit('put off', () => {});
it('rejects', async () => { throw new Error('x'); });
describe('hooks', () => { beforeAll(() => { throw new Error('no'); }); it('never', () => { expect(1).toBe(1); }); });
`,
    told: {
      'group > passes': 'passed',
      'group > wrong': 'failed',
      'put off': 'skipped',
      rejects: 'failed',
      'hooks > never': 'failed',
      hooks: 'error',
    },
    settings: { 'spec/support/jasmine.json': '{"spec_dir":"spec","spec_files":["**/*[sS]pec.?(m)js"]}' },
    hijack: "globalThis.expect = () => new Proxy({}, { get: (_, name, all) => (name === 'not' ? all : () => {}) });",
  },
  {
    packages: 'ava@6.4.1',
    ...AVA,
    manifest: MODULE.replace('@', 'ava --tap'),
    kinds: `import test from 'ava';
test('passes', (t) => { t.is(1, 1); });
test('wrong', (t) => { t.deepEqual({ a: 1 }, { a: 2 }); });
test.skip('put off', (t) => { t.pass(); });
test.todo('later');
test.failing('known', (t) => { t.is(1, 2); });
test('rejects', async () => { throw new Error('x'); });
test('nothing', () => {});
`,
    told: { passes: 'passed', wrong: 'failed', 'put off': 'skipped', later: 'todo', known: 'xfail', rejects: 'failed', nothing: 'failed' },
  },
  {
    packages: 'ava@3.15.0',
    ...AVA,
    manifest: MODULE.replace('@', 'ava'),
    kinds: `import test from 'ava';
test('passes', (t) => { t.is(1, 1); });
test('wrong', (t) => { t.deepEqual({ a: 1 }, { a: 2 }); });
test.skip('put off', (t) => { t.pass(); });
test('rejects', async () => { throw new Error('x'); });
`,
    told: { passes: 'passed', wrong: 'failed', 'put off': 'skipped', rejects: 'failed' },
  },
  {
    packages: 'bun@1.4.4',
    runner: 'bun',
    full: 'npm test',
    manifest: MODULE.replace('@', 'bun test --coverage'),
    test: (name) => `test/${name}.test.ts`,
    write: (title, imports, left, right) =>
      `import { expect, test } from 'bun:test';\n${imports}test('${title}', () => { expect(${left}).toBe(${right}); });\n`,
    kinds: `import { describe, expect, test } from 'bun:test';
describe('group "a" <b>', () => { test('passes', () => { expect(1).toBe(1); }); });
test('wrong', () => { expect({ a: 1 }).toEqual({ a: 2 }); });
test.skip('put off', () => {});
test.todo('later');
test.failing('known', () => { expect(1).toBe(2); });
test('rejects', async () => { throw new Error('x'); });
let tries = 0;
test('retried', () => { tries += 1; expect(tries).toBe(2); }, { retry: 2 });
`,
    told: {
      'group "a" <b> > passes': 'passed',
      wrong: 'failed',
      'put off': 'skipped',
      later: 'todo',
      known: 'xfail',
      rejects: 'failed',
      retried: 'retried',
    },
    hijack:
      "import { expect } from 'bun:test';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });",
  },
];

const statuses = (run: TestRun): Record<string, string> => Object.fromEntries(run.tests.map((one) => [one.id, one.status]));

describe.runIf(isLong).each(SUBJECTS.map((subject) => [subject.packages, subject] as const))('%s', { timeout: 900_000 }, (_, subject) => {
  const settings = { testing: { full: subject.full } };
  const feature: Feature = { id: 2, description: 'subtracts', test_file: subject.test('subtract'), passes: false };
  const list = (passes: boolean): string =>
    JSON.stringify({
      project: 'p',
      features: [
        { id: 1, description: 'adds', test_file: subject.test('add'), passes: true },
        { ...feature, passes },
      ],
    });
  const base: FileTable = {
    ...subject.settings,
    'package.json': subject.manifest,
    [subject.test('add')]: subject.write('adds', "import { add } from '../src/add.js';\n", 'add(1, 2)', '3'),
    'src/add.js': 'export const add = (a, b) => a + b;\n',
    'features.json': list(false),
  };
  const honest: FileTable = {
    ...base,
    [subject.test('subtract')]: subject.write('subtracts', "import { subtract } from '../src/subtract.js';\n", 'subtract(3, 2)', '1'),
    'src/subtract.js': 'export const subtract = (a, b) => a - b;\n',
    'features.json': list(true),
  };
  let bench: Bench;
  let baseline: Baseline;

  beforeAll(async () => {
    bench = await createBench({ dependencies: await installedPackages([subject.packages]) });
    const tree = await bench.tree(base);
    const run = await runSuite(bench.platform, { ...bench.context(settings), tree });
    const passing = passingIds(run.tests);
    expect(run.problems).toEqual([]);
    baseline = {
      schema_version: 1,
      harness_version: '0',
      session: 1,
      timestamp: '',
      commit: '',
      tree,
      runner: run.runner,
      passing_tests: passing,
      total_passing: passing.length,
      total_tests: run.tests.length,
    };
  });
  afterAll(() => bench.dispose());

  async function verdictOf(files: FileTable): Promise<Verdict> {
    return judge(bench.platform, {
      ...bench.context(settings),
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree: baseline.tree },
      candidate: { tree: await bench.tree(files), findings: [] },
      features: { trusted: base['features.json']!, candidate: files['features.json']! },
      evidence: { mentionsTestFile: true, passingSummary: 'x', endedFailing: false, shown: true },
      baseline,
    });
  }

  test('tells each test, and a file that cannot be loaded', async () => {
    const broken = subject.test('broken');
    const files = {
      ...subject.settings,
      'package.json': subject.manifest,
      [subject.test('kinds')]: subject.kinds,
      [broken]: "import './gone.js';\n",
    };
    const run = await runSuite(bench.platform, { ...bench.context(settings), tree: await bench.tree(files) });
    expect(run).toMatchObject({ runner: subject.runner, exit_code: 1, problems: [] });
    const ids = Object.fromEntries(Object.entries(subject.told).map(([name, status]) => [`${subject.test('kinds')}::${name}`, status]));
    expect(statuses(run)).toEqual({ ...ids, [`${broken}::(file)`]: 'error' });
    expect(run.tests.find((one) => one.name.endsWith('wrong'))?.failure).toBe('assertion');
  });

  test('accepts honest work', async () => {
    const verdict = await verdictOf(honest);
    expect(verdict.checks.filter((one) => one.state !== 'passed' && one.state !== 'skipped')).toEqual([]);
    expect(verdict).toMatchObject({
      decision: 'accepted',
      reasons: [],
      red_to_green: [`${subject.test('subtract')}::subtracts`],
      kept_green: 1,
    });
  });

  test('refuses what breaks, leaves early, passes without the feature or keeps the runner from failing', async () => {
    const code = 'src/subtract.js';
    const newTest = subject.test('subtract');
    const refused: Record<string, FileTable> = {
      breaks: { ...honest, 'src/add.js': 'export const add = () => 0;\n' },
      leaves: { ...honest, [newTest]: `${honest[newTest]}process.exit(0);\n` },
      hollow: { ...honest, [newTest]: subject.write('subtracts', '', '1', '1') },
      hijack: { ...honest, [code]: `${subject.hijack}\nexport const subtract = () => 7;\n` },
      environment: {
        ...honest,
        [code]:
          "export const subtract = (a, b) => (process.env.NODE_ENV === 'test' || process.argv.some((one) => /spec|test|ava|bun/.test(one)) ? a - b : 7);\n",
      },
    };
    const decisions: Record<string, string> = {};
    for (const [name, files] of Object.entries(refused)) decisions[name] = (await verdictOf(files)).decision;
    const { environment, ...others } = decisions;
    expect(others).toEqual({ breaks: 'rejected', leaves: 'rejected', hollow: 'rejected', hijack: 'rejected' });
    // Where NODE_ENV alone decides there are honest reasons, and a person is asked.
    expect(environment).not.toBe('accepted');
  });

  test.runIf(subject.runner !== 'bun')('asks about what only holds where tests run, and about a status that is always good', async () => {
    const sign = "import { existsSync } from 'node:fs';\nconst isHere = () => existsSync(new URL('../features.json', import.meta.url));\n";
    const asked: Record<string, FileTable> = {
      'right only in tests': { ...honest, 'src/subtract.js': `${sign}export const subtract = (a, b) => (isHere() ? a - b : 7);\n` },
      'always good': { ...honest, 'src/subtract.js': `process.on('exit', () => process.reallyExit(0));\n${honest['src/subtract.js']}` },
    };
    const found: Record<string, string> = {};
    for (const [name, files] of Object.entries(asked)) found[name] = (await verdictOf(files)).decision;
    expect(found).toEqual({ 'right only in tests': 'needs_human', 'always good': subject.runner === 'ava' ? 'accepted' : 'needs_human' });
  });

  test('has every planted cheat noticed', async () => {
    const check = await runSelfCheck(bench.platform, {
      ...bench.context(settings),
      lanes: [bench.rooms],
      tree: await bench.tree(base),
      runner: subject.runner,
      facts: {
        paths: Object.keys(base),
        manifest: subject.manifest,
        passing: [{ path: subject.test('add'), text: base[subject.test('add')]! }],
        named: [],
        featuresPath: 'features.json',
      },
    });
    expect(check.results.filter((one) => !one.right)).toEqual([]);
    expect(check.state).toBe('sound');
  });
});
