import { describe, expect, test } from 'vitest';
import { readPlan } from './plan.ts';
import { readContract, readEdit, renderContract, renderQueue } from './contract-text.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { claim, feature, flight, working } from './test-support.ts';

const plan = (change: object = {}) => ({
  features: [
    { id: 'F-001', title: 'Log in', claims: ['VAL-AUTH-001'], depends_on: [] },
    { id: 'F-002', title: 'Log out', claims: ['VAL-AUTH-002'], depends_on: ['F-001'] },
  ],
  claims: [
    { id: 'VAL-AUTH-001', text: 'User can log in', proof: { tests: ['tests/login.test.js'] } },
    { id: 'VAL-AUTH-002', text: 'User can log out', proof: { tests: ['tests/logout.test.js'], command: 'npm run x' } },
  ],
  ...change,
});

const problems = (value: unknown): string => readPlan(typeof value === 'string' ? value : JSON.stringify(value)).problems.join('\n');

describe('a plan', () => {
  test('that can be proved is taken as it is', () => {
    const read = readPlan(JSON.stringify(plan()));
    expect(read.problems).toEqual([]);
    expect(read.plan?.features[1]).toMatchObject({ id: 'F-002', status: 'pending', attempts: 0, depends_on: ['F-001'] });
    expect(read.plan?.claims[1]?.proof).toEqual({ tests: ['tests/logout.test.js'], command: 'npm run x', person: false });
  });

  test.each<[string, object | string, RegExp]>([
    ['that is no JSON', 'no plan', /expected object/],
    ['without a feature', plan({ features: [], claims: [] }), /there is none/],
    ['with features in a circle', plan({ features: [{ ...plan().features[0], depends_on: ['F-002'] }, plan().features[1]] }), /circle/],
    [
      'that waits for a feature nobody knows',
      plan({ features: [{ ...plan().features[0], depends_on: ['F-009'] }, plan().features[1]] }),
      /no feature F-009/,
    ],
    [
      'with the same feature twice',
      plan({ features: [plan().features[0], plan().features[0], plan().features[1]] }),
      /F-001 is there twice/,
    ],
    ['whose feature names a claim that is not there', plan({ claims: [plan().claims[0]] }), /VAL-AUTH-002 is not among the claims/],
    ['with a claim of no feature', plan({ features: [plan().features[0]] }), /VAL-AUTH-002: belongs to no feature/],
    [
      'with a claim of two',
      plan({ features: [plan().features[0], { ...plan().features[1], claims: ['VAL-AUTH-001', 'VAL-AUTH-002'] }] }),
      /belongs to F-001 and F-002/,
    ],
    [
      'whose feature no test shows',
      plan({ claims: [plan().claims[0], { ...plan().claims[1], proof: { command: 'true' } }] }),
      /F-002: no claim of it names a test file/,
    ],
    [
      'whose features share a test file',
      plan({ claims: [plan().claims[0], { ...plan().claims[1], proof: { tests: ['tests/login.test.js'] } }] }),
      /belongs to F-001 and F-002/,
    ],
    [
      'with a path that leads out',
      plan({ claims: [{ ...plan().claims[0], proof: { tests: ['../x.test.js'] } }, plan().claims[1]] }),
      /cannot be used/,
    ],
    [
      'with a feature that is too large',
      plan({ features: [{ ...plan().features[0], claims: Array.from({ length: 8 }, () => 'VAL-AUTH-001') }, plan().features[1]] }),
      /at most 7/,
    ],
    ['with names of its own', plan({ features: [{ ...plan().features[0], id: 'login' }] }), /F-001 and so on/],
  ])('%s goes back with what is wrong', (_title, value, expected) => {
    expect(problems(value)).toMatch(expected);
  });

  test('a command alone, or nothing, is for a person', () => {
    const read = readPlan(
      JSON.stringify(
        plan({
          features: [{ ...plan().features[0], claims: ['VAL-AUTH-001', 'VAL-AUTH-002'] }],
          claims: [plan().claims[0], { ...plan().claims[1], proof: { command: 'true' } }],
        }),
      ),
    );
    expect(read.plan?.claims[1]?.proof).toEqual({ tests: [], command: 'true', person: true });
  });
});

