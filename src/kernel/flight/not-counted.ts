/** Ends that say nothing about the work: waiting, people, the provider's limits and its outages. Pure. */
import type { Reason } from '../../domain/reasons.ts';

const NOT_COUNTED: ReadonlySet<Reason> = new Set([
  'usage_limit',
  'user_pause',
  'interrupted',
  'budget.session',
  'budget.feature',
  'budget.project',
  'budget.purse',
  'api.auth',
  'api.unavailable',
  'git.moved',
  'git.conflict',
  'disk.full',
  'hours.over',
]);

export function saysNothing(reasons: readonly Reason[]): boolean {
  return reasons.some((reason) => NOT_COUNTED.has(reason));
}
