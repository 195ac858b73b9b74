/**
 * What a session that was cut off had spent: added up from the usage events of the journal.
 * Recording a session again replaces what was recorded for it, so this can be done as often as a crash asks for it.
 */
import { join } from 'node:path';
import { addUsage, NO_USAGE, type Usage } from '../../domain/money.ts';
import type { Flight } from '../../domain/session.ts';
import { queryJournal } from '../../journal/query.ts';
import { recordSession, type Costs } from '../../store/costs.ts';
import { readCosts, writeCosts } from '../common/costs-file.ts';
import type { Project } from './project.ts';

/** The session's costs as they stand in the document now; null where nothing is known about them. */
export async function recordCutOff(project: Project, flight: Flight): Promise<Costs['current_session']> {
  const costs = await readCosts(project, { writer: true });
  const known = costs.current_session?.session_id === flight.session ? costs.current_session : null;
  const spent = await spentIn(project, flight);
  if (spent === null) return known;
  const recorded = recordSession(costs, { session: flight.session, feature: flight.feature, started: flight.started_at, ...spent });
  if (JSON.stringify(recorded.cumulative) !== JSON.stringify(costs.cumulative)) await writeCosts(project, recorded);
  return recorded.current_session;
}

async function spentIn(project: Project, flight: Flight): Promise<{ usage: Usage; cost_usd: number | null } | null> {
  const found = await queryJournal(project.platform, join(project.stateDir, 'logs'), `session=${flight.session} type=agent.usage`);
  const events = found.filter((entry) => entry.ts >= flight.started_at);
  if (events.length === 0) return null;
  return events.reduce<{ usage: Usage; cost_usd: number | null }>(
    (sum, entry) => ({
      usage: addUsage(sum.usage, entry['usage'] as Usage),
      cost_usd: typeof entry['cost_usd'] === 'number' ? (sum.cost_usd ?? 0) + entry['cost_usd'] : sum.cost_usd,
    }),
    { usage: NO_USAGE, cost_usd: null },
  );
}
