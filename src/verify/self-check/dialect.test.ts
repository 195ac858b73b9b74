import { describe, expect, test } from 'vitest';
import { deepRunner } from '../runners/registry.ts';
import { planSelfCheck, type PlanFacts } from './plan.ts';

function plan(facts: Partial<PlanFacts>): ReturnType<typeof planSelfCheck> {
  return planSelfCheck({
    runner: deepRunner('vitest'),
    paths: [],
    manifest: null,
    passing: [],
    named: [],
    featuresPath: 'features.json',
    ...facts,
  });
}

function written(facts: Partial<PlanFacts>): Record<string, string> {
  const made = plan(facts);
  return Object.fromEntries(
    [...made.ground, ...made.cases.flatMap((one) => one.edits)].flatMap((edit) =>
      edit.kind === 'write' ? [[edit.path, String(edit.content)]] : [],
    ),
  );
}

describe('the planted files follow a test file of the project', () => {
  test('in folder, ending and module system, with code outside of the folders of tests', () => {
    const files = written({
      passing: [{ path: 'packages/a/src/__tests__/first.spec.ts', text: "import { expect, it } from 'vitest';" }],
    });
    expect(files['packages/a/src/__tests__/harness-self-check-greet.spec.ts']).toContain("from '../harness-self-check-unit-greet'");
    expect(files['packages/a/src/harness-self-check-unit-greet.ts']).toContain('export const greet =');
  });

  test('CommonJS where the project requires', () => {
    const files = written({ runner: deepRunner('jest'), passing: [{ path: 'test/a.test.js', text: "const a = require('..');" }] });
    expect(files['test/harness-self-check-greet.test.js']).toContain("const { greet } = require('../harness-self-check-unit-greet');");
    expect(files['harness-self-check-unit-greet.js']).toContain('exports.greet =');
  });

  test('node:test names the whole file, and takes modules from the manifest where there is no test yet', () => {
    const files = written({ runner: deepRunner('node:test'), manifest: '{ "type": "module" }', named: ['test/later.test.js'] });
    expect(files['test/harness-self-check-greet.test.js']).toContain("from '../harness-self-check-unit-greet.js'");
  });

  test('python finds the code wherever the tests lie', () => {
    const files = written({ runner: deepRunner('pytest'), passing: [{ path: 'tests/unit/test_a.py', text: '' }] });
    expect(files['tests/unit/test_harness_self_check_greet.py']).toContain('/ "../..")');
    expect(files['harness_self_check_unit_greet.py']).toContain('def greet(text):');
  });
});

test('tests of the project are left out, its configuration stays, and no name is taken twice', () => {
  const made = plan({
    paths: ['vitest.config.ts', 'test/a.test.js', 'test/harness-self-check.test.js', 'src/a.js', 'checks/b.js'],
    passing: [
      { path: 'test/a.test.js', text: '' },
      { path: 'checks/b.js', text: '' },
    ],
  });
  const gone = made.ground.flatMap((edit) => (edit.kind === 'delete' ? [edit.path] : []));
  expect(gone).toEqual(['test/a.test.js', 'test/harness-self-check.test.js', 'checks/b.js']);
  expect(made.ground.map((edit) => edit.path)).toContain('test/harness-self-check-2-shout.test.js');
});

test('each case claims a feature of its own, and one of them rewrites it', () => {
  const { cases, list } = plan({});
  const claimed = cases.map((one) => JSON.parse(one.list) as { features: { id: number; passes: boolean; description: string }[] });
  const trusted = JSON.parse(list) as (typeof claimed)[number];
  expect(new Set(cases.map((one) => one.feature.id)).size).toBe(cases.length);
  claimed.forEach((one, at) => {
    const changed = one.features.filter((feature, index) => JSON.stringify(feature) !== JSON.stringify(trusted.features[index]));
    expect(changed.map((feature) => feature.id)).toEqual([cases[at]!.feature.id]);
  });
  const rewritten = claimed.filter((one) => one.features.some((feature) => feature.description === 'Something is printed'));
  expect(rewritten).toHaveLength(1);
});
