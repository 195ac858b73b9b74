/** Sums of money of which some may be unknown. Apart from prices: the page adds up as well. Pure. */

/** The sum of what is known of several; null: there are some, and nothing is known of any. */
export function sumOfKnown(costs: readonly (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 && costs.length > 0 ? null : roundMoney(known.reduce((sum, cost) => sum + cost, 0));
}

/** Millionths of a dollar, so that adding and taking away ends where it began. */
export function roundMoney(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}
