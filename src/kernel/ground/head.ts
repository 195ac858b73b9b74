/** Where the user's branch stands, and whether anything may be taken from it. */
import { gitState, readHead } from '../../workspace/home.ts';
import type { Head } from '../flight/contract.ts';
import type { Place } from '../place.ts';
import { mustHave } from '../../domain/must-have.ts';

type Ground = Pick<Place, 'platform' | 'home' | 'trees'>;

/** Null before the first commit. The branch has no name where HEAD is detached. */
export async function headOf({ platform, home, trees }: Ground): Promise<Head | null> {
  const { branch, head } = await readHead(platform, home);
  return head === null ? null : { commit: head, tree: await trees.of(head), branch: branch ?? '' };
}

/** Where the branch of a project is that has a commit: nothing is built before the first one. */
export async function committedHead(ground: Ground): Promise<Head> {
  return mustHave(await headOf(ground), 'the branch has a commit');
}

/** False while git waits for a person: in the middle of a merge, a rebase or the like, or with conflicts left. */
export async function isSettled({ platform, home }: Pick<Place, 'platform' | 'home'>): Promise<boolean> {
  const { operation, unmerged } = await gitState(platform, home);
  return operation === null && unmerged.length === 0;
}

/** Tracked files with changes that keep a run from starting. */
export async function inTheWay({ platform, home, config }: Pick<Place, 'platform' | 'home' | 'config'>): Promise<string[]> {
  return config.git.on_dirty === 'stash' ? [] : (await gitState(platform, home)).dirty;
}
