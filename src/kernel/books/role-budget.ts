/**
 * The money of role sessions.
 *
 * 1. Calls that run at the same time share what is left of the project's budget: each sees what the others have spent so far.
 * 2. A session is written down before its agent starts, and its cost once, in turn, when it ends.
 */
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session } from '../../session/contract.ts';
import { beginSession, recordSession, type RunningSession } from '../../store/costs.ts';
import type { Place } from '../place.ts';
import { readCosts, writeCosts } from './costs-file.ts';
import { inTurn } from '../flight/in-turn.ts';

export interface RoleBudget {
  settings: BudgetSettings;
  /** From here on the session's money counts for its neighbours, and a crash does not lose it. */
  begin(session: Session, running: RunningSession): Promise<void>;
  /** The session has ended: its cost is written down. */
  record(session: Session, number: number, started: string): Promise<void>;
}

type Ground = Pick<Place, 'platform' | 'stateDir' | 'config'>;

interface Shared {
  recorded: number;
  running: Set<Session>;
}

const sharedBy = new Map<string, Shared>();

export async function openRoleBudget(ground: Ground): Promise<RoleBudget> {
  const { per_session_usd, total_project_usd } = ground.config.costs;
  const shared = sharedBy.get(ground.stateDir) ?? { recorded: 0, running: new Set() };
  sharedBy.set(ground.stateDir, shared);
  await inTurn(keyOf(ground), async () => {
    shared.recorded = (await readCosts(ground, { writer: true })).cumulative.total_cost_usd;
  });
  let own: Session | null = null;
  return {
    settings: {
      perSession: per_session_usd,
      perFeature: null,
      perProject: total_project_usd,
      featureSpent: 0,
      get projectSpent() {
        return [...shared.running].reduce(
          (sum, session) => sum + (session === own ? 0 : (session.totals().cost_usd ?? 0)),
          shared.recorded,
        );
      },
    },
    begin: (session, running) =>
      inTurn(keyOf(ground), async () => {
        await writeCosts(ground, beginSession(await readCosts(ground, { writer: true }), running));
        own = session;
        shared.running.add(session);
      }),
    record: (session, number, started) =>
      inTurn(keyOf(ground), async () => {
        const { usage, cost_usd } = session.totals();
        const costs = recordSession(await readCosts(ground, { writer: true }), {
          session: number,
          feature: null,
          started,
          usage,
          cost_usd,
        });
        await writeCosts(ground, costs);
        shared.recorded = costs.cumulative.total_cost_usd;
        shared.running.delete(session);
      }),
  };
}

function keyOf(ground: Ground): string {
  return `costs ${ground.stateDir}`;
}
