/**
 * What the harness knows about models.
 *
 * 1. Prices are dollars per million tokens as published on PRICES_AS_OF; where a price depends on the length of the prompt, the dearer one.
 * 2. A model that is not in the table has an unknown price, never zero.
 * 3. An alias is a name that stays while providers retire what it first stood for; it keeps the window that it was given.
 */
import type { Price } from '../domain/money.ts';

export const PRICES_AS_OF = '2026-10-10';
const DEFAULT_WINDOW = 200_000;
const LARGE_WINDOW = 1_000_000;

interface Model {
  price: Price;
  window: number;
}

/** Id as the provider knows it. */
export function resolveModel(name: string): string {
  return ALIASES[name]?.id ?? name;
}

/** `own` are the settings' `prices`, by the name as configured or by id; they come before the table. */
export function priceFor(name: string, own: Readonly<Record<string, Price>> = {}): Price | null {
  const id = resolveModel(name);
  for (const key of [name, id]) {
    if (Object.hasOwn(own, key)) return own[key] ?? null;
  }
  return modelOf(id)?.price ?? null;
}

/**
 * The least that a request is counted at whatever a project says of its model: the table's price, for a model that is not in it the dearest
 * one there.
 */
export function atLeastListed(name: string, price: Price): Price {
  const listed = modelOf(resolveModel(name))?.price ?? DEAREST;
  const whole = ({ input, output, cache_read, cache_write }: Price): Required<Price> => ({
    input,
    output,
    cache_read: cache_read ?? input * 0.1,
    cache_write: cache_write ?? input * 1.25,
  });
  const [own, least] = [whole(price), whole(listed)];
  return {
    input: Math.max(own.input, least.input),
    output: Math.max(own.output, least.output),
    cache_read: Math.max(own.cache_read, least.cache_read),
    cache_write: Math.max(own.cache_write, least.cache_write),
  };
}

export function windowFor(name: string, configured: number | null = null): number {
  return configured ?? ALIASES[name]?.window ?? modelOf(name)?.window ?? DEFAULT_WINDOW;
}

/** The table, for the reference page. */
export function knownModels(): { name: string; price: Price; window: number }[] {
  return Object.entries(MODELS).flatMap(([name, known]) => (known === undefined ? [] : [{ name, ...known }]));
}

/** Name → id. */
export function modelAliases(): [string, string][] {
  return Object.entries(ALIASES).flatMap(([name, alias]) => (alias === undefined ? [] : [[name, alias.id]]));
}

/** A dated id, or one of a cloud's, is priced like the model it names. */
function modelOf(id: string): Model | null {
  const plain = id.replace(/^(?:[a-z]+\.)?anthropic[./]/, '').replace(/(?:[-@]\d{8})?(?:-v\d+(?::\d+)?)?$/, '');
  return MODELS[id] ?? MODELS[plain] ?? null;
}

function model(input: number, output: number, window: number, cacheRead: number = input * 0.1): Model {
  return { price: { input, output, cache_read: round(cacheRead), cache_write: round(input * 1.25) }, window };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function table<Value>(entries: Record<string, Value>): Readonly<Record<string, Value | undefined>> {
  return Object.assign(Object.create(null) as Record<string, Value>, entries);
}

const ALIASES = table<{ id: string; window: number }>({
  'claude-sonnet-4': { id: 'claude-sonnet-4-6', window: DEFAULT_WINDOW },
  'claude-haiku-3': { id: 'claude-haiku-4-5', window: DEFAULT_WINDOW },
  'claude-haiku': { id: 'claude-haiku-4-5', window: DEFAULT_WINDOW },
  'claude-sonnet': { id: 'claude-sonnet-4-6', window: DEFAULT_WINDOW },
  'claude-opus': { id: 'claude-opus-4-8', window: DEFAULT_WINDOW },
  haiku: { id: 'claude-haiku-4-5', window: DEFAULT_WINDOW },
  sonnet: { id: 'claude-sonnet-4-6', window: DEFAULT_WINDOW },
  opus: { id: 'claude-opus-4-8', window: DEFAULT_WINDOW },
});

const MODELS = table<Model>({
  'claude-fable-5-1': model(10, 50, LARGE_WINDOW, 0.25),
  'claude-fable-5': model(10, 50, LARGE_WINDOW),
  'claude-mythos-5-1': model(10, 50, LARGE_WINDOW, 0.25),
  'claude-mythos-5': model(10, 50, LARGE_WINDOW),
  'claude-opus-5-5': model(4, 20, LARGE_WINDOW, 0.2),
  'claude-opus-5': model(5, 25, LARGE_WINDOW),
  'claude-opus-4-8': model(5, 25, LARGE_WINDOW),
  'claude-opus-4-7': model(5, 25, LARGE_WINDOW),
  'claude-opus-4-6': model(5, 25, LARGE_WINDOW),
  'claude-opus-4-5': model(5, 25, DEFAULT_WINDOW),
  'claude-opus-4-1': model(15, 75, DEFAULT_WINDOW),
  'claude-opus-4': model(15, 75, DEFAULT_WINDOW),
  'claude-sonnet-5-5': model(2, 10, LARGE_WINDOW, 0.1),
  'claude-sonnet-5': model(2, 10, LARGE_WINDOW),
  'claude-sonnet-4-6': model(3, 15, LARGE_WINDOW),
  'claude-sonnet-4-5': model(3, 15, DEFAULT_WINDOW),
  'claude-sonnet-4': model(3, 15, DEFAULT_WINDOW),
  'claude-haiku-5-5': model(0.5, 2.5, LARGE_WINDOW),
  'claude-haiku-4-5': model(1, 5, DEFAULT_WINDOW),
  'claude-3-5-haiku': model(0.8, 4, DEFAULT_WINDOW),
  'claude-3-haiku': model(0.25, 1.25, DEFAULT_WINDOW, 0.03),
});

const DEAREST = knownModels()
  .map(({ price }) => price)
  .reduce((one, other) => (other.output > one.output ? other : one));
