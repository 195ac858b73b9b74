import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_USAGE } from '../../../domain/money.ts';
import { emptyCosts, recordSession } from '../../../store/costs.ts';
import { openBooks } from '../../books/books.ts';
import { saveWip } from '../../../workspace/wip.ts';
import type { Brief, FlightPlace } from '../contract.ts';
import { readBaseline, writeBaseline } from '../memory-files.ts';
import { portBase } from '../../lanes/air.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { prepare, type Prepared } from './prepare.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

const prepared = (brief: Partial<Brief> = {}, place = bench.place): Promise<Prepared> =>
  prepare(place, bench.flight({ phase: 'preparing', checkpoint: null }), bench.brief(brief));

const inCopy = (path: string): string | null => {
  const file = join(bench.place.live.get(1)!.copy!.path, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

function withSettings(change: (config: FlightPlace['config']) => Partial<FlightPlace['config']>): FlightPlace {
  return { ...bench.place, config: { ...bench.place.config, ...change(bench.place.config) } };
}

describe('before the agent', () => {
  test('its copy holds the base, a checkpoint is there, and what passes is known', async () => {
    const event = await prepared();
    const { copy } = bench.place.live.get(1)!;
    expect(event).toEqual({ type: 'prepared', workspace: copy!.path, checkpoint: expect.any(String) as string });
    expect([inCopy('src/old.txt'), inCopy('.harness')]).toEqual(['old\n', null]);
    expect(bench.told('checkpoint.created')).toMatchObject([{ id: (event as { checkpoint: string }).checkpoint, session: 1 }]);
    expect(await readBaseline(bench.place, { writer: false })).toMatchObject({ commit: bench.head().commit, total_passing: 1 });
    expect(bench.told('preflight.check').map(({ name, state }) => `${name} ${state}`)).toEqual([
      'working directory passed',
      'harness files passed',
      'git state passed',
      'environment skipped',
      'health skipped',
      'baseline tests passed',
      'sanity skipped',
      'budget passed',
    ]);
  });

  test('everything is made once more where the last one died over it', async () => {
    const [one, two] = [await prepared(), await prepared()] as { workspace: string; checkpoint: string }[];
    expect(two!.workspace).toBe(one!.workspace);
    expect(two!.checkpoint).not.toBe(one!.checkpoint);
    expect(inCopy('src/old.txt')).toBe('old\n');
  });
});

describe('the copy', () => {
  const keep = async (tree: string): Promise<void> =>
    void (await saveWip(bench.platform, { home: bench.place.home, feature: 1, tree, base: bench.head().commit, message: 'wip' }));

  test('holds the work that an earlier session left', async () => {
    await keep(await bench.tree({ 'src/new.txt': 'half\n' }));
    await prepared({ unfinished: { feature: 1 } });
    expect([inCopy('src/new.txt'), bench.place.live.get(1)!.startTree]).toEqual(['half\n', await bench.tree({ 'src/new.txt': 'half\n' })]);
  });

  test('holds it on top of a commit that came meanwhile', async () => {
    await keep(await bench.tree({ 'src/new.txt': 'half\n' }));
    bench.commit({ 'src/theirs.txt': 'theirs\n' });
    await prepared({ unfinished: { feature: 1 } });
    expect([inCopy('src/new.txt'), inCopy('src/theirs.txt')]).toEqual(['half\n', 'theirs\n']);
    expect(bench.told('progress')).toHaveLength(1);
  });

  test('holds the base where the work does not fit it, or both sides where they are to be shown', async () => {
    await keep(await bench.tree({ 'src/old.txt': 'old, mine\n' }));
    bench.commit({ 'src/old.txt': 'old, theirs\n' });
    await prepared({ unfinished: { feature: 1 } });
    expect(inCopy('src/old.txt')).toBe('old, theirs\n');
    await prepared({ unfinished: { feature: 1, marked: true } });
    expect(inCopy('src/old.txt')).toMatch(/<<<<<<<[^]*old, theirs[^]*old, mine[^]*>>>>>>>/);
  });

  test('holds refused work with the list set back', async () => {
    const tree = await bench.tree({ 'src/new.txt': 'refused\n', 'features.json': '{"claims": "everything"}\n' });
    await prepared({ refused: { tree, base: bench.head().commit } });
    expect([inCopy('src/new.txt'), inCopy('features.json')]).toEqual(['refused\n', bench.read('features.json')]);
  });

  test('holds the base, and says so, where refused work is gone', async () => {
    await prepared({ refused: { tree: '0'.repeat(40), base: bench.head().commit } });
    expect(inCopy('src/new.txt')).toBeNull();
    expect(bench.told('progress')).toMatchObject([{ message: expect.stringContaining('no longer fits the branch') as string }]);
  });

  test('of a lane lies apart, with ports of its own', async () => {
    await prepared();
    const alone = bench.place.live.get(1)!;
    await prepare(bench.place, bench.flight({ session: 2, phase: 'preparing', lane: 'lane-2' }), bench.brief());
    const beside = bench.place.live.get(2)!;
    expect(beside.copy!.path).not.toBe(alone.copy!.path);
    expect([alone.agent!.env['HARNESS_PORT_BASE'], beside.agent!.env['HARNESS_PORT_BASE']]).toEqual([
      undefined,
      String(portBase('lane-2', bench.place.root)),
    ]);
  });
});

describe('a check that fails drops the flight, and nothing lives on', () => {
  const dropped = (event: Prepared): { reason: string; message: string; broken: string[] } => {
    expect(event.type).toBe('dropped');
    expect([bench.place.live.size, bench.told('checkpoint.created').length]).toEqual([0, 0]);
    return (event as Extract<Prepared, { type: 'dropped' }>).failure;
  };

  test.each<[string, () => void, string, string]>([
    ['a modified file', () => bench.write({ 'src/old.txt': 'old, mine\n' }), 'git.dirty', 'src/old.txt'],
    ['a merge in progress', () => bench.write({ '.git/MERGE_HEAD': `${bench.head().commit}\n` }), 'git.conflict', 'merge'],
    ['a detached HEAD', () => bench.git('checkout', '-q', '--detach'), 'git.detached', 'git switch'],
    ['a missing list', () => bench.commit({ 'features.json': null }), 'preflight.files', 'features.json is missing'],
  ])('%s', async (_, arrange, reason, words) => {
    arrange();
    const failure = dropped(await prepared());
    expect(failure.reason).toBe(reason);
    expect(failure.message).toContain(words);
  });

  test('changes that may be set aside are given back all the same when another check fails', async () => {
    bench.write({ 'src/old.txt': 'old, mine\n' });
    const place = withSettings((config) => ({
      git: { ...config.git, on_dirty: 'stash' },
      testing: { ...config.testing, sanity: { ...config.testing.sanity, type_check: 'echo wrong type; exit 4' } },
    }));
    const failure = dropped(await prepared({}, place));
    expect(failure.message).toBe(
      'sanity type check: "echo wrong type; exit 4" failed with status 4: wrong type (full output: .harness/logs/output-type-check.txt)',
    );
    expect([bench.read('src/old.txt'), bench.git('stash', 'list')]).toEqual(['old, mine\n', '']);
  });

  test('a test that passed before and fails on the branch now is named; repairing is not kept from it', async () => {
    await prepared();
    await bench.place.live.get(1)!.environment?.stop();
    bench.place.live.clear();
    bench.events.length = 0;
    bench.commit({ 'test.sh': 'exit 1\n' });
    const failure = dropped(await prepared());
    expect(failure).toMatchObject({ reason: 'env.baseline_broken', broken: ['(suite)::suite'] });
    const repairing = await prepare(bench.place, bench.flight({ phase: 'preparing', repairs: 'tests fail' }), bench.brief());
    expect(repairing.type).toBe('prepared');
    expect(bench.told('preflight.check').filter(({ state }) => state === 'warned')).toHaveLength(1);
  });

  test('tests of which the test command tells nothing: nobody is paid where no claim could be accepted', async () => {
    bench.commit({ 'test.sh': 'echo "ava: not found"; exit 127\n', 'test/old.js': 'old\n' });
    const failure = dropped(await prepared());
    expect(failure).toMatchObject({ reason: 'verification.unsound', message: expect.stringContaining('its output: ava: not found') });
    expect(dropped(await prepared())).toMatchObject({ reason: 'verification.unsound' });
    expect(bench.told('preflight.check').at(-1)).toMatchObject({ name: 'baseline tests', state: 'failed' });
  });

  test('tests of which nothing was told once are run again, without another commit', async () => {
    const { commit, tree } = bench.head();
    const known = { session: 0, commit, tree, runner: 'vitest', passing_tests: [], total_passing: 0, total_tests: 0 };
    for (const nothing of [{ nothing: 'vitest is not installed' }, {}]) {
      await writeBaseline(bench.place, { ...known, ...nothing });
      await prepared();
      expect(bench.place.live.get(1)!.baseline).toMatchObject({ total_passing: 1, nothing: null });
    }
  });

  test('files of features that are still open need not run yet', async () => {
    bench.commit({ 'test.sh': 'exit 1\n', 'test/one.test.js': 'not yet\n' });
    expect(await prepared({ unwritten: ['test/one.test.js'] })).toMatchObject({ type: 'prepared' });
  });

  test('an environment that does not come up', async () => {
    const place = withSettings((config) => ({ environment: { ...config.environment, init: 'echo no database; exit 7' } }));
    const failure = dropped(await prepared({}, place));
    expect(failure.message).toContain('no database');
  });

  test('a budget that is used up', async () => {
    const place = withSettings((config) => ({ costs: { ...config.costs, total_project_usd: 1 } }));
    const { documents, config, emit } = place;
    await documents.write(
      'costs',
      recordSession(emptyCosts('1', config.costs), { session: 7, feature: 1, started: '', usage: NO_USAGE, cost_usd: 2 }),
    );
    expect(dropped(await prepared({}, { ...place, books: openBooks({ documents, config, emit }) })).reason).toBe('budget.project');
  });
});

test('a baseline of the same tree is believed, unless nothing is to be', async () => {
  const { commit, tree } = bench.head();
  const known = { session: 0, commit, tree, runner: 'exit-code', passing_tests: ['a', 'b'], total_passing: 2, total_tests: 9 };
  await writeBaseline(bench.place, known);
  await prepared();
  expect(bench.place.live.get(1)!.baseline).toMatchObject(known);
  const event = await prepared({}, { ...bench.place, noCache: true });
  expect(event).toMatchObject({ type: 'dropped', failure: { reason: 'env.baseline_broken', broken: ['a', 'b'] } });
});

test('what passes on a later commit of the branch asks nothing of a lane that began before it, and stays known', async () => {
  const base = bench.head();
  const commit = bench.commit({ 'src/later.txt': 'old\n' });
  const later = { session: 2, commit, tree: bench.head().tree, runner: 'command' as const };
  await writeBaseline(bench.place, { ...later, passing_tests: ['(suite)::suite', 'later'], total_passing: 2, total_tests: 2 });
  expect(await prepared({ head: base })).toMatchObject({ type: 'prepared' });
  expect(bench.place.live.get(1)!.baseline).toMatchObject({ commit: base.commit, passing_tests: ['(suite)::suite'] });
  expect(await readBaseline(bench.place, { writer: false })).toMatchObject({ commit, total_passing: 2 });
  bench.git('reset', '-q', '--hard', base.commit);
  expect(await prepared({ head: base })).toMatchObject({ type: 'dropped', failure: { reason: 'env.baseline_broken', broken: ['later'] } });
});
