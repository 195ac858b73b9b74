/** What a session may cost: its own limit, what is left for its feature, and what is left for the project. */
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import { featureCost, recordedFor } from '../../store/costs.ts';
import type { Place } from '../place.ts';
import { readCosts } from './costs-file.ts';
import { projectCost } from './sums.ts';

type Ground = Pick<Place, 'config' | 'documents'>;

/** The budgets and what is spent of them, the session that has just ended included. */
export interface Spending extends BudgetSettings {
  sessionSpent: number;
}

export async function spendingAfter(
  ground: Ground,
  session: number | null,
  feature: number | null,
  options: { writer: boolean } = { writer: true },
): Promise<Spending> {
  const recorded = session === null ? null : recordedFor(await readCosts(ground, options), session);
  const sessionSpent = recorded?.cost_usd ?? 0;
  return { ...(await featureBudget(ground, feature, options)), sessionSpent };
}

export async function featureBudget(
  ground: Ground,
  feature: number | null,
  options: { writer: boolean } = { writer: true },
): Promise<BudgetSettings> {
  const costs = await readCosts(ground, options);
  const { per_session_usd, per_feature_usd, total_project_usd } = ground.config.costs;
  return {
    perSession: per_session_usd,
    perFeature: feature === null ? null : per_feature_usd,
    perProject: total_project_usd,
    featureSpent: feature === null ? 0 : featureCost(costs, feature),
    projectSpent: projectCost(costs),
  };
}
