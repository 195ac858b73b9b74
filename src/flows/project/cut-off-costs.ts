/**
 * The costs of a session that was cut off.
 * Recording a session again replaces what was recorded for it, so this can be done as often as a crash asks for it.
 */
import type { Flight } from '../../domain/session.ts';
import { recordSession, type Costs } from '../../store/costs.ts';
import { readCosts, writeCosts } from '../../kernel/books/costs-file.ts';
import { spentIn } from '../../kernel/books/spent.ts';
import type { Project } from './project.ts';

/** The session's costs as they stand in the document now; null where nothing is known about them. */
export async function recordCutOff(project: Project, flight: Flight): Promise<Costs['current_session']> {
  const costs = await readCosts(project, { writer: true });
  const known = costs.current_session?.session_id === flight.session ? costs.current_session : null;
  const spent = await spentIn(project, flight.session, flight.started_at);
  if (spent === null) return known;
  const recorded = recordSession(costs, { session: flight.session, feature: flight.feature, started: flight.started_at, ...spent });
  if (JSON.stringify(recorded.cumulative) !== JSON.stringify(costs.cumulative)) await writeCosts(project, recorded);
  return recorded.current_session;
}
