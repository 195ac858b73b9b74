/**
 * A branch name that nobody uses: the wanted one, or the first of `-2`, `-3`, ... that is free.
 *
 * Git keeps no branch `a` beside a branch `a/b`: a name that is the folder of other branches is taken, and a branch that is in the way of
 * the folder is for a person to rename (exit 6).
 */
import { HarnessError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { git, tryGit } from '../../platform/git.ts';
import type { Place } from '../place.ts';

type Ground = Pick<Place, 'platform' | 'home'>;

/** `wanted`: `harness/<name>`. */
export async function freeBranch(desk: Ground, wanted: string): Promise<string> {
  const folder = wanted.slice(0, wanted.indexOf('/'));
  if (await branchExists(desk, folder))
    throw new HarnessError(`A branch named "${folder}" is in the way of ${folder}/<task>.`, {
      exitCode: EXIT.preflight,
      details: [`Rename it (git branch -m ${folder} NAME), then run again.`],
      reasons: ['git.conflict'],
    });
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!(await branchExists(desk, name)) && !(await isFolder(desk, name))) return name;
  }
}

export async function branchExists({ platform, home }: Ground, branch: string): Promise<boolean> {
  const found = await tryGit(platform, ['rev-parse', '-q', '--verify', `refs/heads/${branch}`], { cwd: home.root });
  return found.code === 0;
}

async function isFolder({ platform, home }: Ground, branch: string): Promise<boolean> {
  const below = await git(platform, ['for-each-ref', '--count=1', '--format=x', `refs/heads/${branch}/`], { cwd: home.root });
  return below.length > 0;
}
