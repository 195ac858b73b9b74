/** What of lanes is seen in the repository: branches, links, differences; and which of many flights may go on. */
import { lstatSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FLIGHT_PHASES, type Flight } from '../../domain/session.ts';
import { openFlightBench, type FlightBench } from '../flight/test-support.ts';
import { dueFlights } from './air.ts';
import { lanePlace } from './lane-place.ts';
import { changedLines, differenceText } from '../ground/difference.ts';
import { keepFeatureBranch, linkLane } from './shown.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

describe('the branch of a feature', () => {
  const BRANCH = 'refs/heads/harness/F-001';
  const keep = async (files: Record<string, string>): Promise<string> => {
    const tree = await bench.tree(files);
    await keepFeatureBranch(bench.place, 'F-001', { tree, base: bench.head().commit, session: 3 });
    return tree;
  };

  test('holds the work on its base, again and again, and goes when it has landed', async () => {
    await keep({ 'src/new.txt': 'half\n' });
    const tree = await keep({ 'src/new.txt': 'whole\n' });
    expect(bench.git('rev-parse', `${BRANCH}^{tree}`, `${BRANCH}^`).split('\n')).toEqual([tree, bench.head().commit]);
    for (let time = 0; time < 2; time++) await keepFeatureBranch(bench.place, 'F-001', null);
    expect(bench.git('for-each-ref', 'refs/heads/harness')).toBe('');
    expect(bench.told('warning')).toEqual([]);
  });

  test('is left alone where somebody has it checked out', async () => {
    bench.git('switch', '-q', '-c', 'harness/F-001');
    const before = bench.head();
    await keep({ 'src/new.txt': 'half\n' });
    await keepFeatureBranch(bench.place, 'F-001', null);
    expect(bench.head()).toEqual(before);
    expect(bench.told('warning')).toHaveLength(2);
  });

  test('gives up nothing that somebody else committed there', async () => {
    await keep({ 'src/new.txt': 'half\n' });
    const theirs = bench.git('commit-tree', `${BRANCH}^{tree}`, '-p', BRANCH, '-m', 'By a person');
    for (const work of ['moved', 'gone']) {
      bench.git('update-ref', BRANCH, theirs);
      if (work === 'moved') await keep({ 'src/new.txt': 'whole\n' });
      else await keepFeatureBranch(bench.place, 'F-001', null);
      const saved = `refs/harness/saved/F-001-${theirs.slice(0, 12)}`;
      expect(bench.git('rev-parse', saved)).toBe(theirs);
      expect(bench.told('warning').at(-1)!.message).toContain(`git log ${saved}`);
      bench.git('update-ref', '-d', saved);
    }
    expect(bench.git('for-each-ref', 'refs/heads/harness')).toBe('');
    bench.git('update-ref', BRANCH, 'HEAD');
    await keepFeatureBranch(bench.place, 'F-001', null);
    expect(bench.told('warning')).toHaveLength(2);
  });

  test('that has landed and cannot be removed is told', async () => {
    await keep({ 'src/new.txt': 'half\n' });
    const lock = join(bench.place.home.gitDir, `${BRANCH}.lock`);
    writeFileSync(lock, '');
    await keepFeatureBranch(bench.place, 'F-001', null);
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining('could not be removed') as string }]);
    rmSync(lock);
    await keepFeatureBranch(bench.place, 'F-001', null);
    expect(bench.git('for-each-ref', 'refs/heads/harness')).toBe('');
  });

  test('that cannot be made is told, and nothing else fails for it', async () => {
    bench.git('branch', 'harness');
    await keep({ 'src/new.txt': 'half\n' });
    expect(bench.told('warning')).toMatchObject([{ message: expect.stringContaining('branch harness/F-001 could not be made') as string }]);
  });
});

test('the link to a lane leads to its copy, is set anew, and goes', async () => {
  const path = join(bench.place.stateDir, 'worktrees', 'F-001');
  await linkLane(bench.place, 'F-001', '/one');
  await linkLane(bench.place, 'F-001', '/two');
  expect(readlinkSync(path)).toBe('/two');
  for (let time = 0; time < 2; time++) await linkLane(bench.place, 'F-001', null);
  expect(() => lstatSync(path)).toThrow('ENOENT');
});

describe('a difference', () => {
  test('counts added and removed lines outside of some files, and binary files as none', async () => {
    const [from, to] = [
      bench.head().tree,
      await bench.tree({ 'src/old.txt': 'new\n', 'src/a b\tc.txt': 'x\ny\n', 'test/one.js': '1\n2\n', 'src/image.bin': 'a\0b\0' }),
    ];
    expect(await changedLines(bench.place, from, to, ['test/one.js'])).toBe(4);
    expect(await changedLines(bench.place, from, from, [])).toBe(0);
  });

  test('is cut where it would be too long', async () => {
    const text = await differenceText(
      bench.place,
      bench.head().tree,
      await bench.tree({ 'src/long.txt': 'line of text\n'.repeat(10_000) }),
    );
    expect(text.length).toBeLessThan(60_010);
    expect(text.endsWith('\n[…]')).toBe(true);
  });
});

test('a lane has rooms of its own, the same each time; without a lane they are those of the place', () => {
  const [one, again, two] = ['lane-1', 'lane-1', 'lane-2'].map((lane) => lanePlace(bench.place, { lane }).rooms);
  expect([one === again, one === two, one === bench.place.rooms]).toEqual([true, false, false]);
  expect(lanePlace(bench.place, { lane: null })).toBe(bench.place);
});

test('of any flights each does at most one step, one lands at a time, and one that lands is never kept waiting', () => {
  const base = bench.flight();
  const flight = fc
    .record({ phase: fc.constantFrom(...FLIGHT_PHASES), commit: fc.constantFrom(null, 'k'), moves: fc.nat(3) })
    .map((change): Partial<Flight> => change);
  fc.assert(
    fc.property(fc.array(flight, { maxLength: 6 }), fc.boolean(), (changes, mayLand) => {
      const flights = changes.map((change, at): Flight => ({ ...base, ...change, session: at + 1, lane: `lane-${at + 1}` }));
      const due = dueFlights(flights, () => mayLand);
      expect(new Set(due.map(({ key }) => key)).size).toBe(due.length);
      expect(due.filter(({ name }) => ['commit', 'land', 'move', 'push'].includes(name)).length).toBeLessThanOrEqual(1);
      const waits = flights.filter(({ session }) => !due.some((step) => step.session === session));
      if (due.length === 0)
        expect(waits.every(({ phase, commit, moves }) => phase === 'landing' && commit === null && moves === 0)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
