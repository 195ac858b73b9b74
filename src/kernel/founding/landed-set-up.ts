/** The commit of a set-up whose session was cut off after it had been made: then the session did what it was for. */
import { tryGit } from '../../platform/git.ts';
import type { RunningSession } from '../../store/costs.ts';
import { finishPendingCommit } from '../flight/leftovers.ts';
import type { Place } from '../place.ts';

export const SET_UP_SESSION = 0;

export async function landedSetUp(place: Place, running: Pick<RunningSession, 'session_id' | 'started'>): Promise<string | null> {
  if (running.session_id !== SET_UP_SESSION) return null;
  await finishPendingCommit(place);
  const newest = await newestCommit(place);
  return newest !== null && newest.session === String(SET_UP_SESSION) && newest.seconds >= wholeSeconds(running.started)
    ? newest.commit
    : null;
}

async function newestCommit({ platform, root }: Place): Promise<{ commit: string; seconds: number; session: string } | null> {
  const format = '--format=%H %ct %(trailers:key=Harness-Session,valueonly,separator=%x2C)';
  const { code, stdout } = await tryGit(platform, ['log', '-1', format, '--'], { cwd: root });
  const [commit, seconds, session = ''] = stdout.toString('utf8').trim().split(' ');
  return code === 0 && commit !== undefined && commit !== '' ? { commit, seconds: Number(seconds), session } : null;
}

/** Git keeps whole seconds. */
function wholeSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
