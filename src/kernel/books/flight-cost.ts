/** What a flight has cost. Recording a session again replaces what was recorded for it, so this can be done as often as a step is. */
import { NO_USAGE } from '../../domain/money.ts';
import type { Flight } from '../../domain/session.ts';
import { recordedFor, recordSession, type SessionCost } from '../../store/costs.ts';
import type { Place } from '../place.ts';
import { readCosts, writeCosts } from './costs-file.ts';
import { spentBy, spentIn, type Spent } from './spent.ts';

type Ground = Pick<Place, 'config' | 'documents' | 'history' | 'emit' | 'books'>;
type Flown = Pick<Flight, 'session' | 'feature' | 'started_at' | 'agent'>;

/** For a session whose process died, by what it had reported; null where nothing is known: then it counts as one without a known cost. */
export function recordCutOff(ground: Ground, flight: Flown): Promise<Spent | null> {
  return ground.books.inTurn(() => recordWhatIsKnown(ground, flight));
}

async function recordWhatIsKnown(ground: Ground, flight: Flown): Promise<Spent | null> {
  const costs = await readCosts(ground, { writer: true });
  const known = recordedFor(costs, flight.session);
  const spent = await spentIn(ground, flight.session, flight.started_at);
  if (spent === null && known !== null) return spentBy(known.tokens, known.cost_usd);
  const recorded = recordSession(costs, { ...named(flight), ...(spent ?? { usage: NO_USAGE, cost_usd: null }) });
  if (JSON.stringify(recorded.cumulative) !== JSON.stringify(costs.cumulative)) await writeCosts(ground, recorded);
  return spent;
}

function named({ session, feature, started_at, agent }: Flown): Pick<SessionCost, 'session' | 'feature' | 'started' | 'agent'> {
  return { session, feature, started: started_at, agent };
}
