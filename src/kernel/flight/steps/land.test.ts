import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import { makeCommit } from '../../../workspace/land.ts';
import { readBaseline, readSizes } from '../memory-files.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { readLedger } from '../verdict-files.ts';
import { land } from './land.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

/** Accepted, with its commit made. */
async function accepted(change: Partial<Flight> = {}): Promise<Flight> {
  const tree = await bench.tree({ 'src/new.js': 'old and new\n' });
  await bench.verdict({ candidate_tree: tree, passing_tests: ['sh test.sh', 'another'], total_tests: 3 });
  const { commit: base } = bench.head();
  const commit = await makeCommit(bench.platform, { home: bench.place.home, base, tree, message: 'Feature #1\n' });
  return bench.flight({ phase: 'landing', verdict: 'v1', tree, commit, ...change });
}

describe('a commit that lands', () => {
  test('is the branch, its files lie there, and what passed on it is remembered', async () => {
    const flight = await accepted();
    expect(await land(bench.place, flight)).toEqual({ type: 'landed', pushes: false });
    expect(bench.head().commit).toBe(flight.commit);
    expect([bench.read('src/new.js'), bench.git('status', '--porcelain')]).toEqual(['old and new\n', '']);
    expect(bench.told('commit.created')).toMatchObject([{ session: 1, feature: 1, commit: flight.commit, branch: 'main' }]);
    expect(await readBaseline(bench.place, { writer: false })).toMatchObject({
      commit: flight.commit,
      tree: flight.tree,
      total_passing: 2,
      total_tests: 3,
    });
    expect((await readSizes(bench.place))?.files['src/new.js']).toMatchObject({ lines: 1 });
    expect(await readLedger(bench.place)).not.toBeNull();
  });

  test('that was cut off in the middle is completed, and told as what was recovered', async () => {
    const flight = await accepted({ cut_off: 'landing' });
    bench.git('update-ref', 'refs/heads/main', flight.commit!);
    writeFileSync(join(bench.root, '.git', 'index.lock'), '');
    expect(await land(bench.place, flight)).toMatchObject({ type: 'landed' });
    expect([bench.read('src/new.js'), bench.git('status', '--porcelain')]).toEqual(['old and new\n', '']);
    expect(existsSync(join(bench.root, '.git', 'index.lock'))).toBe(false);
    expect(bench.told('commit.created')).toEqual([]);
    expect(bench.told('state.recovered').map(({ action }) => action)).toEqual(['removed', 'its accepted commit is in place']);
  });

  test('lands once, however often the step is done', async () => {
    const flight = await accepted();
    await land(bench.place, flight);
    const once = await readBaseline(bench.place, { writer: false });
    expect(await land(bench.place, { ...flight, cut_off: 'landing' })).toMatchObject({ type: 'landed' });
    expect(bench.git('rev-list', '--count', 'HEAD')).toBe('2');
    expect({ ...(await readBaseline(bench.place, { writer: false })), timestamp: '' }).toEqual({ ...once, timestamp: '' });
  });

  test('leaves other files, staged changes and another branch of the user alone', async () => {
    const flight = await accepted();
    bench.write({ 'notes.txt': 'mine\n', 'src/old.txt': 'old, and edited\n' });
    bench.git('add', 'notes.txt');
    expect(await land(bench.place, flight)).toMatchObject({ type: 'landed' });
    expect(bench.git('status', '--porcelain').split('\n')).toEqual(['A  notes.txt', ' M src/old.txt']);
  });

  test('moves a branch that nobody has checked out without touching a file', async () => {
    const flight = await accepted();
    bench.git('switch', '-q', '-c', 'aside');
    expect(await land(bench.place, flight)).toMatchObject({ type: 'landed' });
    expect(bench.git('rev-parse', 'main')).toBe(flight.commit);
    expect(bench.read('src/new.js')).toBeNull();
  });

  test('goes on to the remote where the settings say so', async () => {
    const { config } = bench.place;
    const pushing = { ...bench.place, config: { ...config, git: { ...config.git, push: true } } };
    expect(await land(pushing, await accepted())).toEqual({ type: 'landed', pushes: true });
  });
});

describe('a commit that cannot land', () => {
  test.each<[string, Partial<Flight>, string]>([
    ['where the branch moved', {}, 'branch main moved during the session; the work is kept and judged again on the new commit'],
    [
      'that a person accepted, where the branch moved',
      { checkpoint: null },
      'branch main moved after the work was judged; the work is kept and judged again on the new commit',
    ],
  ])('%s is to be moved', async (_, change, message) => {
    const flight = await accepted(change);
    const theirs = bench.commit({ 'theirs.txt': 'theirs\n' });
    expect(await land(bench.place, flight)).toEqual({ type: 'moved', message });
    expect(bench.head().commit).toBe(theirs);
    expect(await readBaseline(bench.place, { writer: false })).toBeNull();
  });

  test('over a file of the user is stranded, and the file is named and whole', async () => {
    const flight = await accepted();
    bench.write({ 'src/new.js': 'mine\n' });
    expect(await land(bench.place, flight)).toEqual({
      type: 'stranded',
      reason: 'git.conflict',
      message: 'files in your working tree are in the way: src/new.js',
    });
    expect([bench.read('src/new.js'), bench.head().commit]).toEqual(['mine\n', flight.base]);
  });

  test('after it was made again for the remote goes back to the push', async () => {
    const flight = await accepted({ pushes: 1 });
    bench.commit({ 'theirs.txt': 'theirs\n' });
    expect(await land(bench.place, flight)).toEqual({ type: 'turned.back' });
  });

  test('after a crash is told so', async () => {
    const flight = await accepted({ cut_off: 'landing' });
    bench.commit({ 'theirs.txt': 'theirs\n' });
    expect(await land(bench.place, flight)).toMatchObject({ type: 'moved' });
    expect(bench.told('state.recovered')).toMatchObject([{ action: 'its accepted work could not land where the branch stands now' }]);
  });
});

describe('what is remembered of earlier work', () => {
  test.each(['test_baseline.json', 'file_sizes.json', 'ledger.json'])('is written anew where %s is damaged', async (name) => {
    const flight = await accepted();
    writeFileSync(join(bench.place.stateDir, name), '{"schema_version": 1, "fil');
    expect(await land(bench.place, flight)).toMatchObject({ type: 'landed' });
    expect(await readBaseline(bench.place, { writer: false })).toMatchObject({ commit: flight.commit });
    expect(await readSizes(bench.place)).toMatchObject({ tree: flight.tree });
    expect(await readLedger(bench.place)).not.toBeNull();
  });

  test('a verdict that cannot be read leaves the commit landed and the memory as it was', async () => {
    const flight = await accepted();
    writeFileSync(join(bench.place.stateDir, 'verdicts', 'v1', 'verdict.json'), '');
    expect(await land(bench.place, flight)).toMatchObject({ type: 'landed' });
    expect(bench.head().commit).toBe(flight.commit);
    expect(await readBaseline(bench.place, { writer: false })).toBeNull();
  });
});
