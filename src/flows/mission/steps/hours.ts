/** A mission keeps the hours of the user's settings: it waits for them before its first decision, and begins nothing that could not end in time. */
import { hoursObstacle, limitBeyondHours, waitForHours } from '../../../kernel/hours/keep-hours.ts';
import { ended, type MissionPlace, type MissionProgress } from '../contract.ts';
import type { Running } from '../machine/state.ts';

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
