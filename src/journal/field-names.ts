/** Under which names a field of a query is looked for: session records say `session_id` and `feature_id`. */
export function namesOf(field: string): readonly string[] {
  return ALIASES[field] ?? [field];
}

const ALIASES: Readonly<Record<string, readonly string[] | undefined>> = Object.assign(Object.create(null), {
  session: ['session', 'session_id'],
  feature: ['feature', 'feature_id'],
});
