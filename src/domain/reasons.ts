/** Session outcomes, reason codes and exit codes: the words scripts rely on. */

export const OUTCOMES = ['verified', 'rejected', 'needs_human', 'partial', 'escalated', 'complete', 'error'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const REASONS = [
  // claims
  'claim.none',
  'claim.multiple',
  'claim.wrong_feature',
  'claim.no_evidence',
  'features.edited',
  'features.removed',
  'features.added',
  // integrity
  'tamper.tests',
  'tamper.test_config',
  'tamper.harness_state',
  'tamper.history',
  'tamper.hooks',
  'tamper.symlink',
  'tamper.toolchain',
  'write.outside',
  // judgement
  'accepted.failed',
  // tests
  'test.failed',
  'test.none_ran',
  'test.skipped',
  'test.not_red',
  'test.flaky',
  'test.timeout',
  'test.none_new',
  'regression',
  // limits
  'context_limit',
  'timeout',
  'stuck',
  'repeated_error',
  'stalled',
  'usage_limit',
  'budget.session',
  'budget.feature',
  'budget.project',
  'user_pause',
  // environment
  'env.init_failed',
  'env.reset_failed',
  'env.unhealthy',
  'env.baseline_broken',
  'git.dirty',
  'git.detached',
  'git.conflict',
  'api.auth',
  'api.unavailable',
  'agent.failed',
  // added by this implementation; none of the above is merged away
  'manual.confirmation',
  'test.elsewhere',
  'examiner.disagrees',
  'hidden.failed',
  'behaviour.changed',
  'surroundings.new',
  'check.failed',
  'visual.failed',
  'visual.changed',
  'visual.unchecked',
  'dependencies.changed',
  'dependencies.broken',
  'env.dependencies_failed',
  'quality.lint',
  'sanity.failed',
  'verification.disabled',
  'verification.unsound',
  'features.invalid',
  'features.exhausted',
  'plan.rejected',
  'preflight.directory',
  'preflight.files',
  'git.no_commits',
  'git.identity',
  'git.moved',
  'git.hook',
  'gate.pending',
  'interrupted',
  'disk.full',
  'hours.over',
  'secret.in_work',
  'budget.purse',
] as const;
export type Reason = (typeof REASONS)[number];

export const EXIT = {
  done: 0,
  defect: 1,
  usage: 2,
  escalated: 3,
  rejected: 4,
  budget: 5,
  preflight: 6,
  planRejected: 7,
  waiting: 8,
  locked: 9,
  partial: 10,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The most specific code wins; the first reason decides inside an outcome. */
export function exitCodeFor(outcome: Outcome, reasons: readonly Reason[]): ExitCode {
  if (outcome === 'verified' || outcome === 'complete') return EXIT.done;
  if (reasons.includes('interrupted')) return EXIT.interrupted;
  if (reasons.includes('features.invalid')) return EXIT.usage;
  if (outcome === 'escalated' && reasons.includes('features.exhausted')) return EXIT.escalated;
  if (reasons.some((r) => r.startsWith('budget.'))) return EXIT.budget;
  if (reasons.some(isPreflightReason)) return EXIT.preflight;
  if (outcome === 'error' && (reasons.includes('agent.failed') || reasons.includes('verification.unsound'))) return EXIT.preflight;
  if (outcome === 'escalated') return EXIT.escalated;
  if (outcome === 'rejected') return EXIT.rejected;
  if (outcome === 'needs_human') return EXIT.waiting;
  if (outcome === 'partial') return EXIT.partial;
  return EXIT.defect;
}

function isPreflightReason(reason: Reason): boolean {
  return reason.startsWith('env.') || reason.startsWith('preflight.') || PREFLIGHT_REASONS.has(reason);
}

const PREFLIGHT_REASONS: ReadonlySet<Reason> = new Set([
  'git.dirty',
  'git.detached',
  'git.no_commits',
  'git.conflict',
  'git.identity',
  'api.auth',
  'disk.full',
]);
