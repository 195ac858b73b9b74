/**
 * Unfinished work as a commit on the branch (`workspace.wip_on_branch`).
 *
 * 1. Such a commit carries a trailer. It proves nothing: everything is measured against the last commit before it that carries none.
 * 2. The work is kept under its ref all the same; where the branch moved, or files are in the way, that is all.
 * 3. Can be repeated: a session has one such commit.
 */
import { featureKey } from '../../domain/feature-name.ts';
import type { TrailerName } from '../../domain/trailers.ts';
import { git } from '../../platform/git.ts';
import { gitObjects } from '../../platform/git-objects.ts';
import { finishLanding, makeCommit } from '../../workspace/land.ts';
import type { Flight } from '../../domain/session.ts';
import type { Place } from '../place.ts';
import type { FlightPlace } from './contract.ts';
import type { KeptWork } from './keep-work.ts';
import { inTreeTurn } from './in-turn.ts';

const TRAILER: TrailerName = 'Harness-Wip';
const SESSION: TrailerName = 'Harness-Session';
/** So many commits of unfinished work in a row are looked through. */
const MOST = 200;

export async function putWipOnBranch(
  place: FlightPlace,
  flight: Pick<Flight, 'base' | 'branch' | 'session' | 'lane'>,
  kept: KeptWork,
): Promise<void> {
  if (!place.config.workspace.wip_on_branch || flight.lane !== null) return;
  const { platform, home } = place;
  const { base, branch, session } = flight;
  const message = `${kept.message}\n\n${TRAILER}: ${featureKey(kept.feature)}\n${SESSION}: ${session}\n`;
  const [tip] = await commitsFrom(place, `refs/heads/${branch}`, 1);
  if (tip?.session === String(session)) return;
  const commit = await makeCommit(platform, { home, base, tree: kept.tree, message });
  const landed = await inTreeTurn(place, () => finishLanding(platform, { home, branch, base, commit }));
  if (landed.kind === 'landed') place.emit({ type: 'commit.created', session, feature: kept.feature, commit, branch });
  else
    place.emit({
      type: 'warning',
      message: `the unfinished work was not put on branch ${branch}, because ${landed.kind === 'moved' ? 'it moved meanwhile' : 'files of yours are in the way'}; it is kept as ${kept.ref}`,
    });
}

/** The last commit, from this one back, that is no unfinished work. */
export async function lastWholeCommit(place: Pick<Place, 'platform' | 'home'>, commit: string): Promise<string> {
  const known = whole.get(commit);
  if (known !== undefined) return known;
  const isWhole = !(await mayBeWip(place, commit));
  const found = isWhole ? commit : ((await commitsFrom(place, commit, MOST)).find(({ isWip }) => !isWip)?.commit ?? commit);
  whole.set(commit, found);
  return found;
}

/** Git itself decides what is a trailer, where the word stands anywhere in the message. */
async function mayBeWip({ platform, home }: Pick<Place, 'platform' | 'home'>, commit: string): Promise<boolean> {
  const object = await gitObjects(platform, home.gitDir).read(commit);
  return object?.type !== 'commit' || object.content.toString('utf8').toLowerCase().includes(TRAILER.toLowerCase());
}

/** Commits never change. */
const whole = new Map<string, string>();

async function commitsFrom(
  { platform, home }: Pick<Place, 'platform' | 'home'>,
  revision: string,
  most: number,
): Promise<{ commit: string; isWip: boolean; session: string }[]> {
  const format = `%H%x1f%(trailers:key=${TRAILER},valueonly,separator=%x20)%x1f%(trailers:key=${SESSION},valueonly,separator=%x20)`;
  const args = ['log', '-z', '--first-parent', `-${most}`, `--format=${format}`, '--end-of-options', revision];
  const output = (await git(platform, args, { cwd: home.root })).toString('utf8');
  const rows = output.split('\0').filter((line) => line !== '');
  return rows.map((line) => {
    const [commit = '', wip = '', session = ''] = line.split('\u001f');
    return { commit, isWip: wip.trim() !== '', session: wip.trim() === '' ? '' : session.trim() };
  });
}
