/** Money: what this session spent on top of what feature and project had spent before. Unknown cost is never counted as zero spend allowed. */
import type { Reason } from '../domain/reasons.ts';
import type { Monitor } from './monitor.ts';

export interface BudgetSettings {
  perSession: number | null;
  perFeature: number | null;
  perProject: number | null;
  /** How far the project's cost may go by what a purse over several projects leaves it. */
  perPurse?: number | null;
  featureSpent: number;
  projectSpent: number;
}

export interface BudgetState {
  spent: number;
  warned: boolean;
  stopped: boolean;
}

export function budgetMonitor(settings: BudgetSettings): Monitor<BudgetState> {
  return {
    initial: { spent: 0, warned: false, stopped: false },
    step: (state, input) => {
      if (state.stopped || input.kind !== 'event' || input.event.type !== 'usage' || input.event.cost_usd === null) return [state, []];
      const spent = state.spent + input.event.cost_usd;
      const over = exhausted(settings, spent);
      if (over !== null)
        return [{ spent, warned: true, stopped: true }, [{ kind: 'stop', limit: 'budget', reason: over.reason, message: over.message }]];
      const near = settings.perSession !== null && spent >= settings.perSession * 0.8;
      if (!near || state.warned) return [{ ...state, spent }, []];
      return [
        { spent, warned: true, stopped: false },
        [
          {
            kind: 'inject',
            limit: 'budget',
            text: `[harness] 80% of this session's budget is spent ($${spent.toFixed(2)} of $${settings.perSession?.toFixed(2)}). Finish what is close to done and write down the rest.`,
          },
        ],
      ];
    },
  };
}

/** Which budget `spent` more dollars would exhaust, the narrowest first. Also asked before a session and before each request. */
export function exhausted(settings: BudgetSettings, spent: number): { reason: Reason; message: string } | null {
  const rows: [Reason, number | null, number, string][] = [
    ['budget.session', settings.perSession, spent, 'this session'],
    ['budget.feature', settings.perFeature, settings.featureSpent + spent, 'this feature'],
    ['budget.project', settings.perProject, settings.projectSpent + spent, 'the project'],
  ];
  for (const [reason, limit, total, name] of rows) {
    if (limit !== null && total >= limit)
      return { reason, message: `the budget of ${name} is used up: $${total.toFixed(2)} of $${limit.toFixed(2)}` };
  }
  const { perPurse = null } = settings;
  if (perPurse !== null && settings.projectSpent + spent >= perPurse)
    return { reason: 'budget.purse', message: "the purse of the fleet's account has nothing left for this project" };
  return null;
}
