/**
 * The end of a flight: nothing of it lives on, what is unfinished is kept, what it cost is in the books, and the user's own changes are back.
 * Can be done again after a crash. The flow makes one event of it.
 */
import { inPhase } from '../../../domain/must-have.ts';
import { NO_USAGE } from '../../../domain/money.ts';
import type { Flight, FlightEnd } from '../../../domain/session.ts';
import { type Spent, spentBy, spentIn } from '../../books/spent.ts';
import type { Brief, FlightPlace } from '../contract.ts';
import { keepWork, type KeptWork } from '../keep-work.ts';
import { takeHomeBack } from '../in-place.ts';
import { giveBackStash, tellCutOff } from '../leftovers.ts';
import { endLive } from '../live.ts';
import { isAcceptedByPerson } from '../machine.ts';
import { modelFor, recordedModel } from '../project-agent.ts';
import { putWipOnBranch } from '../wip-on-branch.ts';
import { recordedFor, recordSession, type SessionCost } from '../../../store/costs.ts';
import type { Place } from '../../place.ts';
import { readCosts, writeCosts } from '../../books/costs-file.ts';

export interface Landed {
  end: FlightEnd;
  kept: KeptWork | null;
  spent: Spent;
  model: string;
  backend: string;
}

export async function settle(place: FlightPlace, flight: Flight, brief: Brief): Promise<Landed> {
  const end = inPhase(flight, 'end');
  const kept = keeps(flight, end) ? await keepWork(place, flight, brief, reasonToKeep(flight, end)) : null;
  const spent = await bookCosts(place, flight);
  await endLive(place, flight.session);
  await takeHomeBack(place, flight.session);
  if (kept !== null && !isAcceptedByPerson(flight)) await putWipOnBranch(place, flight, kept);
  if (flight.cut_off !== null) await giveBackStash(place);
  if (end.kind === 'cut_off')
    tellCutOff(place, flight, kept === null ? 'closed: there was no work to keep' : `its work is kept under ${kept.ref}`);
  else if (flight.cut_off === 'settling') tellCutOff(place, flight, 'its end is recorded');
  return {
    end,
    kept,
    spent,
    model: (brief.model === undefined ? modelFor(place, brief.kind) : recordedModel(place, brief.model)) || (flight.agent?.model ?? ''),
    backend: place.config.agent.backend,
  };
}

/** A refused claim whose session a limit ended is unfinished work where nothing but the tests spoke against it. */
function keeps(flight: Flight, end: FlightEnd): boolean {
  if (isAcceptedByPerson(flight)) return end.kind !== 'verified' && flight.accepted !== null;
  if (end.kind === 'partial' || end.kind === 'cut_off') return true;
  const { stop } = flight;
  if (end.kind !== 'rejected' || stop === null || stop.reason === 'agent.failed') return false;
  return end.reasons.every((code) => code === stop.reason || code.startsWith('test.') || code.startsWith('claim.'));
}

function reasonToKeep(flight: Flight, end: FlightEnd): FlightEnd['reasons'][number] {
  return (end.kind === 'rejected' ? flight.stop?.reason : end.reasons[0]) ?? 'interrupted';
}

async function bookCosts(place: FlightPlace, flight: Flight): Promise<Spent> {
  const conversation = place.live.get(flight.session)?.conversation ?? null;
  if (conversation !== null) {
    await conversation.account.record(conversation.session, flight.session, flight.started_at);
    return conversation.session.totals();
  }
  const booked = isAcceptedByPerson(flight) ? null : await recordCutOff(place, flight);
  return booked ?? { usage: NO_USAGE, cost_usd: null };
}

/** What a flight has cost. Recording a session again replaces what was recorded for it, so this can be done as often as a step is. */
type Ground = Pick<Place, 'config' | 'documents' | 'history' | 'emit' | 'books'>;
type Flown = Pick<Flight, 'session' | 'feature' | 'started_at' | 'agent'>;

/** For a session whose process died, by what it had reported; null where nothing is known: then it counts as one without a known cost. */
function recordCutOff(ground: Ground, flight: Flown): Promise<Spent | null> {
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
