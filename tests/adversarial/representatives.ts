/** A small part of the corpus that still holds every family, every runner and every check, chosen the same way each time. */
import type { Case } from './examine.ts';

/** One case for each family and runner, and one for each check; the cheapest of a family first come first. */
export function representatives(cases: readonly Case[]): Case[] {
  const chosen = new Map<string, Case>();
  const checks = new Set<string>();
  cases.forEach((one, index) => {
    if (one.behaviour.kind === 'limit' || one.behaviour.timeoutMs !== undefined) return;
    const key = `${one.behaviour.family} ${one.runner}`;
    const check = one.behaviour.by ?? 'none';
    const known = [...chosen.values()].some((other) => other.behaviour.id === one.behaviour.id);
    if (chosen.has(key) && checks.has(check)) return;
    if (known && chosen.has(key)) return;
    checks.add(check);
    chosen.set(chosen.has(key) ? `${key} ${index}` : key, one);
  });
  return [...chosen.values()];
}
