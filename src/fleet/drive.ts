/**
 * One drive of one project on this machine: open the place, drive until it rests, tell how it rested.
 *
 * 1. The lock of the clone's own folder is held as well, so that a person's command in it and the fleet do not meet.
 * 2. A drive that is no longer ours rests as an interrupt does, and tells nobody: the next owner goes on from the last state.
 */
import { join } from 'node:path';
import type { Emit } from '../domain/event.ts';
import { EXIT } from '../domain/reasons.ts';
import { projectStatus } from '../flows/project/look/status.ts';
import type { RunReport } from '../flows/project/machine/run-report.ts';
import { asWriter } from '../flows/project/open.ts';
import { openProject } from '../flows/project/project.ts';
import { run } from '../flows/project/run.ts';
import { git } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { findStateDir } from '../reading/state-dir.ts';
import { folderStore } from '../store/folder-store.ts';
import { pgStore, type Pool } from '../store/pg-store.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { openClone } from './clone.ts';
import type { Claim, DriveEnd, DriveOrder } from './engine.ts';
import type { Member } from './member.ts';
import { keepDriver, keepRest } from './projects.ts';
import { REMOTE_ENV } from './remotes.ts';

export interface DriveGround {
  platform: Platform;
  pool: Pool;
  member: Member;
  /** Aborted when this worker is to end. */
  signal: AbortSignal;
  emit(project: string): Emit;
}

const COMMAND = 'harness fleet worker';

export async function driveOrder(ground: DriveGround, order: DriveOrder, claim: Claim): Promise<DriveEnd> {
  const { platform, pool, member } = ground;
  const { project } = order;
  const root = await openClone(platform, order);
  await keepDriver(pool, project, member.id);
  const store = pgStore(pool, project, member);
  const report = await driveIn(ground, order, { root, store });
  await git(platform, ['push', '--quiet', '--atomic', 'origin', `HEAD:refs/heads/${order.branch}`, '+refs/harness/*:refs/harness/*'], {
    cwd: root,
    env: REMOTE_ENV,
  });
  const status = await projectStatus(await openProject(platform, root, { emit: ground.emit(project), journal: false, store }));
  if (!(await claim.owns())) throw new Error('this drive belongs to another worker');
  await keepRest(pool, project, member.id, {
    exit_code: report.exitCode,
    outcome: report.outcome,
    reasons: report.reasons,
    message: report.message,
    waits: status.questions,
    features_total: status.features.total,
    features_verified: status.features.passing,
  });
  const { exitCode, outcome, reasons, message } = report;
  return { exitCode, outcome, reasons, message, ...(exitCode === EXIT.interrupted ? { again: {} } : {}) };
}

async function driveIn(
  { platform, member, signal, emit }: DriveGround,
  { project, wish }: DriveOrder,
  { root, store }: { root: string; store: DocumentStore },
): Promise<RunReport> {
  const folder = folderStore(platform, join(root, await findStateDir(platform, root)));
  const hold = { emit: emit(project), store, signal: AbortSignal.any([signal, member.lost]), command: COMMAND };
  const sessions = wish.sessions ?? Number.POSITIVE_INFINITY;
  return await folder.hold(COMMAND, () =>
    asWriter(platform, root, hold, async (opened, state) => {
      const lanes = sessions > 1 ? (wish.lanes ?? opened.config.lanes.max) : 1;
      return await run(opened, state, { sessions, lanes, cleanup: false, noCache: false });
    }),
  );
}
