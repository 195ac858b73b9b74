/** States an invariant: in its phase, a state holds this value. If it does not, that is a defect. */
export function mustHave<State extends { phase: string }, Key extends keyof State & string>(
  state: State,
  key: Key,
): NonNullable<State[Key]> {
  const value = state[key];
  if (value === null || value === undefined) throw new Error(`a state in phase ${state.phase} has no ${key}`);
  return value;
}
