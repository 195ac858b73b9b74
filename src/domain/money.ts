/** Tokens and money. Prices are dollars per million tokens; an unknown price is `null`, never zero. */
import { z } from './zod.ts';

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_creation_input_tokens: number;
}

export const PriceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative().optional(),
  cache_write: z.number().nonnegative().optional(),
});
export type Price = z.infer<typeof PriceSchema>;

export const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

/** As the books and the records count them. */
export interface Tokens {
  input: number;
  output: number;
  cached: number;
}

/** What was written to the cache is input; what was read from it is counted apart. */
export function tokensOf(usage: Usage): Tokens {
  return {
    input: usage.input_tokens + usage.cache_creation_input_tokens,
    output: usage.output_tokens,
    cached: usage.cache_read_input_tokens,
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
  };
}

/** Cost in dollars; `input_tokens` excludes cached tokens, as in the Messages API. */
export function costOf(usage: Usage, price: Price): number {
  const read = price.cache_read ?? price.input * 0.1;
  const write = price.cache_write ?? price.input * 1.25;
  return (
    (usage.input_tokens * price.input +
      usage.output_tokens * price.output +
      usage.cache_read_input_tokens * read +
      usage.cache_creation_input_tokens * write) /
    1_000_000
  );
}

/** All tokens that stood in the request: what fills the context window. */
export function contextTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_read_input_tokens + usage.cache_creation_input_tokens + usage.output_tokens;
}

/** In cents, or finer where cents would hide it. */
export function dollarsShown(dollars: number): string {
  const cents = dollars.toFixed(2);
  return `$${Math.abs(Number(cents) - dollars) < 0.000_05 ? cents : dollars.toFixed(4)}`;
}
