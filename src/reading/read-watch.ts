/**
 * What runs now, read from the end of the journal.
 *
 * 1. The first look goes back until every session in the air has begun; where that is far back, only its start and its usage are read.
 * 2. A later look folds what is new: a session that has run for hours costs no more than one that has just begun.
 * 3. A journal whose numbers went back, or that went on too far, is looked at as if for the first time.
 */
import type { HarnessEvent } from '../domain/event.ts';
import { queryJournal, tailJournal, tailSpool, type JournalEntry } from '../journal/query.ts';
import type { Platform } from '../platform/platform.ts';
import { stepOf, type Step } from './step.ts';
import { foldWatch, NOTHING, type Watch } from './watch.ts';

export interface Recent {
  watch: Watch;
  recent: Step[];
  seq: number;
  last: string | null;
}

/** `flights`: the sessions in the air; `isHeld`: a process works here. */
export type WatchReader = (folder: string, flights: readonly number[], isHeld: boolean) => Promise<Recent>;

/** Events that are looked at for what runs now, at most. */
const MOST_EVENTS = 4_000;
const RECENT_EVENTS = 120;
const RECENT_STEPS = 40;

export function openWatch(platform: Platform): WatchReader {
  let known: { watch: Watch; seq: number } = { watch: NOTHING, seq: 0 };
  return async (folder, flights, isHeld) => {
    const before = known;
    const hasKnown = (entries: readonly JournalEntry[]): boolean => entries.some((one) => numberOf(one) > 0 && numberOf(one) <= before.seq);
    const hasBegun = (entries: readonly JournalEntry[]): boolean =>
      missingIn(entries, flights).length === 0 && (flights.length > 0 || !isHeld);
    let entries: JournalEntry[] = [];
    for (let count = RECENT_EVENTS; ; count *= 6) {
      entries = await tailJournal(platform, folder, Math.min(count, MOST_EVENTS));
      if (entries.length < count || count >= MOST_EVENTS || hasKnown(entries) || hasBegun(entries)) break;
    }
    const seq = Math.max(0, ...entries.map(numberOf));
    const goesOn = seq >= before.seq && hasKnown(entries);
    const early = goesOn ? [] : await beginnings(platform, folder, missingIn(entries, flights));
    const said = (await Promise.all(flights.map((session) => tailSpool(platform, folder, session, RECENT_STEPS)))).flat();
    const ordered = inOrderOf([...entries, ...[...early, ...said].filter((entry) => numberOf(entry) <= seq)]);
    const watch = ordered
      .filter((event) => !goesOn || event.seq > before.seq)
      .reduce((sum, event) => foldWatch(sum, event, Date.parse(event.ts)), goesOn ? before.watch : NOTHING);
    // Of two looks at once, the later one counts.
    if (known === before || seq >= known.seq) known = { watch, seq };
    const alive = isHeld ? watch : { ...watch, lanes: watch.lanes.filter(({ session }) => flights.includes(session)) };
    const steps = ordered.flatMap((event) => stepOf(event) ?? []);
    return { watch: alive, recent: steps.slice(-RECENT_STEPS), seq, last: ordered.at(-1)?.ts ?? null };
  };
}

function missingIn(entries: readonly JournalEntry[], flights: readonly number[]): number[] {
  const begun = new Set(entries.filter(({ type }) => type === 'session.start').map((entry) => entry['session']));
  return flights.filter((session) => !begun.has(session));
}

/** How these sessions began, and what they have used since. */
async function beginnings(platform: Platform, folder: string, sessions: readonly number[]): Promise<JournalEntry[]> {
  if (sessions.length === 0) return [];
  const starts = (await queryJournal(platform, folder, 'type=session.start')).filter((one) => sessions.includes(Number(one['session'])));
  const used = starts.map(({ ts, ...start }) =>
    queryJournal(platform, folder, `type=agent.usage session=${String(start['session'])}`, { from: ts }),
  );
  return [...starts, ...(await Promise.all(used)).flat()];
}

/** Each number once. */
function inOrderOf(entries: readonly JournalEntry[]): (HarnessEvent & { ts: string; seq: number })[] {
  const all = new Map(entries.map((entry, at) => [numberOf(entry) || -at - 1, entry]));
  const ordered = [...all.values()].toSorted((one, other) => numberOf(one) - numberOf(other) || Date.parse(one.ts) - Date.parse(other.ts));
  return ordered as unknown as (HarnessEvent & { ts: string; seq: number })[];
}

function numberOf(entry: JournalEntry): number {
  return typeof entry['seq'] === 'number' ? entry['seq'] : 0;
}
