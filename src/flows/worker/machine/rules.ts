/** The rules of a report that ship, in their order; the last one only where test-driven work is enforced. */
export const TDD_RULE = 'tdd-red-evidence-attached';

export const RULES = [
  'dry-violation-none',
  'plans-cc-markers-untouched',
  'all-declared-symbols-called',
  'dod-items-verified-with-evidence',
  'no-existing-test-regression',
  TDD_RULE,
] as const;
export type ShippedRule = (typeof RULES)[number];
