/** What a session of another flow than the project's has made so far: trees over its base, pinned under a ref of the harness's own. */
import { git } from '../../platform/git.ts';
import { pinTree } from '../../workspace/capture.ts';
import { harnessRef } from '../../workspace/refs.ts';
import { workingTree } from '../../workspace/snapshot.ts';
import type { Place } from '../place.ts';
import type { Head } from './contract.ts';

type Ground = Pick<Place, 'platform' | 'home'>;

/** Where a person finds it. */
export function candidateRef(slug: string): string {
  return harnessRef('workflow', slug);
}

/** The commit that pins it. `beside`: it is kept beside the candidate, under this name. */
export function pinCandidate(
  { platform, home }: Ground,
  slug: string,
  pin: { tree: string; base: string; message: string; beside?: string },
): Promise<string> {
  const { tree, base, message, beside } = pin;
  const ref = `${candidateRef(slug)}${beside === undefined ? '' : `-${beside}`}`;
  return pinTree(platform, home, { tree, parent: base, ref, message });
}

export async function dropCandidate({ platform, home }: Ground, slug: string): Promise<void> {
  await git(platform, ['update-ref', '-d', candidateRef(slug)], { cwd: home.root });
}

/** The tree of the files as they lie there; outside of git that of the mirror. */
export async function presentTree({ platform, home, hasGit }: Pick<Place, 'platform' | 'home' | 'hasGit'>, head: Head): Promise<string> {
  return hasGit ? await workingTree(platform, home) : head.tree;
}
