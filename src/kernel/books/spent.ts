/** What a session had spent when it was cut off: added up from the usage events of the journal. */
import { addUsage, NO_USAGE, type Tokens, type Usage } from '../../domain/money.ts';
import type { Place } from '../place.ts';

export interface Spent {
  usage: Usage;
  cost_usd: number | null;
}

/** What the books say about a session, as usage: what was written to the cache is in the input there. */
export function spentBy({ input, output, cached }: Tokens, cost_usd: number | null): Spent {
  return { usage: { ...NO_USAGE, input_tokens: input, output_tokens: output, cache_read_input_tokens: cached }, cost_usd };
}

/** Null where the session reported nothing. `started`: when it began; older sessions of the same number do not count. */
export async function spentIn(ground: Pick<Place, 'history'>, session: number, started: string): Promise<Spent | null> {
  const found = await ground.history.events(`session=${session} type=agent.usage`);
  const events = found.filter((entry) => entry.ts >= started);
  if (events.length === 0) return null;
  return events.reduce<Spent>(
    (sum, entry) => ({
      usage: addUsage(sum.usage, entry['usage'] as Usage),
      cost_usd: typeof entry['cost_usd'] === 'number' ? (sum.cost_usd ?? 0) + entry['cost_usd'] : sum.cost_usd,
    }),
    { usage: NO_USAGE, cost_usd: null },
  );
}
