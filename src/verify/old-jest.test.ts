/** Jest as older projects have it: before version 29.2 it cannot be asked for another order. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench } from './test-support.ts';
import { installedPackages } from './test-support-packages.ts';

describe.runIf(isLong).each(['27.5.1', '29.7.0'])('jest %s', { timeout: 300_000 }, (version) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench({ dependencies: await installedPackages([`jest@${version}`]) });
  });
  afterAll(() => bench.dispose());

  test('is asked for another order only where it knows one', async () => {
    const files = {
      'package.json': '{"scripts":{"test":"jest"}}',
      'a.test.js': "test('one', () => expect(1).toBe(1));\ntest('two', () => expect(2).toBe(2));\n",
    };
    const context = bench.context({ testing: { full: 'npm test' } });
    const tree = await bench.tree(files);
    const run = await runSuite(bench.platform, { ...context, tree, files: ['a.test.js'], variant: { shuffleSeed: 7 } });
    expect(run).toMatchObject({ runner: 'jest', exit_code: 0, problems: [] });
    expect(run.tests.map((one) => one.status)).toEqual(['passed', 'passed']);
  });
});
