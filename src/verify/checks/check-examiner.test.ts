import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { JudgeInput } from '../contract.ts';
import type { ExaminerAnswer, ExaminerRequest } from '../examiner/contract.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import { checkExaminer, type ExaminerCheck } from './check-examiner.ts';

const FEATURE: Feature = {
  id: 2,
  description: 'A user subtracts two numbers',
  test_file: 'test/subtract.test.js',
  interface: 'src/subtract.js exports subtract(a, b), which gives a number',
  passes: false,
};
const BASE: FileTable = { 'package.json': '{ "type": "module" }', 'src/add.js': 'export const add = (a, b) => a + b;\n' };
const HONEST = 'export const subtract = (a, b) => a - b;\n';
const SPECIAL = 'export const subtract = (a, b) => (a === 5 && b === 2 ? 3 : 0);\n';

const written = (assertion: string, imports = "import { subtract } from '../src/subtract.js';"): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\ntest('it', () => { ${assertion} });\n`;
const RIGHT = { behaviour: 'Subtracting a larger number gives a negative one', code: written('assert.equal(subtract(3, 8), -5);') };
const WRONG = { behaviour: 'Subtracting never gives less than zero', code: written('assert.equal(subtract(3, 8), 0);') };

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

interface Asked {
  feature?: Feature;
  source?: string;
  full?: string;
}

async function examined(answer: ExaminerAnswer, { feature = FEATURE, source = HONEST, full = 'node --test' }: Asked = {}) {
  const requests: ExaminerRequest[] = [];
  const base = await bench.tree(BASE);
  const tree = await bench.tree({ ...BASE, 'src/subtract.js': source });
  const input = {
    ...bench.context({ testing: { full } }),
    feature,
    base: { tree: base, commit: '' },
    features: { trusted: null, candidate: null },
    examiner: {
      ask: (request: ExaminerRequest) => {
        requests.push(request);
        return Promise.resolve(answer);
      },
    },
  } as unknown as JudgeInput;
  const result: ExaminerCheck = await checkExaminer({
    ...input,
    platform: bench.platform,
    judged: {
      tree,
      changes: [],
      edits: [],
      contract: [],
      released: [],
      helpers: [],
      rewritten: [],
    },
  });
  return { ...result, requests };
}

describe('the examiner', () => {
  test('leaves honest work untouched, and the verdict says what passed', async () => {
    const { findings, detail, examined: tests } = await examined({ tests: [RIGHT], leftOut: ['1 test beyond the first 8'] });
    expect(findings).toEqual([]);
    expect(detail).toBe('1 of 1 tests that the examiner wrote without seeing the work pass (left out: 1 test beyond the first 8)');
    expect(tests).toMatchObject([{ ...RIGHT, passed: true }]);
  });

  test('finds answers that were written down for the known tests, and asks', async () => {
    const { findings, examined: tests } = await examined({ tests: [RIGHT], leftOut: [] }, { source: SPECIAL });
    expect(findings).toMatchObject([{ check: 'examiner', reason: 'examiner.disagrees', weight: 'ask', subjects: [RIGHT.behaviour] }]);
    expect(tests[0]).toMatchObject({ passed: false, message: expect.stringContaining('-5') });
    expect(JSON.stringify(findings)).not.toContain('subtract(3, 8)');
  });

  test('that is wrong can only ask', async () => {
    const { findings } = await examined({ tests: [RIGHT, WRONG], leftOut: [] });
    expect(findings).toMatchObject([{ weight: 'ask', subjects: [WRONG.behaviour] }]);
    expect(findings).toHaveLength(1);
  });

  test('is told nothing but the feature, its interface, how the program starts, and how tests are written here', async () => {
    const { requests } = await examined({ tests: [RIGHT], leftOut: [] });
    expect(requests).toEqual([
      {
        feature: FEATURE,
        interface: FEATURE.interface,
        program: ['package.json type: "module"'],
        stands_on: [],
        style: 'node:test, JavaScript, ES modules (import)',
        path: 'test/subtract-examined.test.js',
      },
    ]);
  });

  test('says nothing by tests that pass without the feature, or that cannot be loaded for reasons of their own', async () => {
    const idle = { behaviour: 'One is one', code: written('assert.equal(1, 1);', '') };
    const lost = { behaviour: 'It speaks', code: written('speak();', "import { speak } from '../src/speech.js';") };
    const { findings, detail, skipped } = await examined({ tests: [idle, lost], leftOut: [] });
    expect({ findings, skipped }).toEqual({ findings: [], skipped: true });
    expect(detail).toContain('not examined');
    expect(detail).toContain('1 test that passes without the feature');
    expect(detail).toContain('1 test that could not be run');
  });

  test('asks where the work does not have what the interface names', async () => {
    const { findings } = await examined({ tests: [RIGHT], leftOut: [] }, { source: 'export const minus = (a, b) => a - b;\n' });
    expect(findings).toMatchObject([{ weight: 'ask', subjects: [RIGHT.behaviour] }]);
  });
});

test.each<[string, ExaminerAnswer, Asked, RegExp, number]>([
  ['without an interface', { tests: [RIGHT], leftOut: [] }, { feature: { ...FEATURE, interface: ' ' } }, /`interface`/, 0],
  ['without a test file', { tests: [RIGHT], leftOut: [] }, { feature: { ...FEATURE, test_file: [] as string[] } }, /test file/, 0],
  ['with a command that tells of no test', { tests: [RIGHT], leftOut: [] }, { full: 'make check' }, /which tests ran/, 0],
  ['with an examiner who gave nothing', { why: 'the examiner was stopped: no credit' }, {}, /no credit/, 1],
])('%s work is not examined, and the verdict says so', async (_, answer, asked, why, calls) => {
  const { findings, skipped, caveats, requests } = await examined(answer, asked);
  expect({ findings, skipped, calls: requests.length }).toEqual({ findings: [], skipped: true, calls });
  expect(caveats).toEqual([expect.stringMatching(why)]);
});
