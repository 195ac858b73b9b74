/**
 * Tells people what happens while nobody looks at the terminal.
 *
 * 1. It never holds up a run: what is told is sent beside it, and its end waits for it for a few seconds at most.
 * 2. Each thing is told once, also over several runs: what was told stands in `notified.json` of the project.
 * 3. Never in a storm: what comes within half a minute of the last notification goes out together, as one.
 */
import { z } from '../../domain/zod.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import type { NoticeKind } from '../../domain/notice-kind.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Shelf } from '../../store/shelf.ts';
import { bodyOf } from './body.ts';
import { deliver, type DeliveryGround, type Ways } from './deliver.ts';
import { asOne, noticeOf, type Notice } from './notification.ts';

export interface Notifier {
  see(event: HarnessEvent): void;
  /** Sends what is left, with this as the last of it. */
  end(notice: Notice): Promise<void>;
}

export interface NotifierSettings extends Ways {
  on: readonly NoticeKind[];
}

export interface NotifierGround extends Omit<DeliveryGround, 'signal'> {
  project: string;
  /** Where it is kept what was told already. */
  shelf: Shelf;
  warn(message: string): void;
  /** Where a question is answered on the page; absent: the user's settings name no address. */
  link?(gate: string): string;
}

const GAP_MS = 30_000;
const LAST_WORDS_MS = 10_000;
const MOST_KEPT = 200;
const FILE = 'notified.json';
const ToldSchema = z.looseObject({ told: z.array(z.string()) });

export function createNotifier(ground: NotifierGround, settings: NotifierSettings): Notifier {
  const { platform, shelf } = ground;
  const over = new AbortController();
  const waiting: Notice[] = [];
  let told: Set<string> | null = null;
  let lastAt: number | null = null;
  /** An escalation whose question may follow. */
  let held: Notice | null = null;
  let sending: Promise<void> = Promise.resolve();
  let delivering: Promise<void> = Promise.resolve();
  let complained = false;

  const sendWhatWaits = async (): Promise<void> => {
    told ??= new Set(await readTold(shelf));
    const known = told;
    const fresh = waiting.splice(0).filter(({ kind, key }) => kind === 'end' || !known.has(key));
    if (fresh.length === 0) return;
    lastAt = platform.clock.monotonic();
    const once = fresh.filter(({ kind }) => kind !== 'end');
    for (const { key } of once) known.add(key);
    if (once.length > 0) await writeTold(shelf, [...known]);
    const problems = await deliver(
      { ...ground, signal: over.signal },
      settings,
      bodyOf(fresh, ground.project, isoNow(platform.clock), ground.link),
    );
    if (problems.length === 0 || complained) return;
    complained = true;
    ground.warn(`A notification could not be delivered: ${problems.join('; ')}. Check notify in your own settings.`);
  };
  /** One after the other: whoever waits for the last words also waits for what is on its way. */
  const send = (): Promise<void> => (delivering = delivering.then(sendWhatWaits).catch(() => {}));
  const soon = async (): Promise<void> => {
    const pause = lastAt === null ? 0 : lastAt + GAP_MS - platform.clock.monotonic();
    if (pause > 0) await platform.clock.sleep(pause, over.signal).catch(() => {});
    if (waiting.length > 0 && !over.signal.aborted) await send();
  };
  const put = (notice: Notice): void => {
    if (!settings.on.includes(notice.kind)) return;
    waiting.push(notice);
    if (waiting.length === 1) sending = sending.then(soon).catch(() => {});
  };
  const release = (): void => {
    if (held !== null) put(held);
    held = null;
  };
  return {
    see: (event) => {
      const notice = noticeOf(event);
      if (notice === null) return;
      const both = held === null ? null : asOne(held, notice);
      if (both === null) release();
      held = notice.kind === 'escalation' ? notice : null;
      if (held === null) put(both ?? notice);
    },
    end: async (notice) => {
      release();
      if (settings.on.includes('end')) waiting.push(notice);
      const timer = platform.clock.sleep(LAST_WORDS_MS, over.signal).catch(() => {});
      const sent = waiting.length === 0 ? sending : send();
      await Promise.race([sent, timer]);
      over.abort();
    },
  };
}

async function readTold(shelf: Shelf): Promise<string[]> {
  const text = await shelf.read(FILE).catch(() => null);
  try {
    return text === null ? [] : ToldSchema.parse(JSON.parse(text)).told;
  } catch {
    return [];
  }
}

/** What cannot be written down may be told twice; nothing else hangs on it. */
async function writeTold(shelf: Shelf, keys: readonly string[]): Promise<void> {
  const document = { schema_version: 1, harness_version: HARNESS_VERSION, told: keys.slice(-MOST_KEPT) };
  await shelf.write(FILE, `${JSON.stringify(document, null, 2)}\n`).catch(() => {});
}
