/** What a session may cost: its own limit, what is left for its feature, and what is left for the project. */
import type { BudgetSettings } from '../../session/budget-monitor.ts';
import { featureCost } from '../../store/costs.ts';
import type { Place } from '../place.ts';
import { readCosts } from './costs-file.ts';

export async function featureBudget(
  ground: Pick<Place, 'platform' | 'config' | 'documents'>,
  feature: number | null,
): Promise<BudgetSettings> {
  const costs = await readCosts(ground, { writer: true });
  const { per_session_usd, per_feature_usd, total_project_usd } = ground.config.costs;
  return {
    perSession: per_session_usd,
    perFeature: feature === null ? null : per_feature_usd,
    perProject: total_project_usd,
    featureSpent: feature === null ? 0 : featureCost(costs, feature),
    projectSpent: costs.cumulative.total_cost_usd,
  };
}
