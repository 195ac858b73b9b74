import { afterEach, beforeEach, expect, test } from 'vitest';
import { git } from '../../platform/git.ts';
import type { Place } from '../place.ts';
import { createPlaceBench, type PlaceBench } from '../test-support.ts';
import { landedSetUp, SET_UP_SESSION } from './landed-set-up.ts';

let bench: PlaceBench;
beforeEach(() => void (bench = createPlaceBench({ git: true })));
afterEach(() => bench.dispose());

const AN_HOUR = 3_600_000;
const earlier = (): string => new Date(Date.now() - AN_HOUR).toISOString();
const commitAs = (place: Place, message: string): Promise<Buffer> =>
  git(place.platform, ['commit', '-q', '--allow-empty', '-m', message], { cwd: place.root });

test('the commit of a set-up that was cut off afterwards is found', async () => {
  await bench.hold('', async (place) => {
    await commitAs(place, 'Set up the project\n\nHarness-Session: 0');
    const head = (await git(place.platform, ['rev-parse', 'HEAD'], { cwd: place.root })).toString('utf8').trim();
    expect(await landedSetUp(place, { session_id: SET_UP_SESSION, started: earlier() })).toBe(head);
  });
});

test('a commit of before the session, of another session or of a person is not its own', async () => {
  await bench.hold('', async (place) => {
    const found = (session_id: number, started: string) => landedSetUp(place, { session_id, started });
    expect(await found(SET_UP_SESSION, earlier())).toBeNull();
    await commitAs(place, 'Answer\n\nHarness-Session: 10');
    expect(await found(SET_UP_SESSION, earlier())).toBeNull();
    await commitAs(place, 'Set up the project\n\nHarness-Session: 0');
    expect(await found(SET_UP_SESSION, new Date(Date.now() + AN_HOUR).toISOString())).toBeNull();
    expect(await found(3, earlier())).toBeNull();
  });
});
