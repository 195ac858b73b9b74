/** The last twenty commits with the session that made them and the files they touched. */
import { tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';

export async function recentCommits(
  { platform, home }: Pick<Place, 'platform' | 'home'>,
  commit: string,
): Promise<{ session: number | null; files: string[] }[]> {
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
