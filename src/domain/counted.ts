/** `1 file`, `2 files`; `several` where an "s" does not make the plural. */
export function counted(number: number, noun: string, several = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : several}`;
}

/** `3 of 4 tests pass`; a count of nothing says nothing. */
export function testsPassing(passing: number, total: number): string {
  return total === 0 ? 'no tests' : `${passing} of ${total} tests pass`;
}

/** The first five names and the number of the rest. */
export function firstOf(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}
