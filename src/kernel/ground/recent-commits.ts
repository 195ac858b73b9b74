/** The last twenty commits with the session that made them and the files they touched. */
import { tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';
import { cleanText } from '../../domain/clean-text.ts';

export interface RecentCommit {
  session: number | null;
  files: string[];
}

type Ground = Pick<Place, 'platform' | 'home'>;

/** The answer of one commit never changes, and is asked for before it is needed. */
const asked = new WeakMap<Ground['home'], { commit: string; answer: Promise<RecentCommit[]> }>();

export function recentCommits(ground: Ground, commit: string): Promise<RecentCommit[]> {
  const before = asked.get(ground.home);
  if (before?.commit === commit) return before.answer;
  const answer = askGit(ground, commit);
  asked.set(ground.home, { commit, answer });
  answer.catch(() => asked.delete(ground.home));
  return answer;
}

async function askGit({ platform, home }: Ground, commit: string): Promise<RecentCommit[]> {
  const format = '%x01%(trailers:key=Harness-Session,valueonly,separator=%x2C)%x02';
  const result = await tryGit(platform, ['log', '-20', '--name-only', `--format=${format}`, '--end-of-options', commit], {
    cwd: home.root,
  });
  if (result.code !== 0) return [];
  return result.stdout
    .toString('utf8')
    .split('\x01')
    .slice(1)
    .map((block) => {
      const [session = '', files = ''] = block.split('\x02');
      const number = Number.parseInt(session, 10);
      return { session: Number.isNaN(number) ? null : number, files: files.split('\n').filter((line) => line !== '') };
    });
}

/** The commits of a branch's own line after one commit up to another, oldest first; none where the first is no ancestor. */
export interface CommitName {
  commit: string;
  subject: string;
  author: string;
}

export async function commitLine({ platform, home }: Pick<Place, 'platform' | 'home'>, from: string, to: string): Promise<CommitName[]> {
  const known = await tryGit(platform, ['merge-base', '--is-ancestor', from, to], { cwd: home.root });
  if (known.code !== 0) return [];
  const args = ['log', '-z', '--first-parent', '--reverse', '--format=%H%x1f%s%x1f%an', '--end-of-options', `${from}..${to}`];
  const log = await tryGit(platform, args, { cwd: home.root });
  const rows = log.stdout.toString('utf8').split('\0');
  return rows
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', subject = '', author = ''] = line.split('\u001f');
      return { commit, subject: cleanText(subject), author: cleanText(author) };
    });
}
