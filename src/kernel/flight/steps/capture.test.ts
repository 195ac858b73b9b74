import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Flight } from '../../../domain/session.ts';
import { prepareWorkspace, type AgentCopy } from '../../../workspace/agent-copy.ts';
import { newLive } from '../live.ts';
import { openFlightBench, type FlightBench } from '../test-support.ts';
import { capture, salvage } from './capture.ts';

let bench: FlightBench;
beforeAll(async () => void (bench = await openFlightBench()));
beforeEach(() => bench.reset());
afterAll(() => bench.close());

/** A copy in which an agent has done this; `lives`: this process still holds it. */
async function worked(files: Record<string, string>, { lives = true, lane = null as string | null } = {}): Promise<[Flight, AgentCopy]> {
  const { home, trees: store, harnessHome } = bench.place;
  const { commit: base, tree } = bench.head();
  const copy = await prepareWorkspace(bench.platform, { home, store, harnessHome, base, tree, ...(lane === null ? {} : { lane }) });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(copy.path, path, '..'), { recursive: true });
    writeFileSync(join(copy.path, path), text);
  }
  if (lives) bench.place.live.set(1, { ...newLive(), copy });
  return [bench.flight({ phase: 'capturing', workspace: copy.path, lane }), copy];
}

describe('the files of an agent', () => {
  test('are a tree under the ref of its session; home is as it was', async () => {
    const [flight] = await worked({ 'src/new.txt': 'new\n', 'src/old.txt': 'old, changed\n' });
    const event = await capture(bench.place, flight, bench.brief());
    expect(event).toEqual({
      type: 'captured',
      findings: [],
      tree: await bench.tree({ 'src/new.txt': 'new\n', 'src/old.txt': 'old, changed\n' }),
    });
    expect(bench.git('rev-parse', 'refs/harness/candidates/1^{tree}')).toBe((event as { tree: string }).tree);
    expect(bench.told('workspace.captured')).toMatchObject([{ files_changed: 2, ref: 'refs/harness/candidates/1' }]);
    expect([bench.git('status', '--porcelain'), bench.read('src/new.txt')]).toEqual(['', null]);
  });

  test('are the same tree when they are taken again', async () => {
    const [flight] = await worked({ 'src/new.txt': 'new\n' });
    const once = await capture(bench.place, flight, bench.brief());
    expect(await capture(bench.place, flight, bench.brief())).toEqual(once);
  });

  test.each([null, 'lane-2'])('are found by the next process, in lane %s', async (lane) => {
    const [flight] = await worked({ 'src/new.txt': 'new\n' }, { lives: false, lane });
    const event = await capture(bench.place, { ...flight, cut_off: 'capturing' }, bench.brief());
    expect(event).toMatchObject({ type: 'captured', tree: await bench.tree({ 'src/new.txt': 'new\n' }) });
  });

  test('with a way out of the project are captured, and the way is told', async () => {
    const [flight, copy] = await worked({});
    symlinkSync('/etc/passwd', join(copy.path, 'src', 'way-out'));
    mkdirSync(join(copy.path, 'inner', '.git'), { recursive: true });
    writeFileSync(join(copy.path, 'inner', '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const event = (await capture(bench.place, flight, bench.brief())) as { findings: Flight['findings'] };
    expect(event.findings.map(({ kind }) => kind).toSorted()).toEqual(['nested_git', 'symlink_outside']);
  });

  test.each<[string, () => Promise<Flight>]>([
    [
      'are gone',
      async () => {
        const [flight, { folder }] = await worked({ 'src/new.txt': 'new\n' }, { lives: false });
        rmSync(folder, { recursive: true });
        return flight;
      },
    ],
    ['lie elsewhere than the flight worked', async () => ({ ...(await worked({}, { lives: false }))[0], workspace: '/elsewhere' })],
    ['were never made', async () => ({ ...(await worked({}, { lives: false }))[0], workspace: null })],
  ])('that %s leave nothing', async (_, arrange) => {
    expect(await capture(bench.place, await arrange(), bench.brief())).toEqual({ type: 'nothing.left' });
    expect(bench.git('for-each-ref', 'refs/harness')).toBe('');
  });
});

describe('after the death of the harness', () => {
  test('the work on a feature is taken', async () => {
    const [flight] = await worked({ 'src/new.txt': 'new\n' }, { lives: false });
    const event = await salvage(bench.place, { ...flight, phase: 'salvaging', cut_off: 'working' }, bench.brief());
    expect(event).toMatchObject({ type: 'captured', tree: await bench.tree({ 'src/new.txt': 'new\n' }) });
  });

  test('a cleanup is not', async () => {
    const [flight] = await worked({ 'src/new.txt': 'new\n' }, { lives: false });
    expect(await salvage(bench.place, { ...flight, phase: 'salvaging', cut_off: 'working' }, bench.brief({ feature: null }))).toEqual({
      type: 'nothing.left',
    });
  });
});
