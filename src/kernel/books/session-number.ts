/**
 * Numbers for role sessions: one more than any session of this directory had.
 *
 * 1. The last number given is on the disk before the session starts, so that a crash gives no number twice.
 * 2. It is above the project's sessions, and the project's next session is above it (`lastRoleSession`).
 * 3. Should the counter be lost, costs and the project's state still say how far the numbers went.
 */
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readCosts } from './costs-file.ts';
import type { BooksGround } from './ground.ts';

/** Gives the next one; the caller sees to it that nobody else does so at the same time. */
export async function numberAfter(ground: BooksGround): Promise<number> {
  const known = [await lastRoleSession(ground, { writer: true }), await lastProjectSession(ground), await lastPaidSession(ground)];
  const next = Math.max(...known) + 1;
  await ground.documents.write('role-sessions', { schema_version: 1, harness_version: HARNESS_VERSION, last: next });
  return next;
}

/** 0 when no role was ever called here. */
export async function lastRoleSession(ground: Pick<BooksGround, 'documents'>, options: { writer: boolean }): Promise<number> {
  return (await ground.documents.read('role-sessions', options))?.last ?? 0;
}

/** One that cannot be read is the project's business. */
async function lastProjectSession(ground: BooksGround): Promise<number> {
  const state = await ground.documents.read('last-session', { writer: false }).catch(() => null);
  return state?.last_session ?? 0;
}

async function lastPaidSession(ground: BooksGround): Promise<number> {
  return (await readCosts(ground, { writer: true })).current_session?.session_id ?? 0;
}
