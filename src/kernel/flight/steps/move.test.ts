import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import type { Brief } from '../contract.ts';
import { FEATURE, FEATURES, listWith, openFlightBench, type FlightBench } from '../test-support.ts';
import { move } from './move.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const claimed = FEATURES.replace('"passes": false', '"passes": true');

/** Accepted work over the base, and then what a person committed meanwhile. */
async function moved(work: Record<string, string | null>, theirs: Record<string, string | null>): Promise<[Flight, Brief]> {
  const [brief, tree] = [bench.brief(), await bench.tree({ 'features.json': claimed, ...work })];
  const flight = bench.flight({ phase: 'moving', verdict: 'v1', commit: 'k', tree });
  bench.commit(theirs);
  return [flight, brief];
}

const read = (tree: string, path: string): string => bench.git('show', `${tree}:${path}`);

describe('accepted work whose branch went on', () => {
  test('is merged into the new commit, and kept under its ref', async () => {
    const [flight, brief] = await moved({ 'src/new.txt': 'new\n' }, { 'src/theirs.txt': 'theirs\n' });
    const event = await move(bench.place, flight, brief, bench.brief());
    expect(event).toMatchObject({ type: 'rebased', base: bench.head().commit });
    const { tree } = event as { tree: string };
    expect([read(tree, 'src/new.txt'), read(tree, 'src/theirs.txt')]).toEqual(['new', 'theirs']);
    expect(bench.git('rev-parse', 'refs/harness/candidates/1^{tree}')).toBe(tree);
    expect(bench.told('progress')).toMatchObject([{ message: expect.stringContaining('judged again') as string }]);
  });

  test('gives the same tree when it is done again, and touches neither branch nor files', async () => {
    const [flight, brief] = await moved({ 'src/new.txt': 'new\n' }, { 'src/theirs.txt': 'theirs\n' });
    const before = bench.head();
    const once = await move(bench.place, flight, brief, bench.brief());
    expect(await move(bench.place, flight, brief, bench.brief())).toEqual(once);
    expect([bench.head(), bench.git('status', '--porcelain')]).toEqual([before, '']);
  });

  test("takes the new commit's list with one flag changed, never a merge of both", async () => {
    const longer = listWith([
      FEATURE,
      { ...FEATURE, id: 2, test_file: 'test/two.test.js' },
      { ...FEATURE, id: 3, test_file: 'test/3.test.js' },
    ]);
    const [flight, brief] = await moved({ 'features.json': '{"forged": true}\n' }, { 'features.json': longer });
    const list = { path: 'features.json', text: longer, accepted: longer.replace('"passes": false', '"passes": true') };
    const event = await move(bench.place, flight, brief, bench.brief({ list }));
    expect(event).toMatchObject({ type: 'rebased' });
    expect(`${read((event as { tree: string }).tree, 'features.json')}\n`).toBe(list.accepted);
  });

  test('without a list of its own leaves the list alone', async () => {
    const [flight] = await moved({ 'features.json': FEATURES, 'src/new.txt': 'new\n' }, { 'features.json': claimed });
    const [brief, now] = [bench.brief({ list: null, head: { ...bench.head(), commit: flight.base } }), bench.brief({ list: null })];
    const event = await move(bench.place, flight, brief, now);
    expect(`${read((event as { tree: string }).tree, 'features.json')}\n`).toBe(claimed);
  });

  test('carries what was removed', async () => {
    const [flight, brief] = await moved({ 'hello.txt': null }, { 'src/theirs.txt': 'theirs\n' });
    const { tree } = (await move(bench.place, flight, brief, bench.brief())) as { tree: string };
    expect(bench.git('ls-tree', '--name-only', tree).split('\n')).not.toContain('hello.txt');
  });
});

describe('accepted work that does not fit the new commit', () => {
  test('is kept, and the places are named', async () => {
    const [flight, brief] = await moved({ 'src/old.txt': 'old, mine\n' }, { 'src/old.txt': 'old, theirs\n' });
    expect(await move(bench.place, flight, brief, bench.brief())).toEqual({
      type: 'stranded',
      reason: 'git.moved',
      message: 'branch main moved during the session: the same places were changed there (src/old.txt); the work is kept',
      conflict: ['src/old.txt'],
    });
    expect(bench.git('for-each-ref', 'refs/harness')).toBe('');
  });

  test('names a few of very many places to people, and no more than fifty to the next session', async () => {
    const [mine, theirs] = ['mine', 'theirs'].map((who) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`src/${index}.txt`, `${who}\n`])),
    ) as [Record<string, string>, Record<string, string>];
    const [flight, brief] = await moved(mine, theirs);
    const event = (await move(bench.place, flight, brief, bench.brief())) as { message: string; conflict: string[] };
    expect(event.conflict).toHaveLength(50);
    expect(event.message.match(/src\//g)).toHaveLength(5);
  });

  test('is kept where its task is another one there', async () => {
    const [flight, brief] = await moved({}, { 'src/theirs.txt': 'theirs\n' });
    expect(await move(bench.place, { ...flight, checkpoint: null }, brief, 'feature #1 was changed there')).toEqual({
      type: 'stranded',
      reason: 'git.moved',
      message: 'branch main moved after the work was judged: feature #1 was changed there; the work is kept',
    });
  });
});
