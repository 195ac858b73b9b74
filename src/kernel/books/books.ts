/**
 * The books of a place: session numbers, and the money of every session.
 *
 * 1. Sessions that run at the same time share what is left of their feature's and the project's budget: each sees, before each of its requests,
 *    what the others have spent so far.
 * 2. A session is written down before its agent starts, and its cost once, in turn, when it ends.
 * 3. Changes of the document follow each other; none is lost to another.
 * 4. What a session reported is on the disk before its cost is written down, so that after a power cut both say the same.
 */
import type { AgentUse } from '../../domain/session.ts';
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import type { Session } from '../../session/contract.ts';
import { beginSession, featureCost, recordSession, type Costs, type RunningSession } from '../../store/costs.ts';
import { inTurns } from '../flight/in-turn.ts';
import { readCosts, writeCosts } from './costs-file.ts';
import type { BooksGround } from './ground.ts';
import { projectCost } from './sums.ts';
import { numberAfter } from './session-number.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface Books {
  /** One more than any session of this place had; on the disk before it is given. */
  nextSession(): Promise<number>;
  /** The money of one session. */
  account(feature: number | null, agent?: AgentUse): Promise<Account>;
  /** A change of the books from outside, between two others. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
}

export interface Account {
  /** Its limits, and what others have spent, as it stands at each look. */
  budget: BudgetSettings;
  /** From here on the session's money counts for its neighbours, and a crash does not lose it. */
  begin(session: Session, running: RunningSession): Promise<void>;
  /** The same for a session whose crash its own flight knows of. */
  join(session: Session): void;
  /** Its cost is written down; `more`: so far, for it goes on. */
  record(session: Session, number: number, started: string, how?: 'more'): Promise<void>;
}

export function openBooks(ground: BooksGround): Books {
  const inTurn = inTurns();
  const running = new Map<Session, { feature: number | null; recorded: number }>();
  let costs: Costs | null = null;
  const known = (): Costs => mustHave(costs, 'the costs are read before an account is opened');
  const change = async (next: (before: Costs) => Costs): Promise<void> => {
    costs = next(await readCosts(ground, { writer: true }));
    await writeCosts(ground, costs);
  };
  const account = (feature: number | null, agent: AgentUse | undefined): Account => {
    let own: Session | null = null;
    /** What the books do not know yet of others, without what they know of this one. */
    const spentBeside = (counts: (other: number | null) => boolean): number =>
      [...running].reduce((sum, [session, one]) => {
        if (!counts(one.feature)) return sum;
        return sum + (session === own ? 0 : (session.totals().cost_usd ?? 0)) - one.recorded;
      }, 0);
    const join = (session: Session): void => {
      own = session;
      running.set(session, { feature, recorded: 0 });
    };
    return {
      budget: budgetOf(ground, feature, {
        feature: () => (feature === null ? 0 : featureCost(known(), feature) + spentBeside((other) => other === feature)),
        project: () => projectCost(known()) + spentBeside(() => true),
      }),
      begin: (session, started) =>
        inTurn(async () => {
          await change((before) => beginSession(before, started));
          join(session);
        }),
      join,
      record: (session, number, started, how) =>
        inTurn(async () => {
          const { usage, cost_usd } = session.totals();
          await ground.journal?.flush();
          const before = await readCosts(ground, { writer: true });
          await change(() => recordSession(before, { session: number, feature, started, usage, cost_usd, agent }));
          if (how === 'more') running.set(session, { feature, recorded: cost_usd ?? 0 });
          else running.delete(session);
          for (const mark of budgetMarks(before, known(), number, feature)) ground.emit?.(mark);
        }),
    };
  };
  return {
    inTurn,
    nextSession: () => inTurn(() => numberAfter(ground)),
    account: (feature, agent) =>
      inTurn(async () => {
        costs = await readCosts(ground, { writer: true });
        return account(feature, agent);
      }),
  };
}

/** What may be spent, and what is spent as it is asked for. */
function budgetOf(
  { config: { costs } }: BooksGround,
  feature: number | null,
  spent: { feature(): number; project(): number },
): Account['budget'] {
  return {
    perSession: costs.per_session_usd,
    perFeature: feature === null ? null : costs.per_feature_usd,
    perProject: costs.total_project_usd,
    get featureSpent() {
      return spent.feature();
    },
    get projectSpent() {
      return spent.project();
    },
  };
}

type Reached = Extract<HarnessEvent, { type: 'budget.reached' }>;

const MARKS = [80, 100] as const;

/** Only the highest mark that was passed of each budget; a budget of nothing has none. */
export function budgetMarks(before: Costs, after: Costs, session: number, feature: number | null): Reached[] {
  const { per_session_usd, per_feature_usd, total_project_usd } = after.budgets;
  const rows: [Reached['scope'], number, (costs: Costs) => number][] = [
    ['session', per_session_usd, (costs) => sessionCost(costs, session)],
    ['feature', feature === null ? 0 : per_feature_usd, (costs) => (feature === null ? 0 : featureCost(costs, feature))],
    ['project', total_project_usd, projectCost],
  ];
  return rows.flatMap(([scope, budget_usd, spentIn]) => {
    const [was, spent_usd] = [spentIn(before), spentIn(after)];
    const percent = MARKS.findLast((mark) => budget_usd > 0 && was < (budget_usd * mark) / 100 && spent_usd >= (budget_usd * mark) / 100);
    return percent === undefined ? [] : [{ type: 'budget.reached', scope, percent, spent_usd, budget_usd, session, feature }];
  });
}

function sessionCost({ sessions, current_session }: Costs, session: number): number {
  const known = sessions?.findLast((entry) => entry.session_id === session) ?? current_session;
  return known?.session_id === session ? (known.cost_usd ?? 0) : 0;
}
