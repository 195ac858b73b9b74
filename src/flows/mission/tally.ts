/** What the roles of this command read from the provider's cache, by role. Pure but for what it counts. */
import type { HarnessEvent } from '../../domain/event.ts';

export interface Tally {
  see(event: HarnessEvent): void;
  lines(): string[];
}

export function openTally(): Tally {
  const roles = new Map<number, string>();
  const sums = new Map<string, { cached: number; input: number }>();
  return {
    see: (event) => {
      if (event.type === 'session.start') roles.set(event.session, event.prompt);
      if (event.type !== 'session.end' || event.usage === undefined) return;
      const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens } = event.usage;
      const role = roles.get(event.session) ?? 'worker';
      const sum = sums.get(role) ?? { cached: 0, input: 0 };
      sums.set(role, {
        cached: sum.cached + cache_read_input_tokens,
        input: sum.input + input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
      });
    },
    lines: () => {
      const rows = [...sums].filter(([, { input }]) => input > 0);
      if (rows.length === 0) return [];
      const total = rows.reduce((sum, [, row]) => ({ cached: sum.cached + row.cached, input: sum.input + row.input }), {
        cached: 0,
        input: 0,
      });
      return [
        `read from the cache: ${percent(total)} of ${total.input} input tokens`,
        ...rows.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([role, row]) => `  ${role}: ${percent(row)}`),
      ];
    },
  };
}

function percent({ cached, input }: { cached: number; input: number }): string {
  return `${((100 * cached) / input).toFixed(1)} %`;
}
