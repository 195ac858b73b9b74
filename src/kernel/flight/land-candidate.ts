/**
 * What a session of another flow than the project's has made reaches home: as a commit, or as files.
 *
 * 1. A commit exists, and its id is written down by the flow, before the branch moves by compare and swap; each part can be repeated.
 * 2. Nothing of the user's is overwritten: what stands in the way is named.
 * 3. Tests that land are accepted versions. `passing`: ids of those that passed.
 */
import type { Trailers } from '../../domain/trailers.ts';
import { tryGit } from '../../platform/git.ts';
import { withTrailers } from '../../workspace/commit.ts';
import { finishLanding, makeCommit } from '../../workspace/land.ts';
import { landInFolder, writeIntoFolder } from '../../workspace/land-in-folder.ts';
import type { Place } from '../place.ts';
import { recordAccepted } from './accepted-tests.ts';

type Ground = Pick<Place, 'platform' | 'home'>;

export interface CommitText {
  subject: string;
  trailers: Trailers;
}

/** Nothing is moved yet. */
export function commitCandidate(
  { platform, home }: Ground,
  { base, tree }: { base: string; tree: string },
  { subject, trailers }: CommitText,
): Promise<string> {
  return makeCommit(platform, { home, base, tree, message: withTrailers(subject, trailers) });
}

export type LandedCandidate = { kind: 'landed' } | { kind: 'moved' } | { kind: 'conflict'; paths: string };

export async function landCandidate(
  place: Ground & Pick<Place, 'emit' | 'trees' | 'config' | 'shelf'>,
  { session = 0, passing, ...landing }: { branch: string; base: string; commit: string; session?: number; passing: readonly string[] },
): Promise<LandedCandidate> {
  const landed = await finishLanding(place.platform, { home: place.home, ...landing });
  if (landed.kind === 'moved') return { kind: 'moved' };
  if (landed.kind === 'conflict') return { kind: 'conflict', paths: landed.paths.join(', ') || landed.detail };
  const { base, commit } = landing;
  const tree = (await place.trees.resolve(commit)) ?? commit;
  await recordAccepted(place, { session, feature: null, base, tree, passing, isExact: false, releases: [] });
  place.emit({ type: 'commit.created', session: 0, feature: null, commit: landing.commit, branch: landing.branch });
  return { kind: 'landed' };
}

/** Without a commit: files of the working tree, or of the folder outside of git. */
export async function landAsFiles(
  { platform, home, root, hasGit }: Place,
  { base, tree }: { base: string; tree: string },
): Promise<{ kind: 'written'; files: number } | { kind: 'conflict'; paths: string }> {
  const written = await (hasGit ? writeIntoFolder : landInFolder)(platform, { home, root, base, tree });
  if (written.kind === 'conflict') return { kind: 'conflict', paths: written.paths.join(', ') };
  return { kind: 'written', files: written.changed.length };
}

/** Whether git would not take a file of this path into a commit. */
export async function isIgnored({ platform, home }: Ground, path: string): Promise<boolean> {
  return (await tryGit(platform, ['check-ignore', '-q', '--', path], { cwd: home.root })).code === 0;
}
