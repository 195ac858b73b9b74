/** A small part of the corpus that still holds every family, every runner and every check, chosen the same way each time. */
import { FAMILIES } from './behaviour.ts';
import { RUNNERS } from './runners.ts';
import type { Case } from './examine.ts';

/** For each family one case on the cheapest runner and one on another in turn; for each check the first that has to be noticed by it. */
export function representatives(cases: readonly Case[]): Case[] {
  const usable = cases.filter((one) => one.behaviour.kind !== 'limit' && one.behaviour.timeoutMs === undefined);
  const others = RUNNERS.slice(1);
  const wanted = FAMILIES.flatMap((family, index) => {
    const own = usable.filter((one) => one.behaviour.family === family);
    const other = own.filter((one) => one.runner === others[index % others.length]);
    return [own.find((one) => one.runner === RUNNERS[0]), other[other.length >> 1] ?? own.find((one) => one.runner !== RUNNERS[0])];
  });
  const checks = [...new Set(usable.map((one) => one.behaviour.by))].map((check) => usable.find((one) => one.behaviour.by === check));
  return [...new Set([...wanted, ...checks])].filter((one) => one !== undefined);
}
