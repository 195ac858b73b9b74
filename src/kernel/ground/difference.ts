/** What lies between two trees, for a person: everything, or the lines of some files. Cleaned of control characters. */
import { cleanText } from '../../domain/clean-text.ts';
import { tryGit, git } from '../../platform/git.ts';
import type { Place } from '../place.ts';
import { isTestPath } from '../../verify/checks/protected-paths.ts';

const MOST_FILES = 10;
const MOST_LINES = 25;
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color'];

type Ground = Pick<Place, 'platform' | 'home'>;

/** As `git diff` prints it; null where one of the two is not kept any more. */
export async function patchBetween({ platform, home }: Ground, base: string, tree: string): Promise<string | null> {
  const result = await tryGit(platform, ['diff', ...PLAIN, '--find-renames', '--end-of-options', base, tree], { cwd: home.root });
  return result.code === 0 ? cleanText(result.stdout.toString('utf8')) : null;
}

/** Lines for a person who has to decide about these files; lockfiles last, each file cut short. */
export async function differenceOf(place: Ground, trees: { base: string; candidate: string }, paths: readonly string[]): Promise<string[]> {
  const isLock = (path: string): number => (/lock|shrinkwrap/.test(path) ? 1 : 0);
  const found: string[] = [];
  for (const path of paths.toSorted((a, b) => isLock(a) - isLock(b)).slice(0, MOST_FILES)) {
    const args = [
      'diff-tree',
      '-r',
      '--patch',
      ...PLAIN,
      '--no-renames',
      '--unified=0',
      trees.base,
      trees.candidate,
      '--',
      `:(literal)${path}`,
    ];
    const result = await tryGit(place.platform, args, { cwd: place.home.root });
    const lines = cleanText(result.stdout.toString('utf8'))
      .split('\n')
      .filter((line) => /^[+-]/.test(line) && !/^(?:\+\+\+|---) /.test(line));
    if (result.code !== 0 || lines.length === 0) continue;
    found.push(`${path}:`, ...lines.slice(0, MOST_LINES));
    if (lines.length > MOST_LINES) found.push(`… and ${lines.length - MOST_LINES} more lines`);
  }
  return found;
}

/** What a piece of work changed, as text: bounded, by path. */
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
