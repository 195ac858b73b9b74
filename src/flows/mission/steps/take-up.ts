/** What a person wrote into queue or contract: checked like a planner's work before it counts. */
import { usageError } from '../../../domain/errors.ts';
import type { MissionState } from '../../../kernel/mission-schema.ts';
import { type MissionPlace, type MissionProgress, ended } from '../contract.ts';
import { readEdits } from '../documents.ts';
import { tryClaims, headTree } from './try-claims.ts';
import { hoursObstacle, limitBeyondHours, waitForHours } from '../../../kernel/hours/keep-hours.ts';
import type { Running } from '../machine/state.ts';

/** Null: nothing was changed. */
export async function takeEdits(place: MissionPlace, mission: MissionState): Promise<MissionProgress | null> {
  const edited = await readEdits(place, mission);
  if (edited === null) return null;
  const known = new Set(mission.claims.map((claim) => JSON.stringify(claim.proof)));
  const { problems, held } = await tryClaims(
    place,
    await headTree(place),
    edited.claims.filter((claim) => !known.has(JSON.stringify(claim.proof))),
  );
  if (problems.length > 0)
    throw usageError(`${place.documents.where('contract')} cannot be used as it was edited.`, ...problems.slice(0, 10));
  for (const id of held)
    place.emit({ type: 'warning', message: `${id} holds already, before anything was built for it: its proof shows nothing` });
  place.emit({ type: 'decision', session: null, text: 'the queue or the contract was edited', by: 'user' });
  return { event: edited };
}

/** A mission keeps the hours of the user's settings: it waits for them before its first decision, and begins nothing that could not end in time. */
const CONTINUE = 'Continue with: harness mission run';

/** Null: what is due may begin. */
export async function keepHours(place: MissionPlace, { mission, run }: Running): Promise<MissionProgress | null> {
  const { flights, stop, stage, wait } = mission;
  if (place.hours === undefined || stop !== null || stage === 'done' || stage === 'rejected') return null;
  const limit = wait?.why === 'usage_limit' ? limitBeyondHours(place, wait.until) : null;
  if (limit !== null && flights.length === 0) return { rest: ended('partial', ['usage_limit'], `${limit} ${CONTINUE}`) };
  const obstacle = await hoursObstacle(place, ({ role, feature_id }) => role === undefined && feature_id !== null);
  if (obstacle === null) return null;
  if (obstacle.kind === 'closed' && obstacle.opens !== null && flights.length === 0 && mission.iteration === run.from) {
    await waitForHours(place, obstacle.opens);
    return null;
  }
  return { event: { type: 'held.up', reason: 'hours.over', message: `${obstacle.message} ${CONTINUE}`, until: null } };
}
