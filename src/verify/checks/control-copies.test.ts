import { expect, test } from 'vitest';
import type { Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import { readSource } from '../source/read-source.ts';
import { judgeCopies } from './control-copies.ts';
import type { Subject } from './control-subject.ts';
import { mutateTests } from './mutate.ts';

const platform = nodePlatform({ PATH: process.env['PATH'], HOME: process.env['HOME'] });
const FILE = 'a.test.js';
const NONE = { text: '', mustFail: [], mustPass: [] };

const runOf = (names: readonly string[], status: TestResult['status']): TestRun => ({
  runner: 'vitest',
  command: [],
  exit_code: 0,
  timed_out: false,
  duration_ms: 1,
  files: [FILE],
  consistent: true,
  problems: [],
  sandboxed: false,
  output_tail: '',
  tests: names.map((name) => ({ id: `${FILE}::${name}`, file: FILE, name, status, duration_ms: 1 })),
});

/** What is said where every copy in another order holds, and every throw is noticed. */
async function judged(lines: string, { isFeature, heldBefore }: { isFeature: boolean; heldBefore: boolean }): Promise<Finding[]> {
  const text = `test('a', () => {\n${lines}\n});\n`;
  const reading = (await readSource(platform, FILE, text))!;
  let count = 0;
  const changed = mutateTests(text, reading, { word: 'qx', offset: 7 }, { calls: false, names: () => `copy ${(count += 1)}` });
  const names = changed.copies.filter((copy) => copy.list !== undefined).map((copy) => copy.name);
  expect(names.length).toBeGreaterThan(0);
  const subject: Subject = {
    file: FILE,
    text,
    reading,
    isFeature,
    isAsBefore: true,
    planted: NONE,
    passing: NONE,
    changed: { ...changed, planted: NONE },
  };
  return judgeCopies([subject], runOf(names, 'passed'), {
    run: async () => runOf(names, 'failed'),
    changedBefore: async () => runOf(names, heldBefore ? 'passed' : 'failed'),
    before: async () => ({ test: () => false, copy: () => heldBefore }),
  });
}

const ONE = 'expect(f()).toEqual([1, 2]);';

test.each([true, false])(
  'a list that equals its other order is asked about, unless it did before: of the feature %s',
  async (isFeature) => {
    expect(await judged(ONE, { isFeature, heldBefore: false })).toMatchObject([{ reason: 'test.not_red', weight: 'ask' }]);
    expect(await judged(ONE, { isFeature, heldBefore: true })).toEqual([]);
  },
);

test('a new test that says so itself is believed, an accepted one is not', async () => {
  const both = `${ONE}\nexpect(f()).toEqual([2, 1]);`;
  expect(await judged(both, { isFeature: true, heldBefore: false })).toEqual([]);
  expect(await judged(both, { isFeature: false, heldBefore: false })).toHaveLength(1);
  expect(
    await judged('expect(f([1, 2])).toEqual([1, 2]);\nexpect(f([2, 1])).toEqual([1, 2]);', { isFeature: true, heldBefore: false }),
  ).toHaveLength(1);
});