describe('what people see of it', () => {
  const claims = [
    claim(1),
    claim(2, { proof: { tests: ['a.test.js', 'b.test.js'], command: 'npm run x; echo done', person: false }, notes: 'two\n\nlines' }),
    claim(3, { proof: { tests: [], command: null, person: true } }),
    claim(4, { proof: { tests: [], command: 'npm run y', person: true } }),
    claim(5, { proof: { tests: ['c.test.js'], command: null, person: true } }),
  ];

  test('comes back as it was written', () => {
    expect(readContract(renderContract({ claims }))).toEqual({ claims });
  });

  test('may be changed between iterations, but for what the harness counts', () => {
    const state = working([feature(1, { status: 'passed', attempts: 2 }), feature(2, { attempts: 1 })]);
    const edited = JSON.parse(renderQueue(state)) as { features: { status: string; title: string; attempts: number }[] };
    edited.features[0]!.status = 'pending';
    edited.features[1]!.status = 'skipped';
    edited.features[1]!.attempts = 0;
    edited.features[1]!.title = 'Another title';
    expect(readEdit(state, JSON.stringify(edited), renderContract(state))).toMatchObject({
      ok: true,
      features: [
        { id: 'F-001', status: 'passed', attempts: 2 },
        { id: 'F-002', status: 'skipped', attempts: 1, title: 'Another title' },
      ],
    });
  });

  test.each<[string, (queue: string, contract: string) => [string, string], RegExp]>([
    ['a queue that is no JSON', (_queue, contract) => ['{', contract], /./],
    ['a claim without a proof', (queue, contract) => [queue, contract.replace('proof: test/f2.test.js', '')], /no line "proof:"/],
    ['a heading that is no claim', (queue, contract) => [queue, contract.replace('## VAL-SUM-002', '## SUM')], /heading/],
    [
      'a passed feature that is gone',
      (queue, contract) => [queue.replaceAll('F-001', 'F-003'), contract],
      /F-001 is passed and cannot be taken out/,
    ],
    [
      'another proof for what has passed',
      (queue, contract) => [queue, contract.replace('test/f1.test.js', 'test/other.test.js')],
      /has passed with this proof/,
    ],
  ])('%s is refused with what to do', (_title, change, expected) => {
    const state = working([feature(1, { status: 'passed' }), feature(2)]);
    const edit = readEdit(state, ...change(renderQueue(state), renderContract(state)));
    expect(edit.ok ? '' : edit.problems.join('\n')).toMatch(expected);
  });

  test('needs no more of a hand than what the harness cannot know', () => {
    const features = [{ id: 'F-001', title: 'Sums', claims: ['VAL-SUM-001'] }];
    const contract = renderContract({ claims: [claim(1)] });
    expect(readEdit(working([]), JSON.stringify({ schema_version: 1, features }), contract)).toMatchObject({
      ok: true,
      features: [{ id: 'F-001', status: 'pending', attempts: 0, depends_on: [], notes: [] }],
    });
  });

  test('names the file in which the mistake is', () => {
    const state = working([feature(1), feature(2)]);
    const shared = renderContract(state).replace('test/f2.test.js', 'test/f1.test.js');
    expect(readEdit(state, renderQueue(state), shared)).toMatchObject({ ok: false, file: 'contract' });
    const circle = renderQueue({ ...state, features: [feature(1, { depends_on: ['F-001'] }), feature(2)] });
    expect(readEdit(state, circle, renderContract(state))).toMatchObject({ ok: false, file: 'queue' });
  });

  test.each<[string, Partial<MissionState>]>([
    ['a candidate', { candidates: [{ feature: 'F-002', flight: flight(1, 'F-002') }] }],
    ['kept on its branch', { kept: ['F-002'] }],
    ['in question', { question: { feature: 'F-002', text: 'which?' } }],
    ['in question later', { later_questions: [{ feature: 'F-002', text: 'which?' }] }],
  ])('a feature that is %s cannot be taken out', (_what, change) => {
    const state = working([feature(1), feature(2, { status: 'blocked' })], change);
    const less = { ...state, features: [state.features[0]!], claims: [state.claims[0]!] };
    expect(readEdit(state, renderQueue(less), renderContract(less))).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('F-002 is blocked and cannot be taken out') as string],
    });
  });
});
