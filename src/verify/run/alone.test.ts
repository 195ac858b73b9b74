/** A file of node's tests by itself says what it says under node's runner. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestRun } from '../../domain/verdict.ts';
import { canBeAlone } from '../runners/node-test.ts';
import type { RunVariant } from '../runners/runner.ts';
import { createBench, type Bench } from '../test-support.ts';
import { runSuite } from './suite.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench({});
});
afterAll(() => bench.dispose());

const HEAD = "import test, { after, before, describe, it } from 'node:test';\nimport assert from 'node:assert/strict';\n";

async function run(text: string, variant: RunVariant, timeoutMs?: number): Promise<TestRun> {
  const tree = await bench.tree({
    'test/one.test.mjs': `${HEAD}${text}\n`,
    'helper.mjs': 'export const shout = (word) => word.toUpperCase();\n',
  });
  return await runSuite(bench.platform, {
    ...bench.context({ testing: { full: 'node --test' } }),
    tree,
    files: ['test/one.test.mjs'],
    variant,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

const IS_TWENTY = process.versions.node.startsWith('20.');

const told = ({ tests, exit_code, consistent }: TestRun) => ({
  // Node 22 does not say under its runner why a file could not be loaded.
  tests: tests.map(({ id, status, failure }) => ({ id, status, failure: id.endsWith('::(file)') && !IS_TWENTY ? undefined : failure })),
  exit_code: exit_code === 0 ? 0 : 1,
  consistent,
});

const SAME: Record<string, string> = {
  'tests of every kind': `test('a', () => {}); test('b', () => assert.equal(1, 2)); test.skip('c', () => {}); test.todo('d');
    describe('e', () => { before(() => {}); it('f', () => {}); it('g', async () => { throw new TypeError('x'); }); after(() => {}); });
    test('h', async (t) => { await t.test('i', () => {}); await t.test('j', () => assert.ok(false)); });`,
  'a module that is missing': "import { x } from '../gone.mjs'; test('a', () => x());",
  'a name that is missing': "import { gone } from '../helper.mjs'; test('a', () => gone());",
  'text that is no program': "test('a', () => {",
  'an error while it is loaded': "test('a', () => {}); throw new Error('while loading');",
  'no test at all': 'export const nothing = 0;',
  'an early end with status 0': "test('a', () => {}); process.exit(0);",
  'an early end with another status': "test('a', () => {}); process.exit(3);",
  'an end inside of a test': "test('a', () => {}); test('b', () => process.exit(0)); test('c', () => {});",
  'an error after the last test': "test('a', () => {}); setTimeout(() => { throw new Error('late'); }, 50);",
  'a promise that never comes': "test('a', () => {}); test('b', () => new Promise(() => {}));",
  'another status without a failure': "test('a', () => {}); process.on('exit', () => { process.exitCode = 4; });",
  'marks of the runner': `test('a', () => { assert.equal(process.env.NODE_TEST_CONTEXT, 'child-v8');
    assert.ok(!process.execArgv.some((word) => word.startsWith('--test'))); assert.ok(process.argv[1].endsWith('test/one.test.mjs')); });`,
};

describe.runIf(canBeAlone())('a file by itself', () => {
  test.each(Object.entries(SAME))('says what it says under the runner: %s', async (_name, text) => {
    const [under, alone] = [await run(text, {}), await run(text, { alone: true })];
    expect(under.command).toContain('--test');
    expect(alone.command).not.toContain('--test');
    expect(told(alone)).toEqual(told(under));
    expect(alone.tests.length).toBeGreaterThan(0);
  });

  test('is not waited for once its tests are done, and its report is whole', async () => {
    const open =
      "import { createServer } from 'node:net'; test('a', () => {}); test('b', () => { createServer().listen(0); assert.equal(1, 2); });";
    const [under, alone] = [await run(open, { forceExit: true }), await run(open, { alone: true, forceExit: true })];
    expect(told(alone)).toEqual(told(under));
    expect(told(alone)).toMatchObject({ tests: [{ status: 'passed' }, { status: 'failed' }], consistent: true });
  });

  test('is believed in nothing that passed where its report was written by somebody else', async () => {
    const forged = `import { appendFileSync, readFileSync } from 'node:fs';
      const words = readFileSync('/proc/self/cmdline', 'utf8').split('\\0');
      const path = words.find((word) => word.startsWith('--test-reporter-destination=')).slice(29);
      const line = (value) => JSON.stringify(value) + '\\n';
      const file = import.meta.filename;
      appendFileSync(path, line({ event: 'test:start', name: 'a', nesting: 0, file }) + line({ event: 'test:pass', name: 'a', nesting: 0, file })
        + line({ event: 'end', lines: 2 }) + line({ seal: '0'.repeat(64) }));
      process.exit(0);`;
    const alone = await run(forged, { alone: true });
    expect(told(alone).tests).toMatchObject([{ id: 'test/one.test.mjs::(file)', status: 'error' }]);
  });

  test('does not end by itself: what it told before it was stopped is no pass', async () => {
    const alone = await run(
      "test('a', () => {}); test('b', () => assert.equal(1, 2)); test('c', () => new Promise(() => setInterval(() => {}, 1000)));",
      { alone: true },
      3_000,
    );
    expect(alone).toMatchObject({ timed_out: true, consistent: false });
    expect(alone.tests.filter((one) => one.status === 'passed')).toEqual([]);
  });
});
