/**
 * The money of one session.
 *
 * 1. Totals are what was reported. An estimate only decides whether the next request is sent; it is never booked.
 * 2. The estimate: what the provider still has cached at its cheap price, the rest as new, and as much output as requests brought so far.
 * 3. A cost that is unknown is said once and never counted as zero spent.
 */
import type { AgentEvent } from '../agents/contract.ts';
import { addUsage, costOf, NO_USAGE, type Price, type Usage } from '../domain/money.ts';
import type { Reason } from '../domain/reasons.ts';
import { exhausted, type BudgetSettings } from './budget-monitor.ts';

export interface Totals {
  usage: Usage;
  cost_usd: number | null;
  context_tokens: number;
}

export interface LedgerSettings {
  price: Price | null;
  /** Null: the agent works with a model it chose itself. */
  model: string | null;
  budget: BudgetSettings;
  /** Milliseconds that never run backwards. */
  now(): number;
  warn(message: string): void;
}

export interface Ledger {
  totals(): Totals;
  /** The event with its cost, after it was added to the totals. */
  account(event: AgentEvent): AgentEvent;
  beforeRequest(estimate: { input_tokens: number }): 'go' | 'stop';
  /** The budget for which a request was not sent. */
  refusal(): { reason: Reason; message: string } | null;
  /** At the end of an agent: says so where nothing was reported at all. */
  close(): void;
}

const FIRST_OUTPUT_TOKENS = 500;
/** How long a provider keeps the prefix of a conversation. */
const CACHE_LIFETIME_MS = 5 * 60_000;

export function openLedger(settings: LedgerSettings): Ledger {
  const totals: Totals = { usage: NO_USAGE, cost_usd: null, context_tokens: 0 };
  let requests = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let saidUnknown = false;
  let refusal: { reason: Reason; message: string } | null = null;

  const sayUnknown = (why: string): void => {
    if (!saidUnknown) settings.warn(`the cost of this session is unknown, so cost limits do not apply: ${why}`);
    saidUnknown = true;
  };
  const estimate = (inputTokens: number, price: Price): number => {
    const cached = settings.now() - lastAt < CACHE_LIFETIME_MS ? Math.min(inputTokens, totals.context_tokens) : 0;
    const output = requests === 0 ? FIRST_OUTPUT_TOKENS : totals.usage.output_tokens / requests;
    return costOf(
      { input_tokens: 0, cache_creation_input_tokens: inputTokens - cached, cache_read_input_tokens: cached, output_tokens: output },
      price,
    );
  };

  return {
    totals: () => ({ ...totals }),
    refusal: () => refusal,
    account: (event) => {
      if (event.type !== 'usage') return event;
      const cost = event.cost_usd ?? (settings.price === null ? null : costOf(event.usage, settings.price));
      requests += 1;
      lastAt = settings.now();
      totals.usage = addUsage(totals.usage, event.usage);
      totals.context_tokens = event.context_tokens;
      if (cost === null)
        sayUnknown(
          settings.model === null
            ? 'the agent works with a model it chose itself, and it reported no price (name a model that it serves under models, and what that costs under prices)'
            : `there is no price for model "${settings.model}" (set prices in .harness.yaml), and the agent reported none`,
        );
      else totals.cost_usd = (totals.cost_usd ?? 0) + cost;
      return { ...event, cost_usd: cost };
    },
    beforeRequest: ({ input_tokens }) => {
      const next = settings.price === null ? 0 : estimate(input_tokens, settings.price);
      const spent = totals.cost_usd ?? 0;
      const over = exhausted(settings.budget, spent + next);
      const used = exhausted(settings.budget, spent);
      refusal =
        used ??
        (over === null
          ? null
          : { reason: over.reason, message: `the next request, at about $${next.toFixed(4)}, would go over a budget: ${over.message}` });
      return refusal === null ? 'go' : 'stop';
    },
    close: () => {
      if (requests === 0) sayUnknown('the agent reported no usage');
    },
  };
}
