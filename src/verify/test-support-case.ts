/** For tests of this room alone: a case made by hand, so that one check is tried without the others. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../domain/feature.ts';
import type { Baseline } from '../domain/session.ts';
import { testFilesOf } from '../domain/test-files.ts';
import type { Case } from './case.ts';
import { NO_FACTS, type Check, type Facts } from './check.ts';
import { newTestFiles } from './checks/check-suite.ts';
import { runSuiteInParts } from './run/suite-in-parts.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from './test-support.ts';

export interface CheckCase {
  name: string;
  /** Instead of a project that adds two numbers. */
  base?: FileTable;
  /** Over the base and honest work on subtraction; null removes a file. */
  work?: Readonly<Record<string, string | null>>;
  settings?: SettingsPatch;
  feature?: Partial<Feature>;
  patch?: Partial<Case>;
  judged?: Partial<Case['judged']>;
  facts?: Partial<Facts>;
  /** `weight reason: message` of each finding, with DATE for a date. */
  finds: string[];
  /** The line in the record. */
  says?: string;
}

export const ADD_TEST = `import test from 'node:test'; import assert from 'node:assert/strict'; import { add } from '../src/add.mjs';
test('adds', () => {
  assert.equal(add(1, 2), 3);
});
`;
export const SUBTRACT_TEST = `import test from 'node:test'; import assert from 'node:assert/strict'; import { subtract } from '../src/subtract.mjs';
test('subtracts', () => {
  assert.equal(subtract(3, 2), 1);
});
`;
const FEATURE: Feature = { id: 2, description: 'subtracts two numbers', test_file: 'test/subtract.test.mjs', passes: false };

export function featureList(feature: Feature = FEATURE, ...more: Feature[]): string {
  const first = { id: 1, description: 'adds two numbers', test_file: 'test/add.test.mjs', passes: true };
  return JSON.stringify({ project: 'calculator', features: [first, feature, ...more] });
}

const BASE: FileTable = {
  'package.json': '{"name":"calculator","scripts":{"test":"node --test"}}',
  'features.json': featureList(),
  'src/add.mjs': 'export const add = (a, b) => a + b;\n',
  'test/add.test.mjs': ADD_TEST,
};
const WORK: FileTable = {
  'features.json': featureList({ ...FEATURE, passes: true }),
  'src/subtract.mjs': 'export const subtract = (a, b) => a - b;\n',
  'test/subtract.test.mjs': SUBTRACT_TEST,
};

const BASELINE: Baseline = {
  schema_version: 1,
  harness_version: '0',
  session: 4,
  timestamp: '',
  commit: '',
  tree: '',
  runner: 'node:test',
  passing_tests: ['test/add.test.mjs::adds'],
  total_passing: 1,
  total_tests: 1,
};

const A_DATE = /\b\d{4}-\d\d-\d\d\b/;

/** Each case on its own: the check runs alone. `ran`: the suite and the feature's tests have run, as facts. */
export function testCheck(check: Check, cases: readonly CheckCase[], { ran = false } = {}): void {
  describe(`the check ${check.id}`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = await createBench();
    });
    afterAll(() => bench.dispose());
    test.each(cases)('$name', async (one) => {
      const judged = await caseOf(bench, one);
      const facts = { ...(ran ? await factsOf(judged) : NO_FACTS), ...one.facts };
      expect((await check.applies?.(judged, facts)) ?? true).toBe(true);
      const { findings, detail } = await check.run(judged, facts);
      expect(findings.map(({ weight, reason, message }) => `${weight} ${reason}: ${message.replace(A_DATE, 'DATE')}`)).toEqual(one.finds);
      expect(detail).toBe(one.says ?? detail);
    });
  });
}

export async function caseOf(bench: Bench, { base = BASE, work = {}, ...one }: Omit<CheckCase, 'name' | 'finds'>): Promise<Case> {
  const files = Object.entries({ ...base, ...WORK, ...work }).filter((entry): entry is [string, string] => entry[1] !== null);
  const candidate = Object.fromEntries(files);
  const [from, tree] = [await bench.tree(base), await bench.tree(candidate)];
  const changes = await bench.trees.diff(from, tree);
  return {
    ...bench.context(one.settings),
    platform: bench.platform,
    session: 5,
    mode: 'feature',
    feature: { ...FEATURE, ...one.feature },
    base: { commit: 'c'.repeat(40), tree: from },
    candidate: { tree, findings: [] },
    features: { trusted: base['features.json'] ?? '', candidate: candidate['features.json'] ?? null },
    evidence: { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true },
    baseline: BASELINE,
    ...one.patch,
    judged: { tree, changes, edits: [], contract: [], released: [], helpers: [], rewritten: [], ...one.judged },
  };
}

/** The suite has run, the feature's tests that passed are green, and nothing was lost. */
export async function factsOf(judged: Case): Promise<Facts> {
  const suite = await runSuiteInParts(judged.platform, judged, judged.judged.tree, await newTestFiles(judged));
  const files = testFilesOf(judged.feature);
  const green = suite.suite.tests.filter(({ file, status }) => files.includes(file) && status === 'passed').map(({ id }) => id);
  const regression = { kept: 1, recovered: [], moves: new Map<string, string>() };
  return { ...NO_FACTS, judged: judged.judged, suite, feature: { run: suite.suite, green }, regression };
}
