/** The last twenty commits with the session that made them and the files they touched. */
import { tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';

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
