import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { ChangedResult } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { NO_FACTS } from '../check.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';
import type { EntailmentAnswer, EntailmentRequest, ExaminerAnswer, ExaminerRequest } from './contract.ts';
import { examine } from './examine.ts';
import { isProved } from './proof.ts';

const FEATURE: Feature = { id: 2, description: 'A user subtracts two numbers', test_file: 'test/subtract.test.js', passes: false };
const BASE: FileTable = { 'package.json': '{ "type": "module" }', 'src/add.js': 'export const add = (a, b) => a + b;\n' };
const HONEST = 'export const subtract = (a, b) => a - b;\n';
const SPECIAL = 'export const subtract = (a, b) => (a === 5 && b === 2 ? 3 : 0);\n';

const written = (assertion: string, imports = "import { subtract } from '../src/subtract.js';"): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\ntest('it', () => { ${assertion} });\n`;
const RIGHT = { behaviour: 'Subtracting a larger number gives a negative one', code: written('assert.equal(subtract(3, 8), -5);') };
const LARGE = { behaviour: 'Large numbers are subtracted', code: written('assert.equal(subtract(700, 8), 692);') };
const ZERO = { behaviour: 'Subtracting zero changes nothing', code: written('assert.equal(subtract(41, 0), 41);') };
const WRONG = { behaviour: 'Subtracting never gives less than zero', code: written('assert.equal(subtract(3, 8), 0);') };

let bench: Bench;
beforeAll(async () => void (bench = await createBench()));
afterAll(() => bench.dispose());

interface Asked {
  feature?: Feature;
  work?: FileTable;
  full?: string;
  entailed?: EntailmentAnswer;
  changedResults?: ChangedResult[];
}

const ENTAILED: EntailmentAnswer = { tests: [{ ruling: 'entailed', reason: 'it says so' }], changes: [] };

async function examined(
  answer: ExaminerAnswer,
  { feature = FEATURE, work, full = 'node --test', entailed = ENTAILED, changedResults = [] }: Asked = {},
) {
  const requests: ExaminerRequest[] = [];
  const disputes: EntailmentRequest[] = [];
  const base = await bench.tree(BASE);
  const tree = await bench.tree({ ...BASE, 'src/subtract.js': HONEST, ...work });
  const judged = {
    ...bench.context({ testing: { full } }),
    platform: bench.platform,
    feature,
    baseline: null,
    base: { tree: base, commit: '' },
    features: { trusted: '', candidate: null },
    examiner: {
      ask: (request: ExaminerRequest) => {
        requests.push(request);
        return Promise.resolve(answer);
      },
      entail: (request: EntailmentRequest) => {
        disputes.push(request);
        return Promise.resolve(entailed);
      },
    },
    judged: { tree, changes: await bench.trees.diff(base, tree), edits: [], contract: [], released: [], helpers: [], rewritten: [] },
  } as unknown as Case;
  const result = await examine(judged, { ...NO_FACTS, changedResults });
  return { ...result, judged, requests, disputes };
}

describe('hidden tests', () => {
  test('leave honest work untouched, and the record says what passed', async () => {
    const { findings, detail, facts, disputes } = await examined({ tests: [RIGHT], leftOut: ['1 test beyond the first 12'] });
    expect({ findings, disputes }).toEqual({ findings: [], disputes: [] });
    expect(detail).toBe('1 of 1 hidden test passes (left out: 1 test beyond the first 12)');
    expect(facts?.examined).toEqual([{ behaviour: RIGHT.behaviour, passed: true }]);
    expect(facts?.hidden).toMatchObject([{ code: RIGHT.code, proves: true }]);
  });

  test('that fail and are entailed need review, with nothing of the code in the finding', async () => {
    const { findings, facts } = await examined({ tests: [RIGHT], leftOut: [] }, { work: { 'src/subtract.js': SPECIAL } });
    expect(findings).toMatchObject([{ check: 'examiner', reason: 'hidden.failed', weight: 'ask', subjects: [RIGHT.behaviour] }]);
    expect(facts?.hidden).toMatchObject([{ message: expect.stringContaining('-5') }]);
    expect(JSON.stringify([findings, facts?.examined])).not.toMatch(/subtract\(3|-5/);
  });

  test.each<[EntailmentAnswer, RegExp]>([
    [{ tests: [{ ruling: 'plausible', reason: '' }], changes: [] }, /1 hidden test fails that the description does not settle/],
    [{ tests: [{ ruling: 'no', reason: '' }], changes: [] }, /does not settle/],
    [{ why: 'no credit' }, /gave no answer: no credit/],
  ])('that fail and are not entailed are a note: %o', async (entailed, note) => {
    const { findings, caveats } = await examined({ tests: [RIGHT, WRONG], leftOut: [] }, { entailed });
    expect(findings).toEqual([]);
    expect(caveats).toEqual([expect.stringMatching(note)]);
  });

  test('go to the second call without anything of the work', async () => {
    const { disputes } = await examined({ tests: [RIGHT, WRONG], leftOut: [] });
    expect(disputes).toEqual([{ feature: FEATURE, interface: null, tests: [WRONG], changes: [] }]);
  });

  test('are asked for with a skeleton that holds no value of the work', async () => {
    const { requests } = await examined({ tests: [RIGHT], leftOut: [] }, { work: { 'src/subtract.js': SPECIAL } });
    expect(requests).toMatchObject([
      { interface: null, program: ['package.json type: "module"'], style: 'node:test, JavaScript, ES modules (import)' },
    ]);
    expect(requests[0]?.skeleton).toContain('export function subtract(a, b)');
    expect(requests[0]?.skeleton).not.toMatch(/===|[235]/);
  });

  test('that pass on base prove nothing, and those that cannot be loaded are left out', async () => {
    const idle = { behaviour: 'One is one', code: written('assert.equal(1, 1);', '') };
    const lost = { behaviour: 'It speaks', code: written('speak();', "import { speak } from '../src/speech.js';") };
    const { findings, detail, facts } = await examined({ tests: [idle, lost], leftOut: [] });
    expect(findings).toEqual([]);
    expect(facts?.proving).toEqual([]);
    expect(detail).toBe('1 of 1 hidden test passes (left out: 1 test that could not be loaded)');
  });

  test('that no mutation makes fail are dropped', async () => {
    const blind = { behaviour: 'It is there', code: written("assert.equal(typeof subtract, 'function');") };
    const { detail, skipped } = await examined({ tests: [blind], leftOut: [] });
    expect(skipped).toBe(true);
    expect(detail).toContain('1 test that no mutation makes fail');
  });

  test('fail where the work does not have what the interface names', async () => {
    const feature = { ...FEATURE, interface: 'src/subtract.js exports subtract(a, b)' };
    const { findings } = await examined(
      { tests: [RIGHT], leftOut: [] },
      { feature, work: { 'src/subtract.js': 'export const minus = (a, b) => a - b;\n' } },
    );
    expect(findings).toMatchObject([{ weight: 'ask', subjects: [RIGHT.behaviour] }]);
  });

  test('find code that reads what is expected out of the test file', async () => {
    const reader = `import { readFileSync } from 'node:fs';
