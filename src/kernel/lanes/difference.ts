/** What a piece of work changed, as text: bounded, by path. */
import { git } from '../../platform/git.ts';
import { isTestPath } from '../../verify/checks/protected-paths.ts';
import type { Place } from '../place.ts';

const MOST = 60_000;

export async function differenceText({ platform, home }: Pick<Place, 'platform' | 'home'>, from: string, to: string): Promise<string> {
  const output = await git(platform, ['diff-tree', '-r', '-p', '--no-color', '--no-ext-diff', '--no-textconv', '--stat', from, to], {
    cwd: home.root,
  });
  const text = output.toString('utf8');
  return text.length <= MOST ? text : `${text.slice(0, MOST)}\n[…]`;
}

/** Lines added and removed outside of tests: these files, and whatever stands where tests do. */
export async function changedLines(
  { platform, home }: Pick<Place, 'platform' | 'home'>,
  from: string,
  to: string,
  except: readonly string[],
): Promise<number> {
  const output = await git(platform, ['diff-tree', '-r', '--numstat', '--no-ext-diff', '--no-textconv', '-z', from, to], {
    cwd: home.root,
  });
  return output
    .toString('utf8')
    .split('\0')
    .map((row) => row.split('\t'))
    .filter(([, , path]) => path !== undefined && !except.includes(path) && !isTestPath(path))
    .reduce((sum, [added, removed]) => sum + (Number(added) || 0) + (Number(removed) || 0), 0);
}
