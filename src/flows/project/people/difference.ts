/** What a candidate changes of some files, as lines for a person who has to decide about them; lockfiles last, each file cut short. */
import { cleanText } from '../../../domain/clean-text.ts';
import { tryGit } from '../../../platform/git.ts';
import type { Project } from '../project.ts';

const MOST_FILES = 10;
const MOST_LINES = 25;
const OPTIONS = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--unified=0'];

export async function differenceOf(
  project: Pick<Project, 'platform' | 'home'>,
  trees: { base: string; candidate: string },
  paths: readonly string[],
): Promise<string[]> {
  const isLock = (path: string): number => (/lock|shrinkwrap/.test(path) ? 1 : 0);
  const found: string[] = [];
  for (const path of paths.toSorted((a, b) => isLock(a) - isLock(b)).slice(0, MOST_FILES)) {
    const args = ['diff-tree', '-r', '--patch', ...OPTIONS, trees.base, trees.candidate, '--', `:(literal)${path}`];
    const result = await tryGit(project.platform, args, { cwd: project.home.root });
    const lines = cleanText(result.stdout.toString('utf8'))
      .split('\n')
      .filter((line) => /^[+-]/.test(line) && !/^(?:\+\+\+|---) /.test(line));
    if (result.code !== 0 || lines.length === 0) continue;
    found.push(`${path}:`, ...lines.slice(0, MOST_LINES));
    if (lines.length > MOST_LINES) found.push(`… and ${lines.length - MOST_LINES} more lines`);
  }
  return found;
}
