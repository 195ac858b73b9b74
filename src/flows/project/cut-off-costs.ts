/**
 * The costs of a session that was cut off.
 * Recording a session again replaces what was recorded for it, so this can be done as often as a crash asks for it.
 */
import type { Flight } from '../../domain/session.ts';
import { recordSession } from '../../store/costs.ts';
import { readCosts, writeCosts } from '../../kernel/books/costs-file.ts';
import { spentBy, spentIn, type Spent } from '../../kernel/books/spent.ts';
import type { Project } from './project.ts';

/** What the session has spent; null where nothing is known about it. */
export async function recordCutOff(project: Project, flight: Flight): Promise<Spent | null> {
  const costs = await readCosts(project, { writer: true });
  const known = costs.current_session?.session_id === flight.session ? costs.current_session : null;
  const spent = await spentIn(project, flight.session, flight.started_at);
  if (spent === null) return known === null ? null : spentBy(known.tokens, known.cost_usd);
  const recorded = recordSession(costs, { session: flight.session, feature: flight.feature, started: flight.started_at, ...spent });
  if (JSON.stringify(recorded.cumulative) !== JSON.stringify(costs.cumulative)) await writeCosts(project, recorded);
  return spent;
}
