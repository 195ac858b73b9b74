/**
 * A project of the fleet for a person on any machine: a clone to look at, with the documents of the database behind it.
 *
 * 1. Commands work on it as on a checkout. What they read comes from home, from the database and from the shipped journal.
 * 2. No project is held through a view: what would need that is left as a request, and the next drive takes it up.
 */
import { join } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { harnessHome } from '../platform/harness-home.ts';
import type { Platform } from '../platform/platform.ts';
import { findStateDir } from '../reading/state-dir.ts';
import { serveFolder } from '../store/folder-store.ts';
import type { Pool } from '../store/pg-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openClone, refreshClone } from '../workspace/project-clone.ts';
import { fleetStore } from './add.ts';
import { readProject } from './projects.ts';
import { checkName, checkRemote } from './remotes.ts';
import { collectSegments } from './segments.ts';

export interface View {
  root: string;
  stateDir: string;
  store: DocumentStore;
}

export async function openView(platform: Platform, pool: Pool, project: string): Promise<View> {
  const { remote, branch } = await readProject(pool, checkName(project));
  const root = join(harnessHome(platform), 'fleet-views', project);
  await openClone(platform, { folder: root, remote: checkRemote(remote) });
  await refreshClone(platform, { folder: root, remote, branch });
  const stateDir = join(root, await findStateDir(platform, root));
  await collectSegments(platform, { pool, project, folder: join(stateDir, 'logs') });
  const store: DocumentStore = {
    ...fleetStore(pool, project),
    // The journal that was collected is here.
    where: (name) => (name === undefined ? stateDir : join(stateDir, name)),
    hold: async () => {
      throw new HarnessError(`${project} is held by the fleet.`, { exitCode: EXIT.locked, next: 'retry_at' });
    },
  };
  serveFolder(stateDir, store);
  return { root, stateDir, store };
}
