/**
 * What an agent used, as far as it says.
 *
 * 1. The protocol knows how full the window is and, at the end of a turn, sums; agents report both, one or neither.
 * 2. The growth of the window counts as used while a turn runs; without it, a quarter of the bytes that went by. Both are marked as estimates.
 * 3. Sums at the end of a turn are believed: what they say beyond the estimates is added.
 */
import { addUsage, contextTokens, NO_USAGE, type Usage } from '../../domain/money.ts';
import type { AgentEvent } from '../contract.ts';

type Fields = Readonly<Record<string, unknown>>;

export class AcpUsage {
  #reportsWindow = false;
  #window = 0;
  #heard = 0;
  #said = 0;
  #cost = 0;
  #turn: Usage = NO_USAGE;

  get contextTokens(): number {
    return this.#window;
  }

  /** Bytes that the model read or wrote. */
  note(kind: 'read' | 'written', text: string): void {
    if (kind === 'read') this.#heard += Buffer.byteLength(text);
    else this.#said += Buffer.byteLength(text);
  }

  beginTurn(): void {
    this.#turn = NO_USAGE;
  }

  /** `usage_update`: the size of the window's content now. */
  window(update: Fields): AgentEvent[] {
    this.#reportsWindow = true;
    const used = count(update['used']);
    const grown = Math.max(0, used - this.#window);
    this.#window = used;
    const cost = this.#costOf(update['cost']);
    return grown === 0 && cost === null ? [] : [this.#event({ ...NO_USAGE, input_tokens: grown }, cost, true)];
  }

  /** At a tool's result and at the end of a turn. */
  step(): AgentEvent[] {
    const usage = { ...NO_USAGE, input_tokens: Math.ceil(this.#heard / 4), output_tokens: Math.ceil(this.#said / 4) };
    this.#heard = 0;
    this.#said = 0;
    if (this.#reportsWindow || contextTokens(usage) === 0) return [];
    this.#window += contextTokens(usage);
    return [this.#event(usage, null, true)];
  }

  /** The sums of the response that ends a turn, in the protocol's words. */
  sums(reported: unknown): AgentEvent[] {
    if (typeof reported !== 'object' || reported === null) return [];
    const fields = reported as Fields;
    const cached = count(fields['cachedReadTokens']);
    const sums: Usage = {
      input_tokens: count(fields['inputTokens']),
      output_tokens: count(fields['outputTokens']),
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: count(fields['cachedWriteTokens']),
    };
    const known = contextTokens(this.#turn);
    if (contextTokens(sums) <= known) return [];
    const rest: Usage = { ...sums };
    let left = known;
    for (const name of ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'] as const) {
      const taken = Math.min(left, rest[name]);
      rest[name] -= taken;
      left -= taken;
    }
    if (!this.#reportsWindow && known === 0) this.#window = contextTokens(sums);
    return [this.#event(rest, null, known > 0)];
  }

  #event(usage: Usage, cost: number | null, estimated: boolean): AgentEvent {
    this.#turn = addUsage(this.#turn, usage);
    return { type: 'usage', usage, context_tokens: this.#window, cost_usd: cost, estimated };
  }

  /** The protocol tells the session's cost so far. */
  #costOf(cost: unknown): number | null {
    if (typeof cost !== 'object' || cost === null) return null;
    const { amount, currency } = cost as Fields;
    if (typeof amount !== 'number' || currency !== 'USD' || amount < this.#cost) return null;
    const grown = amount - this.#cost;
    this.#cost = amount;
    return grown;
  }
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
