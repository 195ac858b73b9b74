/** Invariants in words: what does not hold is a defect and ends with an error that says which. */

/** A value that is always there here, for the reason that `invariant` gives. */
export function mustHave<Value>(value: Value, invariant: string): NonNullable<Value> {
  if (value === null || value === undefined) throw new Error(`does not hold: ${invariant}`);
  return value;
}

/** In its phase, a state holds this value. */
export function inPhase<State extends { phase: string }, Key extends keyof State & string>(
  state: State,
  key: Key,
): NonNullable<State[Key]> {
  return mustHave(state[key], `a state in phase ${state.phase} has its ${key}`);
}
