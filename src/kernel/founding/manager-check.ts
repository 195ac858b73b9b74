/** Whether the package manager of a project is on this machine, without asking any network. */
import { join } from 'node:path';
import { harnessHome } from '../../config/user-settings.ts';
import type { Platform } from '../../platform/platform.ts';
import { planInstall } from '../../workspace/install-plan.ts';
import { localManager, type LocalManager } from '../../workspace/installs/manager-program.ts';
import { createTreeStore } from '../../workspace/tree-store.ts';
import { headOf } from './install-consent.ts';

/** Null where HEAD has no lockfile of Node's package managers. */
export async function projectManager(platform: Platform, root: string): Promise<LocalManager | null> {
  const home = await headOf(platform, root);
  const plan = home === null ? null : await planInstall(createTreeStore(platform, home), home.head);
  return plan === null ? null : await localManager(platform, plan, join(harnessHome(platform), 'cache', 'managers'));
}
