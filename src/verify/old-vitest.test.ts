/** Vitest with a vite that loads nothing from outside of the project. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench } from './test-support.ts';
import { installedPackages } from './test-support-packages.ts';

describe.runIf(isLong).each([['vitest@3.2.7', 'vite@6.4.6', 'rollup@4.60.0']])('%s with %s', { timeout: 300_000 }, (...packages) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench({ dependencies: await installedPackages(packages) });
  });
  afterAll(() => bench.dispose());

  test('is read test by test', async () => {
    const tree = await bench.tree({
      'package.json': '{"type":"module","scripts":{"test":"vitest run"}}',
      'a.test.js': "import { expect, test } from 'vitest';\ntest('one', () => expect(1).toBe(1));\n",
    });
    const run = await runSuite(bench.platform, { ...bench.context({ testing: { full: 'npm test' } }), tree });
    expect(run).toMatchObject({ runner: 'vitest', exit_code: 0, problems: [] });
    expect(run.tests.map((one) => one.id)).toEqual(['a.test.js::one']);
  });
});
