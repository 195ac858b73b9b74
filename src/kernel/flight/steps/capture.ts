/** The agent's files, taken: after its turn, or after a crash of the harness, when no claim counts. */
import type { Flight } from '../../../domain/session.ts';
import { captureAgentWork } from '../agent-session.ts';
import { reopenCopy } from '../copies.ts';
import { captureHome } from '../in-place.ts';
import type { Brief, FlightPlace } from '../contract.ts';
import type { FlightEvent } from '../machine.ts';

export async function capture(place: FlightPlace, flight: Flight, brief: Brief): Promise<FlightEvent> {
  if (flight.workspace === place.home.root) return { type: 'captured', ...(await captureHome(place, flight, brief)) };
  const copy = place.live.get(flight.session)?.copy ?? (await reopenCopy(place, flight.lane));
  if (copy === null || copy.path !== flight.workspace) return { type: 'nothing.left' };
  const options = flight.cut_off === null ? {} : { afterCrash: true };
  const { tree, findings } = await captureAgentWork(place, copy, { session: flight.session, baseTree: brief.head.tree }, options);
  return { type: 'captured', tree, findings };
}

/** A cleanup that was cut off leaves nothing worth keeping. */
export async function salvage(place: FlightPlace, flight: Flight, brief: Brief): Promise<FlightEvent> {
  return brief.feature === null ? { type: 'nothing.left' } : await capture(place, flight, brief);
}
