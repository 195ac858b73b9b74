/**
 * The books of a task: kept at the task, and entered into the project's when a session ends.
 *
 * 1. Numbers come from the project's own counter, so that no two sessions of a repository share one.
 * 2. A session that was cut off is settled in the task's books by whoever takes the task up; entering it twice counts it once.
 * 3. The project's budget counts what its books say when the session begins, and what the session itself spends.
 */
import { recordSession, type SessionCost } from '../../store/costs.ts';
import type { Documents } from '../documents/documents.ts';
import type { Place } from '../place.ts';
import { openBooks, type Account, type Books } from './books.ts';
import { projectCost } from './sums.ts';
import { readCosts, writeCosts } from './costs-file.ts';
import { numberAfter } from './session-number.ts';
import { spentBy } from './spent.ts';

type HoldProject = <Result>(work: (documents: Documents) => Promise<Result>) => Promise<Result>;

export function taskBooks(place: Pick<Place, 'documents' | 'config' | 'emit'>, project: HoldProject): Books {
  const own = openBooks(place);
  const enter = (cost: SessionCost): Promise<void> =>
    project(async (documents) => {
      const ground = { documents, config: place.config };
      await writeCosts(ground, recordSession(await readCosts(ground, { writer: true }), cost));
    });
  return {
    inTurn: own.inTurn,
    nextSession: () => project((documents) => numberAfter({ documents, config: place.config })),
    account: async (feature) => {
      const [account, spent] = [await own.account(feature), await enterMissing(place, project)];
      return {
        budget: {
          ...account.budget,
          get featureSpent() {
            return account.budget.featureSpent;
          },
          get projectSpent() {
            return spent;
          },
        },
        begin: account.begin,
        join: account.join,
        record: async (session, number, started, how) => {
          await account.record(session, number, started, how);
          const { usage, cost_usd } = session.totals();
          await enter({ session: number, feature, started, usage, cost_usd });
        },
      } satisfies Account;
    },
  };
}

/** What the project has spent; sessions of this task that its books do not have yet, because they were cut off, are entered first. */
async function enterMissing(place: Pick<Place, 'documents' | 'config'>, project: HoldProject): Promise<number> {
  const { sessions = [] } = await readCosts(place, { writer: true });
  return await project(async (documents) => {
    const ground = { documents, config: place.config };
    let costs = await readCosts(ground, { writer: true });
    const known = costs;
    for (const { session_id, feature_id, started, tokens, cost_usd } of sessions) {
      const { sessions: entered = [] } = costs;
      if (entered.some((one) => one.session_id === session_id && one.started === started)) continue;
      if (session_id <= oldest(entered)) continue;
      costs = recordSession(costs, { session: session_id, feature: feature_id, started, ...spentBy(tokens, cost_usd) });
    }
    if (costs !== known) await writeCosts(ground, costs);
    return projectCost(costs);
  });
}

/** Numbers below this may have been entered long ago; the document keeps the latest ones only. */
function oldest(entered: readonly { session_id: number }[]): number {
  return entered.length < MOST_KEPT ? 0 : Math.min(...entered.map((one) => one.session_id));
}

const MOST_KEPT = 40;
