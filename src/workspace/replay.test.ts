import { afterEach, beforeEach, expect, test } from 'vitest';
import { replay } from './replay.ts';
import { createBench, type Bench } from './test-support.ts';
import { createTreeStore } from './tree-store.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
  bench.write({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  bench.commit('base');
});
afterEach(() => bench.dispose());

const notes = async () => ({ trees: createTreeStore(bench.platform, await bench.home()), path: 'notes.txt' });

/** The ids of commits made on a branch of their own; the branch that was checked out stays. */
function commitsOn(branch: string, ...steps: Record<string, string>[]): string[] {
  bench.git('switch', '-q', '-c', branch);
  const made = steps.map((files, at) => (bench.write(files), bench.commit(`${branch} ${at}\n\nTrailer: ${at}`)));
  bench.git('switch', '-q', 'main');
  return made;
}

test('several commits are made again on top of another, with their messages, and no ref moves', async () => {
  const [first, second] = commitsOn('work', { 'a.txt': 'ONE\ntwo\nthree\n' }, { 'new.txt': 'n\n' });
  const [onto] = commitsOn('other', { 'a.txt': 'one\ntwo\nTHREE\n', 'b.txt': 'B\n' });
  const refs = bench.git('for-each-ref');
  const made = await replay(bench.platform, await bench.home(), { commits: [first!, second!], onto: onto! }, await notes());
  if (made.kind !== 'replayed') throw new Error(made.kind);
  expect(bench.git('show', `${made.commit}:a.txt`)).toBe('ONE\ntwo\nTHREE');
  expect(bench.git('ls-tree', '--name-only', made.tree).split('\n')).toEqual(['a.txt', 'b.txt', 'new.txt']);
  expect(bench.git('log', '--format=%s %(trailers:key=Trailer,valueonly,separator=)', `${onto!}..${made.commit}`).split('\n')).toEqual([
    'work 1 1',
    'work 0 0',
  ]);
  expect(bench.git('rev-parse', `${made.commit}~2`)).toBe(onto);
  expect(bench.git('for-each-ref')).toBe(refs);
  expect(bench.git('status', '--porcelain')).toBe('');
});

test('a conflict is named by its paths', async () => {
  const commits = commitsOn('work', { 'a.txt': 'mine\n' });
  const [onto] = commitsOn('other', { 'a.txt': 'theirs\n' });
  expect(await replay(bench.platform, await bench.home(), { commits, onto: onto! }, await notes())).toEqual({
    kind: 'conflict',
    paths: ['a.txt'],
  });
});

test('a base that is no ancestor of the new one is no obstacle', async () => {
  const commits = commitsOn('work', { 'new.txt': 'n\n' });
  bench.write({ 'b.txt': 'amended\n' });
  bench.git('commit', '-q', '-a', '--amend', '-m', 'base, amended');
  const made = await replay(bench.platform, await bench.home(), { commits, onto: 'main' }, await notes());
  expect(made.kind).toBe('replayed');
  if (made.kind === 'replayed') expect(bench.git('show', `${made.commit}:b.txt`)).toBe('amended');
});

test('notes that both sides appended are joined, also where the file is new on both', async () => {
  const [work] = commitsOn('work', { 'notes.txt': 'SESSION 2\n- cart\n', 'new.txt': 'n\n' });
  const [onto] = commitsOn('other', { 'notes.txt': 'SESSION 3\n- pay\n' });
  const made = await replay(bench.platform, await bench.home(), { commits: [work!], onto: onto! }, await notes());
  if (made.kind !== 'replayed') throw new Error(made.kind);
  expect(bench.git('show', `${made.commit}:notes.txt`)).toBe('SESSION 3\n- pay\n\nSESSION 2\n- cart');
  expect(bench.git('show', `${made.commit}:new.txt`)).toBe('n');
});

test('a conflict beside joined notes is named, and the notes are not', async () => {
  const [work] = commitsOn('work', { 'notes.txt': 'SESSION 2\n', 'a.txt': 'mine\n' });
  const [onto] = commitsOn('other', { 'notes.txt': 'SESSION 3\n', 'a.txt': 'theirs\n' });
  expect(await replay(bench.platform, await bench.home(), { commits: [work!], onto: onto! }, await notes())).toEqual({
    kind: 'conflict',
    paths: ['a.txt'],
  });
});
