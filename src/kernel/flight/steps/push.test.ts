import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import { writeBaseline } from '../memory-files.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { push } from './push.ts';

let bench: FlightBench;
let remote: string;
beforeAll(async () => {
  bench = await openFlightBench();
  remote = join(bench.folder, 'remote.git');
});
beforeEach(async () => {
  await bench.reset();
  rmSync(remote, { recursive: true, force: true });
});
afterAll(() => bench.close());

/** The remote stands where the branch stood before the accepted commit. */
function landed(): Flight {
  bench.git('init', '-q', '--bare', '--template=', '-b', 'main', remote);
  bench.git('remote', 'add', 'origin', remote);
  bench.git('push', '-q', 'origin', 'main');
  return bench.flight({ phase: 'pushing', verdict: 'v1', commit: bench.commit({ 'src/new.txt': 'old and new\n' }, 'Feature #1') });
}

/** Somebody else pushed this first. */
function pushedByOthers(files: Record<string, string>): string {
  const theirs = join(bench.folder, 'theirs');
  rmSync(theirs, { recursive: true, force: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Other', '-c', 'user.email=other@example.com', ...args], { cwd: bench.folder, encoding: 'utf8' });
  git('clone', '-q', remote, theirs);
  for (const [path, text] of Object.entries(files)) bench.write({ [`../theirs/${path}`]: text });
  git('-C', theirs, 'add', '-A');
  git('-C', theirs, 'commit', '-q', '-m', 'By others');
  git('-C', theirs, 'push', '-q', 'origin', 'main');
  return git('-C', theirs, 'rev-parse', 'HEAD').trim();
}

const atRemote = (): string => bench.git('--git-dir', remote, 'rev-parse', 'main');

describe('an accepted commit', () => {
  test('goes to the remote, and again without harm', async () => {
    const flight = landed();
    expect(await push(bench.place, flight)).toEqual({ type: 'pushed', note: '', paused: false });
    expect(atRemote()).toBe(flight.commit);
    expect(await push(bench.place, { ...flight, cut_off: 'pushing' })).toEqual({ type: 'pushed', note: '', paused: false });
  });

  test('stays here with a warning where there is no remote', async () => {
    expect(await push(bench.place, bench.flight({ phase: 'pushing', commit: bench.head().commit }))).toEqual({
      type: 'pushed',
      note: 'git.push is set, but branch main has no remote to go to',
      paused: false,
    });
    expect(bench.told('warning')).toHaveLength(1);
  });

  test('stays here with a warning where the remote cannot be reached, and pauses nothing', async () => {
    const flight = landed();
    rmSync(remote, { recursive: true });
    const event = await push(bench.place, flight);
    expect(event).toMatchObject({ type: 'pushed', paused: false });
    expect((event as { note: string }).note).toMatch(
      /^the push to origin failed: .*; the next accepted commit takes this one along, or push it yourself: git push origin main$/s,
    );
  });
});

describe('a remote that went on', () => {
  test('gets the commit on top of what it has, once everything was run again', async () => {
    const flight = landed();
    const theirs = pushedByOthers({ 'src/theirs.txt': 'theirs\n' });
    const event = (await push(bench.place, flight)) as { type: string; base: string; tree: string; commit: string };
    expect(event).toMatchObject({ type: 'replayed', base: flight.commit });
    expect(bench.git('rev-parse', `${event.commit}^`)).toBe(theirs);
    expect(bench.git('log', '-1', '--format=%s', event.commit)).toBe('Feature #1');
    expect([bench.head().commit, atRemote()]).toEqual([flight.commit, theirs]);
  });

  test('pauses the project where both changed the same places', async () => {
    const flight = landed();
    pushedByOthers({ 'src/new.txt': 'something else\n' });
    const event = await push(bench.place, flight);
    expect(event).toMatchObject({ type: 'pushed', paused: true });
    expect((event as { note: string }).note).toContain('the same places were changed there: src/new.txt');
    expect((event as { note: string }).note).toContain('git pull --rebase');
    expect(bench.head().commit).toBe(flight.commit);
  });

  test('pauses the project where tests fail together that passed here', async () => {
    const flight = landed();
    const { commit, tree } = bench.head();
    await writeBaseline(bench.place, {
      session: 1,
      commit,
      tree,
      runner: 'exit-code',
      passing_tests: ['(suite)::suite'],
      total_passing: 1,
      total_tests: 1,
    });
    pushedByOthers({ 'test.sh': 'exit 1\n' });
    const event = await push(bench.place, flight);
    expect(event).toMatchObject({ type: 'pushed', paused: true });
    expect((event as { note: string }).note).toContain('combined with what is there, tests fail that passed');
  });

  test('is not chased a second time', async () => {
    const flight = landed();
    const theirs = pushedByOthers({ 'src/theirs.txt': 'theirs\n' });
    expect(await push(bench.place, { ...flight, pushes: 1 })).toMatchObject({ type: 'pushed', paused: true });
    expect(atRemote()).toBe(theirs);
  });
});
