/**
 * `git.push`: accepted commits go to the branch's remote.
 *
 * 1. Where the remote has moved on, the commits are made again on top of it, everything that passed is run again on the result, they land
 *    here, and the push is tried once more. A second refusal, a conflict or a test that fails there pauses the project: a person brings the two
 *    together.
 * 2. A remote that cannot be reached is a warning: the next accepted commit takes this one along.
 */
import { notesOf } from '../keep-work.ts';
import { inPhase } from '../../../domain/must-have.ts';
import type { Flight } from '../../../domain/session.ts';
import { readHead } from '../../../workspace/home.ts';
import { fetchUpstream, pushBranch, unpushed, upstreamOf, type Upstream } from '../../../workspace/push.ts';
import { replay } from '../../../workspace/replay.ts';
import { checkBaselineOnHead } from '../baseline.ts';
import type { FlightPlace } from '../contract.ts';
import type { FlightEvent } from '../machine.ts';

export async function push(place: FlightPlace, flight: Flight): Promise<FlightEvent> {
  const { platform, home } = place;
  const { branch } = flight;
  const to = await upstreamOf(platform, home, branch);
  if (to === null) return warned(place, `git.push is set, but branch ${branch} has no remote to go to`);
  const pushed = await pushBranch(platform, home, branch, to);
  if (pushed.kind === 'failed') return warned(place, unreached(to, branch, pushed.detail));
  if (pushed.kind === 'pushed') {
    place.emit({ type: 'progress', message: `pushed to ${to.remote}` });
    return { type: 'pushed', note: '', paused: false };
  }
  if (flight.pushes > 0) return await refused(place, flight, to, pushed.detail);
  const fetched = await fetchUpstream(platform, home, to);
  if ('failed' in fetched) return warned(place, unreached(to, branch, fetched.failed));
  const made = await bringOnto(place, flight, fetched.commit, to);
  if (typeof made === 'string') return await refused(place, flight, to, made);
  return { type: 'replayed', base: inPhase(flight, 'commit'), tree: made.tree, commit: made.commit };
}

/** The branch on top of what the remote has; a text says why that cannot be. */
async function bringOnto(
  place: FlightPlace,
  flight: Flight,
  theirs: string,
  to: Upstream,
): Promise<{ commit: string; tree: string } | string> {
  const { platform, home } = place;
  place.emit({
    type: 'progress',
    message: `${to.remote} has commits that are not here: the accepted work is brought onto them and run again`,
  });
  const made = await replay(
    platform,
    home,
    { commits: await unpushed(platform, home, flight.branch, theirs), onto: theirs },
    notesOf(place),
  );
  if (made.kind === 'conflict') return `the same places were changed there: ${made.paths.slice(0, 5).join(', ')}`;
  if (made.kind === 'unsupported') return `this git cannot bring the two together (${made.detail})`;
  const { broken } = await checkBaselineOnHead(place, made, flight.session, { noCache: false });
  return broken.length === 0 ? made : `combined with what is there, tests fail that passed before: ${broken.slice(0, 5).join(', ')}`;
}

function unreached(to: Upstream, branch: string, detail: string): string {
  return `the push to ${to.remote} failed: ${detail.trim().replace(/\.$/, '')}; the next accepted commit takes this one along, or push it yourself: git push ${to.remote} ${branch}`;
}

function warned(place: FlightPlace, note: string, paused = false): FlightEvent {
  place.emit({ type: 'warning', message: note });
  return { type: 'pushed', note, paused };
}

async function refused(place: FlightPlace, flight: Flight, to: Upstream, detail: string): Promise<FlightEvent> {
  const { head } = await readHead(place.platform, place.home);
  const note = `the accepted commit ${(head ?? inPhase(flight, 'commit')).slice(0, 10)} is on your branch, but ${to.remote} refused the push (${detail}). The project is paused: bring the branch and its remote together (git pull --rebase, git push), then: harness resume`;
  return warned(place, note, true);
}
