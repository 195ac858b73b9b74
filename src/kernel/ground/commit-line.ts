/** The commits of a branch's own line after one commit up to another, oldest first; none where the first is no ancestor. */
import { cleanText } from '../../domain/clean-text.ts';
import { tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';

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
