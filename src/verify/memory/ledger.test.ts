import { expect, test } from 'vitest';
import { emptyLedger, foldLedger, type LedgerStep } from './ledger.ts';
import { bodiesOf, matchMoves } from '../checks/moves.ts';
import { createBench } from '../test-support.ts';

const step = (session: number, statuses: Record<string, 'passed' | 'failed' | 'skipped'>, more: Partial<LedgerStep> = {}): LedgerStep => ({
  session,
  tests: Object.entries(statuses).map(([id, status]) => ({ id, status })),
  flaky: [],
  moves: new Map(),
  bodies: new Map(),
  ...more,
});

test('the ledger remembers when a test was first seen and whether it passes', () => {
  const first = foldLedger(emptyLedger(), step(1, { 'f::a': 'passed', 'f::b': 'failed' }));
  const second = foldLedger(first, step(2, { 'f::b': 'passed', 'f::c': 'passed' }));
  expect(second.tests).toMatchObject({
    'f::a': { first_seen: 1, last_passed: 1, passing: false },
    'f::b': { first_seen: 1, last_passed: 2, passing: true },
    'f::c': { first_seen: 2 },
  });
  expect(Object.keys(second.tests).filter((id) => second.tests[id]!.passing)).toEqual(['f::b', 'f::c']);
});

test('a flake passes and is remembered', () => {
  const ledger = foldLedger(emptyLedger(), step(3, { 'f::a': 'failed', 'f::b': 'passed' }, { flaky: ['f::a'] }));
  expect(ledger.tests['f::a']).toMatchObject({ passing: true, flakes: [3] });
  expect(ledger.tests['f::b']).toMatchObject({ passing: true, flakes: [] });
});

test('a moved test takes its history along', () => {
  const first = foldLedger(emptyLedger(), step(1, { 'f::a': 'passed' }));
  const moved = foldLedger(first, step(4, { 'g::b': 'passed' }, { moves: new Map([['f::a', 'g::b']]) }));
  expect(moved.tests).toEqual({
    'g::b': { first_seen: 1, last_passed: 4, passing: true, flakes: [], moves: [{ session: 4, from: 'f::a' }], body: null },
  });
});

test('moves are found by the body alone, and never guessed between twins', () => {
  const before = new Map([
    ['f::a', '1'],
    ['f::b', '2'],
    ['f::c', '2'],
  ]);
  const now = new Map([
    ['g::x', '1'],
    ['g::y', '2'],
  ]);
  expect(matchMoves(['f::a', 'f::b', 'f::c'], ['g::x', 'g::y'], before, now)).toEqual(new Map([['f::a', 'g::x']]));
});

test('bodies are the same whatever a test is called, however it is indented and wherever it stands', async () => {
  const bench = await createBench();
  const tree = await bench.tree({
    'a.test.js': "test('one', () => {\n  expect(f(1)).toBe(2);\n});\ntest('two', () => expect(1).toBe(1));\n",
    'b.test.js': "describe('g', () => {\n  it('other', () => {\n    expect(f(1)).toBe(2);\n  });\n});\n",
    'test_a.py': 'def test_a():\n    assert f() == 1\n',
    'test_b.py': 'class TestB:\n    def test_b():\n        assert f() == 1\n',
  });
  const bodies = await bodiesOf(bench.platform, bench.trees, tree, [
    'a.test.js::one',
    'a.test.js::two',
    'b.test.js::g > other',
    'test_a.py::test_a',
    'test_b.py::TestB > test_b',
    'gone.js::x',
  ]);
  await bench.dispose();
  expect(bodies.size).toBe(5);
  expect(bodies.get('a.test.js::one')).toBe(bodies.get('b.test.js::g > other'));
  expect(bodies.get('test_a.py::test_a')).toBe(bodies.get('test_b.py::TestB > test_b'));
  expect(bodies.get('a.test.js::one')).not.toBe(bodies.get('a.test.js::two'));
});

test('a test whose title differs from run to run is known by its body', async () => {
  const bench = await createBench();
  const tree = await bench.tree({
    'a.test.js':
      "test(`one at ${Date.now()}`, () => check(1));\ntest('plain', () => check(2));\ntest(`row ${n} of ${m}`, () => check(3));\n",
  });
  const ids = (now: number): string[] => [`a.test.js::one at ${now}`, 'a.test.js::plain', `a.test.js::g > row ${now} of 9`];
  const [before, now] = [
    await bodiesOf(bench.platform, bench.trees, tree, ids(1)),
    await bodiesOf(bench.platform, bench.trees, tree, ids(2)),
  ];
  await bench.dispose();
  expect(matchMoves(ids(1), ids(2), before, now)).toEqual(new Map(ids(1).map((id, index) => [id, ids(2)[index]])));
});

test('of tests of one title, the groups around them tell which is which', async () => {
  const bench = await createBench();
  const python = (name: string): string => `class ${name}:\n    def test_it(self):\n        assert ${name.length}\n\n\n`;
  const tree = await bench.tree({
    'a.test.js':
      "describe('a', () => {\n  it('x', () => check(1));\n  describe('b', () => { it('x', () => check(2)); });\n});\ndescribe('b', () => { it('x', () => check(3)); });\nit('x', () => check(4));\n",
    'test_a.py': `${python('TestA')}${python('TestOther')}`,
  });
  const ids = ['a.test.js::a > x', 'a.test.js::a > b > x', 'a.test.js::b > x', 'a.test.js::x'];
  const bodies = await bodiesOf(bench.platform, bench.trees, tree, [
    ...ids,
    'a.test.js::c > x',
    'test_a.py::TestA > test_it',
    'test_a.py::TestOther > test_it',
  ]);
  await bench.dispose();
  expect([...bodies.keys()]).toEqual([...ids, 'test_a.py::TestA > test_it', 'test_a.py::TestOther > test_it']);
  expect(new Set(bodies.values()).size).toBe(6);
});
