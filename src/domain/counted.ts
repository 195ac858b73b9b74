/** `1 file`, `2 files`; `several` where an "s" does not make the plural. */
export function counted(number: number, noun: string, several = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : several}`;
}
