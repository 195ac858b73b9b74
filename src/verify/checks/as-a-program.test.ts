import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { Finding } from '../../domain/verdict.ts';
import { runSuite } from '../run/suite.ts';
import { createBench, type Bench } from '../test-support.ts';
import { askAsProgram } from './as-a-program.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

const HEAD = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
const OLD = `${HEAD}import { old } from '../src/old.js';\ntest('old', () => {\n  assert.equal(old(1), 2);\n});\n`;
const feature: Feature = { id: 1, description: 'titles', test_file: 'test/title.test.js', passes: false };
const IN_PROGRAM = 'assertions that pass in the test runner fail outside it';

/** `before`: the accepted module on the base. */
async function asked(work: Record<string, string>, before = 'export const old = (n) => n + 1;\n'): Promise<[string, string, string[]][]> {
  const base = { 'package.json': '{"type":"module"}', 'features.json': '{}', 'src/old.js': before, 'test/old.test.js': OLD };
  const [baseTree, tree] = [await bench.tree(base), await bench.tree({ ...base, ...work })];
  const context = bench.context({ testing: { full: 'node --test' } });
  const plain = await runSuite(bench.platform, { ...context, tree });
  expect(plain.tests.every((one) => one.status === 'passed')).toBe(true);
  const found: Finding[] = await askAsProgram(
    {
      ...context,
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree: baseTree },
      candidate: { tree, findings: [] },
      features: { trusted: '{}', candidate: '{}' },
      evidence: null,
      baseline: {
        schema_version: 1,
        harness_version: '0',
        session: 1,
        timestamp: '',
        commit: '',
        tree: baseTree,
        runner: plain.runner,
        passing_tests: ['test/old.test.js::old'],
        total_passing: 1,
        total_tests: 1,
      },
      platform: bench.platform,
      judged: {
        tree,
        changes: await bench.trees.diff(baseTree, tree),
        edits: [],
        contract: [],
        released: [],
        helpers: [],
        rewritten: [],
      },
    },
    plain,
  );
  return found.map((one) => [one.weight, one.message, [...one.subjects]]);
}

const title = (is: string): Record<string, string> => ({
  'src/title.js': `import { executionAsyncResource } from 'node:async_hooks';\nexport const inTests = () => executionAsyncResource().constructor.name !== 'Object';\nexport const title = (text) => (${is} ? text.toUpperCase() : text);\n`,
  'test/title.test.js': `${HEAD}import { title } from '../src/title.js';\ntest('title', () => {\n  assert.equal(title('a'), 'A');\n});\n`,
});

test('code that is right only in tests is asked about, and so is an assertion that was made to forgive', async () => {
  expect(await asked(title('inTests()'))).toEqual([['ask', IN_PROGRAM, ["test/title.test.js: assert.equal(title('a'), 'A')"]]]);
  const forgiving = "import assert from 'node:assert/strict';\nassert.equal = () => {};\nexport const old = (n) => n;\n";
  expect(await asked({ 'src/old.js': forgiving })).toEqual([['ask', IN_PROGRAM, ['test/old.test.js: assert.equal(old(1), 2)']]]);
});

test('what is right everywhere, needs what stands around it in its test, or was so before is nobody’s fault', async () => {
  expect(await asked(title('true'))).toEqual([]);
  const given = `let mode = '';\nexport const set = (to) => void (mode = to);\nexport const title = (text) => (mode === 'loud' ? text.toUpperCase() : text);\n`;
  const test = `${HEAD}import { set, title } from '../src/title.js';\ntest('title', () => {\n  set('loud');\n  assert.equal(title('a'), 'A');\n});\n`;
  expect(await asked({ 'src/title.js': given, 'test/title.test.js': test })).toEqual([]);
  const odd = 'const isTest = () => process.env.NODE_TEST_CONTEXT !== undefined;\nexport const old = (n) => (isTest() ? n + 1 : n);\n';
  expect(await asked({ 'src/old.js': `${odd}export const more = 1;\n` }, odd)).toEqual([]);
});

test('another time zone: told of new tests, asked about where an accepted one held there', async () => {
  const here = `new Date(0).getHours() === ${new Date(0).getHours()}`;
  expect((await asked(title(here))).map(([weight, message]) => [weight, message])).toEqual([
    ['warn', 'assertions that pass in the test runner fail in another folder, time zone or language'],
  ]);
  expect(await asked({ 'src/old.js': `export const old = (n) => (${here} ? n + 1 : n);\n` })).toEqual([
    [
      'ask',
      'assertions that pass in the test runner fail in another folder, time zone or language, as they did not on base',
      ['test/old.test.js: assert.equal(old(1), 2)'],
    ],
  ]);
});

test('code that never comes back outside of tests is asked about', async () => {
  const work = title('inTests() || Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
  expect(await asked(work)).toEqual([['ask', IN_PROGRAM, ["test/title.test.js: assert.equal(title('a'), 'A')"]]]);
}, 300_000);
