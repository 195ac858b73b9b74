/** Which marks of which budgets were passed between two states of the books. Pure. */
import type { HarnessEvent } from '../../domain/event.ts';
import { featureCost, type Costs } from '../../store/costs.ts';

type Reached = Extract<HarnessEvent, { type: 'budget.reached' }>;

const MARKS = [80, 100] as const;

/** Only the highest mark that was passed of each budget; a budget of nothing has none. */
export function budgetMarks(before: Costs, after: Costs, session: number, feature: number | null): Reached[] {
  const { per_session_usd, per_feature_usd, total_project_usd } = after.budgets;
  const rows: [Reached['scope'], number, (costs: Costs) => number][] = [
    ['session', per_session_usd, (costs) => sessionCost(costs, session)],
    ['feature', feature === null ? 0 : per_feature_usd, (costs) => (feature === null ? 0 : featureCost(costs, feature))],
    ['project', total_project_usd, (costs) => costs.cumulative.total_cost_usd],
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
