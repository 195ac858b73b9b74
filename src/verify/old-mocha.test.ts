/** Mocha as older projects have it: up to version 8 it takes no options from outside, and up to 7 it loads files in ways of its own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import type { TestRun } from '../domain/verdict.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench } from './test-support.ts';
import { installedPackages } from './test-support-packages.ts';

const KINDS = `const assert = require('assert');
describe('group', () => { it('passes', () => { assert.equal(1, 1); }); it('wrong', () => { assert.deepEqual({ a: 1 }, { a: 2 }); }); });
it.skip('put off', () => {});
it('rejects', async () => { throw new Error('x'); });
`;

const FILES = {
  'package.json': '{"scripts":{"test":"mocha --timeout 9000 spec"}}',
  'spec/kinds.js': KINDS,
  'spec/broken.js': "require('./gone.js');\n",
};

describe.runIf(isLong).each(['6.2.3', '7.2.0', '8.4.0', '9.2.2'])('mocha %s', { timeout: 300_000 }, (version) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench({ dependencies: await installedPackages([`mocha@${version}`]) });
  });
  afterAll(() => bench.dispose());

  const suite = async (request: Partial<Parameters<typeof runSuite>[1]> = {}): Promise<TestRun> =>
    runSuite(bench.platform, { ...bench.context({ testing: { full: 'npm test' } }), tree: await bench.tree(FILES), ...request });

  test('tells each test, and a file that cannot be loaded', async () => {
    const run = await suite();
    expect(run).toMatchObject({ runner: 'mocha', problems: [] });
    expect(Object.fromEntries(run.tests.map((one) => [one.id, one.status]))).toEqual({
      'spec/kinds.js::group > passes': 'passed',
      'spec/kinds.js::group > wrong': 'failed',
      'spec/kinds.js::put off': 'skipped',
      'spec/kinds.js::rejects': 'failed',
      'spec/broken.js::(file)': 'error',
    });
    expect(run.tests.find((one) => one.name.endsWith('wrong'))?.failure).toBe('assertion');
  });

  test('runs the files that are asked for, and no others', async () => {
    const run = await suite({ files: ['spec/kinds.js'], variant: { neutral: { keepNodeEnv: false }, forceExit: true } });
    expect(run.problems).toEqual([]);
    expect(new Set(run.tests.map((one) => one.file))).toEqual(new Set(['spec/kinds.js']));
  });
});
