/** What people did on the branch since a commit: their commits, and what no commit holds. */
import { git, tryGit } from '../../platform/git.ts';
import { gitState } from '../../workspace/home.ts';
import type { Place } from '../place.ts';
import { RECORD_TRAILER } from './record-commit.ts';

type Ground = Pick<Place, 'platform' | 'home'>;

export interface WorkSince {
  /** Newest first; those of the harness that only record something are left out. */
  commits: { commit: string; subject: string }[];
  /** Branch history no longer holds the commit. */
  rewritten: boolean;
  /** Tracked files with changes that no commit holds, and new files: none of it was looked at. */
  uncommitted: string[];
  untracked: string[];
}

export async function workSince(place: Ground, from: string): Promise<WorkSince> {
  const { dirty } = await gitState(place.platform, place.home);
  return { ...(await commitsSince(place, from)), uncommitted: dirty, untracked: await untrackedFiles(place) };
}

async function commitsSince({ platform, home }: Ground, from: string): Promise<Pick<WorkSince, 'commits' | 'rewritten'>> {
  const cwd = home.root;
  const ancestor = await tryGit(platform, ['merge-base', '--is-ancestor', from, 'HEAD'], { cwd });
  const range = ancestor.code === 0 ? [`${from}..HEAD`] : ['-20', 'HEAD'];
  const format = `%H%x01%(trailers:key=${RECORD_TRAILER},valueonly,separator=%x2C)%x01%s`;
  const log = await tryGit(platform, ['log', '-z', `--format=${format}`, ...range, '--'], { cwd });
  const rows = log.stdout
    .toString('utf8')
    .split('\0')
    .filter((row) => row !== '')
    .map((row) => row.split('\x01'));
  return {
    commits: rows.filter(([, record]) => record === '').map(([commit = '', , subject = '']) => ({ commit, subject })),
    rewritten: ancestor.code !== 0,
  };
}

async function untrackedFiles({ platform, home }: Ground): Promise<string[]> {
  const listed = await git(platform, ['ls-files', '-z', '--others', '--exclude-standard', '--directory'], { cwd: home.root });
  return listed
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
}
