/** What is made when a project is adopted, so that its first session need not wait for it. */
import { layOutAhead } from '../../workspace/agent-copy.ts';
import { MANY_FILES } from '../../domain/tree.ts';
import type { FlightPlace, Head } from '../flight/contract.ts';
import { prepareRooms } from '../flight/judge-candidate.ts';
import { NEUTRAL_ROOM } from '../../verify/checks/again.ts';
import type { Platform } from '../../platform/platform.ts';
import type { FileToCommit } from '../../workspace/commit-files.ts';
import { knownLock, type MadeLock } from '../../workspace/installs/made-locks.ts';
import { stateFolderOf, headOf } from './install-consent.ts';
import { harnessHome } from '../../config/user-settings.ts';
import { createTreeStore } from '../../workspace/tree-store.ts';

/** The rooms and the agent's copy, for a project of many files. A failure is reported by the session that needs them. */
export async function makeAhead(place: FlightPlace, { commit, branch, tree }: Head): Promise<void> {
  const { platform, home, harnessHome, trees } = place;
  if ((await trees.list(tree)).length >= MANY_FILES) {
    await prepareRooms(place, tree);
    place.rooms.prepareAhead?.(tree, { name: NEUTRAL_ROOM });
    await layOutAhead(platform, { home, harnessHome, store: trees, base: commit, branch, tree }).catch(() => {});
  }
  await place.rooms.dispose();
}

/** The lockfile that was made for a project without one: what `init` says about it, and the file itself for those who want it in the project. */
export async function madeLockLine(platform: Platform, root: string): Promise<string | null> {
  const lock = await lockOfHead(platform, root);
  if (lock === null) return null;
  const from = {
    lockfile: 'your untracked lockfile',
    installed: 'your installed packages',
    'earlier lock': 'an earlier one',
    registry: 'the registry',
  };
  return `No lockfile in git: created ${lock.path} from ${from[lock.from]} on ${lock.made.slice(0, 10)}, kept in .harness/locks (--lock commit adds it to git)`;
}

export async function lockToCommit(platform: Platform, root: string): Promise<FileToCommit[]> {
  const lock = await lockOfHead(platform, root);
  return lock === null ? [] : [{ path: lock.path, content: lock.content }];
}

async function lockOfHead(platform: Platform, root: string): Promise<MadeLock | null> {
  const home = await headOf(platform, root);
  if (home === null) return null;
  const places = { root: home.root, stateDir: await stateFolderOf(platform, root), harnessHome: harnessHome(platform) };
  return await knownLock(platform, { store: createTreeStore(platform, home), tree: home.head, trusted: null, ...places });
}
