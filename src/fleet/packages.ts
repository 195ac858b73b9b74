/**
 * The packages of the fleet, where they are installed: no part of the program, and loaded only by the commands of the fleet.
 *
 * The engine is pinned exactly: recovery uses a function of it that is not part of its public interface (`engine.ts`).
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Sdk from '@dbos-inc/dbos-sdk';
import type * as Executor from '@dbos-inc/dbos-sdk/internal/dbos-executor';
import type * as Tables from '@dbos-inc/dbos-sdk/internal/system_database';
import type * as Queues from '@dbos-inc/dbos-sdk/internal/wfqueue';
import { findPackage, type InstalledPackage } from '../agents/installed.ts';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { FLEET_FOLDER } from './database.ts';

const ENGINE = '@dbos-inc/dbos-sdk';

/** What `harness doctor --fix fleet` installs. */
export const FLEET_PACKAGES = { [ENGINE]: '5.3.0', pg: '8.23.1' } as const;

export interface FleetPackages {
  sdk: typeof Sdk;
  executor: typeof Executor;
  queues: typeof Queues;
  tables: typeof Tables;
}

export async function findFleetPackages(platform: Platform): Promise<InstalledPackage | null> {
  return await findPackage(platform, FLEET_FOLDER, ENGINE);
}

export async function loadFleetPackages(platform: Platform): Promise<FleetPackages> {
  const found = await findFleetPackages(platform);
  if (found === null) throw missing('The packages of the fleet are not installed.');
  if (found.version !== FLEET_PACKAGES[ENGINE])
    throw missing(`The fleet needs ${ENGINE} ${FLEET_PACKAGES[ENGINE]}; ${found.folder} is version ${found.version}.`);
  const load = createRequire(join(found.folder, 'package.json'));
  return {
    sdk: load(ENGINE) as typeof Sdk,
    executor: load(`${ENGINE}/internal/dbos-executor`) as typeof Executor,
    queues: load(`${ENGINE}/internal/wfqueue`) as typeof Queues,
    tables: load(`${ENGINE}/internal/system_database`) as typeof Tables,
  };
}

function missing(message: string): HarnessError {
  return new HarnessError(message, { exitCode: EXIT.preflight, details: ['Install them: harness doctor --fix fleet'] });
}
