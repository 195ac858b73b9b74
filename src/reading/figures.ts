/** Numbers as people read them. */

export function dollars(amount: number | null): string {
  return amount === null ? 'cost unknown' : `$${amount.toFixed(2)}`;
}

export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 1) return `${Math.round(ms)} ms`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whole seconds, as the records of sessions keep them. */
export function worked(seconds: number): string {
  return seconds < 1 ? '< 1 s' : duration(seconds * 1_000);
}

/** Day and time on the clocks of this machine. */
export function localTime(instant: number): string {
  const date = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `$1.20`, `$1.20 and 2 sessions of unknown cost`, `cost unknown`. */
export function knownMoney(spent: { cost_usd: number | null; sessions_without_cost: number }): string {
  const unknown = spent.sessions_without_cost;
  if (unknown === 0) return dollars(spent.cost_usd);
  return spent.cost_usd === null || spent.cost_usd === 0
    ? dollars(null)
    : `${dollars(spent.cost_usd)} and ${unknown} ${unknown === 1 ? 'session' : 'sessions'} of unknown cost`;
}
