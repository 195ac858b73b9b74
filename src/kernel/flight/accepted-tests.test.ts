import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countingVersions } from '../../domain/accepted.ts';
import { readAccepted, recordAccepted, rememberHead, rememberLeft, type AcceptedWork } from './accepted-tests.ts';
import { openFlightBench, type FlightBench } from './test-support.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const TEST = 'test/one.test.js';
const IDS = [`${TEST}::one`];
const text = (word: string): string => `import { help } from './help.js';\ntest('one', () => help('${word}'));\n`;
const FILES = { [TEST]: text('one'), 'test/help.js': 'export const help = () => {};\n', 'src/one.js': 'export const one = 1;\n' };
const index = () => readAccepted(bench.place, { writer: false });
const versions = async () => (await index()).files[TEST] ?? [];

async function onHead(files: Readonly<Record<string, string | null>> = FILES): Promise<void> {
  bench.commit(files);
  await rememberHead(bench.place, { session: 0, tree: bench.head().tree, passing_tests: IDS });
}

async function lands(files: Readonly<Record<string, string | null>>, change: Partial<AcceptedWork> = {}): Promise<AcceptedWork> {
  const tree = await bench.tree(files, bench.head().tree);
  const work = { session: 2, feature: 1, base: bench.head().commit, tree, passing: IDS, isExact: true, releases: [], ...change };
  await recordAccepted(bench.place, work);
  bench.commit(files);
  return work;
}

describe('what passes on HEAD', () => {
  test('is the first version, with everything that it runs with, under the ref', async () => {
    await onHead();
    expect(await versions()).toMatchObject([{ tests: IDS, session: 0, released: null }]);
    const [first] = await versions();
    const kept = bench.git('ls-tree', '-r', '--name-only', `refs/harness/accepted:${first?.tree ?? ''}`).split('\n');
    expect(kept).toEqual(['test/help.js', TEST]);
    expect(bench.git('fsck', '--no-dangling')).toBe('');
  });

  test('is written once', async () => {
    await onHead();
    const file = join(bench.place.stateDir, 'accepted', 'index.json');
    const once = readFileSync(file, 'utf8');
    await rememberHead(bench.place, { session: 5, tree: bench.head().tree, passing_tests: IDS });
    expect(readFileSync(file, 'utf8')).toBe(once);
  });

  test('begins again where a person changed the test', async () => {
    await onHead();
    await onHead({ [TEST]: text('by hand') });
    expect(await versions()).toHaveLength(1);
  });
});

describe('work that lands', () => {
  test('adds a version of each test that it changes, and none of the others', async () => {
    await onHead();
    await lands({ 'src/one.js': 'export const one = 2;\n' });
    expect(await versions()).toHaveLength(1);
    await lands({ [TEST]: text('other') });
    expect(await versions()).toMatchObject([{ session: 0 }, { session: 2, feature: 1 }]);
  });

  test('adds one where only a helper changed', async () => {
    await onHead();
    await lands({ 'test/help.js': 'export const help = () => 1;\n' });
    expect(await versions()).toHaveLength(2);
  });

  test('can be recorded again after a crash', async () => {
    await onHead();
    const work = await lands({ [TEST]: text('other') });
    const once = await index();
    await recordAccepted(bench.place, work);
    await recordAccepted(bench.place, { ...work, isExact: false });
    expect(await index()).toEqual(once);
  });

  test('is recorded also where nothing was known before', async () => {
    bench.commit(FILES);
    await lands({ [TEST]: text('other') });
    expect(await versions()).toHaveLength(2);
  });

  test('releases what was released with it, until the branch returns', async () => {
    await onHead();
    const [first] = await versions();
    const before = bench.git('rev-parse', `HEAD:${TEST}`);
    await lands({ [TEST]: text('other') }, { releases: [{ by: 'person', versions: [{ file: TEST, id: first?.id ?? '' }] }] });
    const now = bench.git('rev-parse', `HEAD:${TEST}`);
    expect(countingVersions(await versions(), now)).toHaveLength(1);
    expect(countingVersions(await versions(), before)).toHaveLength(1);
    expect((await versions())[0]).toMatchObject({ released: { by: 'person', session: 2 } });
  });
});

test('a release that was not made here does not count', async () => {
  await onHead();
  const [first] = await versions();
  await lands({ [TEST]: text('other') }, { releases: [{ by: 'person', versions: [{ file: TEST, id: first?.id ?? '' }] }] });
  const file = join(bench.place.stateDir, 'accepted', 'index.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"by": "person"', '"by": "feature"'));
  expect((await versions()).map(({ released }) => released)).toEqual([null, null]);
});

test('an index that cannot be read is set aside, and HEAD begins it again', async () => {
  mkdirSync(join(bench.place.stateDir, 'accepted'), { recursive: true });
  writeFileSync(join(bench.place.stateDir, 'accepted', 'index.json'), '{"files": 3');
  await onHead();
  expect(await versions()).toHaveLength(1);
});

test('what found no place in a verdict is remembered for the next', async () => {
  await onHead();
  await rememberLeft(bench.place, { earlier_versions: { ran: [], failed: [], released: [], left: ['abc'] } });
  expect((await index()).left).toEqual(['abc']);
  await rememberLeft(bench.place, {});
  expect((await index()).left).toEqual([]);
});