export function subtract(a, b) {
  for (const [, path] of new Error().stack.matchAll(/file:\\/\\/([^:)]+\\.test\\.js)/g)) {
    const found = readFileSync(path, 'utf8').match(new RegExp('subtract\\\\(' + a + ', ' + b + '\\\\), (-?[0-9]+)'));
    if (found) return Number(found[1]);
  }
  return 0;
}
`;
    const { findings } = await examined({ tests: [RIGHT], leftOut: [] }, { work: { 'src/subtract.js': reader } });
    expect(findings).toMatchObject([
      { reason: 'hidden.failed', weight: 'ask', message: expect.stringContaining('seems to read the test') },
    ]);
  });

  test('prove a feature if three of them notice each exported function, and not otherwise', async () => {
    const all = { tests: [RIGHT, LARGE, ZERO], leftOut: [] };
    const one = await examined(all);
    expect(await isProved(one.judged, { ...NO_FACTS, ...one.facts })).toBe(true);
    const two = await examined({ tests: [RIGHT, LARGE], leftOut: [] });
    expect(await isProved(two.judged, { ...NO_FACTS, ...two.facts })).toBe(false);
    const more = await examined(all, { work: { 'src/subtract.js': `${HONEST}export const twice = (a) => a * 2;\n` } });
    expect(await isProved(more.judged, { ...NO_FACTS, ...more.facts })).toBe(false);
  });
});

const CHANGED: ChangedResult[] = [
  { call: 'half(3)', was: '1.5', is: '1' },
  { call: "half('3')", was: '1.5', is: 'NaN' },
];

describe('changed results', () => {
  test('need review if the description does not account for them', async () => {
    const entailed: EntailmentAnswer = {
      tests: [],
      changes: [
        { account: 'yes', reason: '' },
        { account: 'no', reason: '' },
      ],
    };
    const { findings, disputes, caveats } = await examined({ tests: [RIGHT], leftOut: [] }, { entailed, changedResults: CHANGED });
    expect(disputes).toMatchObject([{ tests: [], changes: ['`half(3)` was `1.5`, is `1`', "`half('3')` was `1.5`, is `NaN`"] }]);
    expect(findings).toMatchObject([
      { check: 'behaviour', reason: 'behaviour.changed', weight: 'ask', subjects: ["`half('3')` was `1.5`, is `NaN`"] },
    ]);
    expect(caveats).toBeUndefined();
  });

  test.each<[string, EntailmentAnswer]>([
    ['the second call cannot tell', { tests: [], changes: [] }],
    ['it gives no answer', { why: 'no credit' }],
  ])('are a note if %s', async (_, entailed) => {
    const { findings, caveats } = await examined({ tests: [RIGHT], leftOut: [] }, { entailed, changedResults: CHANGED });
    expect(findings).toEqual([]);
    expect(caveats).toEqual(['2 results of functions that were there before differ from base']);
  });

  test('need review although no hidden test could be written', async () => {
    const entailed: EntailmentAnswer = { tests: [], changes: CHANGED.map(() => ({ account: 'no', reason: '' })) };
    const { findings, caveats } = await examined({ why: 'no credit' }, { entailed, changedResults: CHANGED });
    expect(findings).toMatchObject([{ reason: 'behaviour.changed', message: expect.stringMatching(/does not account for them$/) }]);
    expect(caveats).toEqual(['not examined: no credit']);
  });
});

test.each<[string, ExaminerAnswer, Asked, RegExp, number]>([
  ['without a test file', { tests: [RIGHT], leftOut: [] }, { feature: { ...FEATURE, test_file: [] as string[] } }, /test file/, 0],
  ['with a command that reports no test', { tests: [RIGHT], leftOut: [] }, { full: 'make check' }, /which tests ran/, 0],
  [
    'whose skeleton is empty',
    { tests: [RIGHT], leftOut: [] },
    { work: { 'src/subtract.js': "eval('1');\n" } },
    /no name, route or program/,
    0,
  ],
  ['with an examiner that gave nothing', { why: 'the examiner was stopped: no credit' }, {}, /no credit/, 1],
])('%s work is not examined, and the verdict says so', async (_, answer, asked, why, calls) => {
  const { findings, skipped, caveats, requests } = await examined(answer, asked);
  expect({ findings, skipped, calls: requests.length }).toEqual({ findings: [], skipped: true, calls });
  expect(caveats).toEqual([expect.stringMatching(why)]);
});
