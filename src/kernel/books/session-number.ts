/**
 * Numbers for role sessions: one more than any session of this directory had.
 *
 * 1. The last number given is on the disk before the session starts, so that a crash gives no number twice.
 * 2. It is above the project's sessions, and the project's next session is above it (`lastRoleSession`).
 * 3. Should the counter be lost, costs and the project's state still say how far the numbers went.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import type { Place } from '../place.ts';
import { readCosts } from './costs-file.ts';
import { inTurn } from '../flight/in-turn.ts';

const FILE = 'role_sessions.json';
const STATE_FILE = 'session_state.json';
const CounterSchema = z.object({ schema_version: z.literal(1), harness_version: z.string(), last: z.number().int().nonnegative() });

type Ground = Pick<Place, 'platform' | 'stateDir' | 'config'>;

export function nextSession(ground: Ground): Promise<number> {
  return inTurn(`session-number ${ground.stateDir}`, async () => {
    const known = [await lastRoleSession(ground, { writer: true }), await lastProjectSession(ground), await lastPaidSession(ground)];
    const next = Math.max(...known) + 1;
    await writeDocument(ground.platform, join(ground.stateDir, FILE), {
      schema_version: 1,
      harness_version: HARNESS_VERSION,
      last: next,
    } as z.infer<typeof CounterSchema>);
    return next;
  });
}

/** 0 when no role was ever called here. */
export async function lastRoleSession(ground: Pick<Place, 'platform' | 'stateDir'>, options: { writer: boolean }): Promise<number> {
  const document = await readDocument(ground.platform, join(ground.stateDir, FILE), CounterSchema, { setAside: options.writer });
  return document?.last ?? 0;
}

/** Whatever the state's version; one that cannot be read is the project's business. */
async function lastProjectSession(ground: Ground): Promise<number> {
  const text = await ground.platform.files.readTextIfExists(join(ground.stateDir, STATE_FILE)).catch(() => null);
  return z.looseObject({ last_session: z.number().int() }).safeParse(parsed(text)).data?.last_session ?? 0;
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

async function lastPaidSession(ground: Ground): Promise<number> {
  return (await readCosts(ground, { writer: true })).current_session?.session_id ?? 0;
}
