/**
 * How long a judgement may take, measured in runs of the suite.
 *
 * 1. An optional check gives up the rest of its instruments after four times the suite, and never before two minutes; the verdict names what was
 *    left out. Its time is its own: what runs beside it or before it takes none of it away.
 * 2. An instrument that has begun ends by itself: what hangs is a result, never a lack of time. Only a check that takes eight times the suite, and
 *    more than ten minutes, is ended, and a person decides.
 * 3. Nobody waits in silence: a line each minute, and one warning after `verification.max_minutes`, name what is waited for. The judgement goes on.
 */
import type { Emit } from '../domain/event.ts';
import type { Clock } from '../platform/platform.ts';

const SUITES = 4;
const LEAST_MS = 120_000;
const MINUTE_MS = 60_000;
const DEFAULT_MINUTES = 15;

const MOST_SUITES = 8;
const LEAST_END_MS = 10 * MINUTE_MS;
/** Of a check that begins when the time is over. */
const LEAST_LEFT_MS = MINUTE_MS;

/** For what was ended to come to rest. */
const PATIENCE_MS = 30_000;

/** How long a check may still take. `since`: when the suite ended. */
export function timeLeft(clock: Clock, { since, suiteMs }: { since: number; suiteMs: number }): number {
  return Math.max(LEAST_LEFT_MS, since + Math.max(LEAST_END_MS, MOST_SUITES * suiteMs) - clock.monotonic());
}

/** null: it was ended, because it took longer than this. */
export async function endedAfter<T>(
  clock: Clock,
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const [ending, over] = [new AbortController(), new AbortController()];
  const begun = work(signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]));
  const late = clock.sleep(ms, over.signal).then(
    () => null,
    () => null,
  );
  try {
    const first = await Promise.race([begun.then((value) => ({ value })), late]);
    if (first !== null) return first.value;
    ending.abort();
    await Promise.race([begun.catch(() => {}), clock.sleep(PATIENCE_MS, over.signal).catch(() => {})]);
    signal?.throwIfAborted();
    return null;
  } finally {
    over.abort();
  }
}

/** The time of one optional check. */
export interface Stopwatch {
  /** Whether nothing more may be begun; what asks is then left out. */
  isUp(instrument: string): boolean;
  leftOut(): string[];
}

/** `suiteMs`: null as long as the suite runs. */
export function startStopwatch(clock: Clock, suiteMs: () => number | null): Stopwatch {
  const begin = clock.monotonic();
  const left = new Set<string>();
  return {
    isUp: (instrument) => {
      const suite = suiteMs();
      const isUp = suite !== null && clock.monotonic() - begin > Math.max(LEAST_MS, SUITES * suite);
      if (isUp) left.add(instrument);
      return isUp;
    },
    leftOut: () => [...left],
  };
}

interface Watched {
  clock: Clock;
  emit: Emit | undefined;
  /** After how many minutes a warning is due. */
  minutes: number | undefined;
  /** Titles of the checks that run now. */
  running: () => readonly string[];
}

/** Returns what ends the watch. */
export function watchTime({ clock, emit, minutes = DEFAULT_MINUTES, running }: Watched): () => void {
  if (emit === undefined) return () => {};
  const ending = new AbortController();
  void tellEveryMinute({ clock, emit, minutes, running }, ending.signal).catch(() => {});
  return () => ending.abort();
}

async function tellEveryMinute(
  { clock, emit, minutes, running }: Watched & { emit: Emit; minutes: number },
  signal: AbortSignal,
): Promise<void> {
  const begin = clock.monotonic();
  let isWarned = false;
  while (!signal.aborted) {
    await clock.sleep(MINUTE_MS, signal);
    if (signal.aborted) return;
    const past = Math.floor((clock.monotonic() - begin) / MINUTE_MS);
    const waited = running().join(', ') || 'the next check';
    const isDue: boolean = past >= minutes && !isWarned;
    if (isDue)
      emit({ type: 'warning', message: `judging takes longer than ${minutes} min (verification.max_minutes); still running: ${waited}` });
    else emit({ type: 'progress', message: `judging for ${past} min; running: ${waited}` });
    isWarned ||= isDue;
  }
}
