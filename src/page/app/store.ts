/**
 * What the page knows, kept up to date.
 *
 * 1. A view is fetched when it is shown, and again when an event says that it may have changed.
 * 2. Events are gathered for a moment and folded at once, so that a hundred a second cost little.
 * 3. A connection that ends is opened again after the last number that was heard.
 */
import { batch, signal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { HarnessEvent } from '../../domain/event.ts';
import { stepOf, type Step } from '../../reading/step.ts';
import type { NowView } from '../../reading/views.ts';
import { foldWatch } from '../../reading/watch.ts';
import { follow, get, report } from './source.ts';

export interface Loaded<T> {
  value: T | null;
  error: string | null;
}

const cache = new Map<string, Signal<Loaded<unknown>>>();
const shown = new Map<string, number>();

export function useView<T>(path: string): Loaded<T> {
  const known = loadedOf(path);
  useEffect(() => {
    shown.set(path, (shown.get(path) ?? 0) + 1);
    void refresh(path);
    return () => void shown.set(path, (shown.get(path) ?? 1) - 1);
  }, [path]);
  return known.value as Loaded<T>;
}

function loadedOf(path: string): Signal<Loaded<unknown>> {
  const known = cache.get(path) ?? signal<Loaded<unknown>>({ value: null, error: null });
  cache.set(path, known);
  return known;
}

const running = new Map<string, Promise<void>>();

export function refresh(path: string): Promise<void> {
  const work =
    running.get(path) ??
    load(path).finally(() => {
      running.delete(path);
    });
  running.set(path, work);
  return work;
}

async function load(path: string): Promise<void> {
  const known = loadedOf(path);
  try {
    const value = await get(path);
    known.value = { value, error: null };
  } catch (error) {
    known.value = { ...known.peek(), error: error instanceof Error ? error.message : String(error) };
  }
}

function refreshShown(matches: (path: string) => boolean): void {
  for (const [path, count] of shown) if (count > 0 && matches(path)) void refresh(path);
}

/** The project that is followed, as its events change it. */
export const now = signal<NowView | null>(null);
export const nowError = signal<string | null>(null);
/** A clock for ages: it ticks while somebody looks. */
export const clock = signal(Date.now());

const GATHER_MS = 250;
const LOOK_MS = 4_000;
const AGAIN_MS = 1_000;
const KEPT_STEPS = 40;

let look: (() => Promise<void>) | null = null;

/** What a person did shows at once. */
export function lookNow(): Promise<void> {
  return look?.() ?? Promise.resolve();
}

/** Until the returned call. */
export function followProject(id: string): () => void {
  const over = new AbortController();
  let waiting: (HarnessEvent & { ts: string; seq: number })[] = [];
  let gathering: ReturnType<typeof setTimeout> | undefined;
  const state = `p/${id}/state`;

  const lookAtState = async (): Promise<void> => {
    try {
      const found = await get<NowView>(state);
      const known = now.peek();
      // Events that came meanwhile are ahead of what was read.
      now.value =
        known !== null && known.id === found.id && known.seq > found.seq
          ? { ...found, watch: known.watch, recent: known.recent, seq: known.seq, last_event_at: known.last_event_at }
          : found;
      nowError.value = null;
      // Questions and processes leave no event in the journal.
      if (known !== null && (known.questions !== found.questions || known.running?.pid !== found.running?.pid))
        refreshShown((path) => path.startsWith(`p/${id}/`) && path !== state);
    } catch (error) {
      nowError.value = error instanceof Error ? error.message : String(error);
    }
  };
  const settle = (): void => {
    gathering = undefined;
    const events = waiting;
    waiting = [];
    const known = now.peek();
    if (known === null || events.length === 0) return;
    const watch = events.reduce((sum, event) => foldWatch(sum, event, Date.parse(event.ts)), known.watch);
    const steps = events.flatMap((event): Step | never[] => stepOf(event) ?? []);
    const last = events.at(-1)!;
    batch(() => {
      now.value = { ...known, watch, recent: [...known.recent, ...steps].slice(-KEPT_STEPS), seq: last.seq, last_event_at: last.ts };
    });
    if (events.some(({ type }) => CHANGING.has(type))) {
      void lookAtState();
      refreshShown((path) => path.startsWith(`p/${id}/`) && path !== state);
    }
  };
  const hear = (line: string): void => {
    waiting.push(JSON.parse(line) as (typeof waiting)[number]);
    gathering ??= setTimeout(settle, GATHER_MS);
  };
  const listen = async (): Promise<void> => {
    while (!over.signal.aborted) {
      if (now.peek()?.id !== id) await lookAtState();
      const known = now.peek();
      if (known !== null)
        await follow(`p/${id}/events?after=${Math.max(known.seq, ...waiting.map(({ seq }) => seq))}`, over.signal, hear).catch(() => {});
      if (over.signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      await lookAtState();
    }
  };
  now.value = null;
  look = lookAtState;
  void (report.peek() === null ? listen() : lookAtState());
  const ticking = setInterval(() => {
    if (document.hidden) return;
    clock.value = Date.now();
  }, 1_000);
  const looking = report.peek() === null ? setInterval(() => void (document.hidden || lookAtState()), LOOK_MS) : undefined;
  return () => {
    look = null;
    over.abort();
    clearTimeout(gathering);
    clearInterval(ticking);
    clearInterval(looking);
  };
}

const CHANGING: ReadonlySet<string> = new Set([
  'session.start',
  'session.end',
  'verify.result',
  'commit.created',
  'gate.asked',
  'gate.answered',
  'escalation',
  'end',
]);
