/** Items that must be there: a wrong position is a defect and ends with an error, never with `undefined`. */

export function itemAt<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no item at ${index} in a list of ${list.length}`);
  return item;
}

export function firstItem<T>(list: ArrayLike<T>): T {
  return itemAt(list, 0);
}

export function lastItem<T>(list: ArrayLike<T>): T {
  return itemAt(list, list.length - 1);
}

/** The item of a list with exactly one. */
export function onlyOne<T>(list: readonly T[]): T | null {
  const [item] = list;
  return list.length !== 1 || item === undefined ? null : item;
}

/** Two lists of equal length, side by side. */
export function zip<A, B>(one: readonly A[], other: readonly B[]): [A, B][] {
  if (one.length !== other.length) throw new RangeError(`a list of ${one.length} beside a list of ${other.length}`);
  return one.map((item, index) => [item, itemAt(other, index)]);
}

/** What a record itself holds under a name, and nothing that every object has. */
export function ownValue<T>(record: Readonly<Record<string, T>>, name: string): T | null {
  return Object.hasOwn(record, name) ? (record[name] ?? null) : null;
}
