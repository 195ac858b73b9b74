/** What people can see of a lane: a branch with its work, a link to its copy, and the files of work that failed. All are for looking; nothing is read from them. */
import { join } from 'node:path';
import { git, tryGit } from '../../platform/git.ts';
import { pinTree } from '../../workspace/capture.ts';
import { resolveRevision } from '../../workspace/home.ts';
import { materialise } from '../../workspace/materialise.ts';
import { harnessRef } from '../../workspace/refs.ts';
import type { Place } from '../place.ts';
import type { Platform } from '../../platform/platform.ts';
import { portBase, PORTS } from './air.ts';

type Ground = Pick<Place, 'platform' | 'home' | 'stateDir' | 'emit'>;

/** `work` null: it has landed, and the branch goes. A branch that somebody has checked out is left alone. */
export async function keepFeatureBranch(
  { platform, home, emit }: Ground,
  feature: string,
  work: { tree: string; base: string; session: number } | null,
): Promise<void> {
  const ref = `refs/heads/harness/${feature}`;
  const listing = await git(platform, ['worktree', 'list', '--porcelain'], { cwd: home.root });
  if (listing.toString('utf8').split('\n').includes(`branch ${ref}`)) {
    emit({ type: 'warning', message: `branch harness/${feature} is checked out and stays as it is` });
    return;
  }
  const tip = await resolveRevision(platform, home, `${ref}^{commit}`);
  if (tip !== null) await saveTheirs({ platform, home, emit }, feature, tip);
  if (work === null) {
    if (tip !== null) await removeBranch({ platform, home, emit }, feature, ref, tip);
    return;
  }
  const message = `${OWN}${work.session} on ${feature}`;
  const commit = await pinTree(platform, home, { tree: work.tree, parent: work.base, ref: null, message });
  const made = await tryGit(platform, ['update-ref', ref, commit, ...(tip === null ? [] : [tip])], { cwd: home.root });
  if (made.code !== 0)
    emit({ type: 'warning', message: `branch harness/${feature} could not be made: ${made.stderr.trim().split('\n')[0] ?? ''}` });
}

/** One that somebody moved in the meantime stays. What is refused is tried once more, then told: the work itself has landed. */
async function removeBranch({ platform, home, emit }: Omit<Ground, 'stateDir'>, feature: string, ref: string, tip: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const gone = await tryGit(platform, ['update-ref', '-d', ref, tip], { cwd: home.root });
    if (gone.code === 0 || (await resolveRevision(platform, home, `${ref}^{commit}`)) !== tip) return;
    if (tries < 2) continue;
    const why = gone.stderr.trim().split('\n')[0] ?? '';
    emit({ type: 'warning', message: `branch harness/${feature} has landed and could not be removed: ${why}` });
    return;
  }
}

const OWN = 'harness: work of session ';

/** What somebody else committed there, and what HEAD does not have, is kept under a name of its own before the branch moves. */
async function saveTheirs({ platform, home, emit }: Omit<Ground, 'stateDir'>, feature: string, tip: string): Promise<void> {
  const subject = (await git(platform, ['log', '-1', '--format=%s', tip], { cwd: home.root })).toString('utf8');
  if (subject.startsWith(OWN)) return;
  if ((await tryGit(platform, ['merge-base', '--is-ancestor', tip, 'HEAD'], { cwd: home.root })).code === 0) return;
  const saved = harnessRef('saved', `${feature}-${tip.slice(0, 12)}`);
  await git(platform, ['update-ref', saved, tip], { cwd: home.root });
  emit({
    type: 'warning',
    message: `branch harness/${feature} had commits of another author: they are kept under ${saved} (git log ${saved})`,
  });
}

/** `.harness/worktrees/<feature>` while a lane is in the air. */
export async function linkLane(
  { platform, stateDir }: Pick<Ground, 'platform' | 'stateDir'>,
  feature: string,
  workspace: string | null,
): Promise<void> {
  const folder = join(stateDir, 'worktrees');
  const path = join(folder, feature);
  await platform.files.remove(path).catch(() => {});
  if (workspace === null) return;
  await platform.files.mkdir(folder);
  await platform.files.symlink(workspace, path).catch(() => {});
}

/** What work that did not pass left, as files: beside the link of a lane, until the feature is tried again or passes. */
export async function keepLane({ platform, stateDir, trees }: Ground & Pick<Place, 'trees'>, feature: string, tree: string): Promise<void> {
  await linkLane({ platform, stateDir }, feature, null);
  await materialise(platform, trees, { path: join(stateDir, 'worktrees', feature), tree, manifest: null });
}

/** Where a person can look at what the agent of a lane has started: the ports of its block that somebody listens on. */
export async function laneAddresses(platform: Pick<Platform, 'processes'>, lane: string | null, root: string): Promise<string[]> {
  const first = portBase(lane, root);
  if (first === null) return [];
  const taken = await platform.processes.listeningPorts();
  return Array.from({ length: PORTS }, (_, at) => first + at)
    .filter((port) => taken.has(port))
    .map((port) => `http://127.0.0.1:${port}/`);
}
