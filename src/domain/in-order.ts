/** The order of two texts by their characters alone. The rules of a language take Node five milliseconds to load, and dates and ids have none. */
export function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
