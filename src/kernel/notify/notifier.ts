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

class OneNotifier implements Notifier {
  readonly #ground: NotifierGround;
  readonly #settings: NotifierSettings;
  readonly #over = new AbortController();
  readonly #waiting: Notice[] = [];
  #told: Set<string> | null = null;
  #lastAt: number | null = null;
  /** An escalation whose question may follow. */
  #held: Notice | null = null;
  #sending: Promise<void> = Promise.resolve();
  #delivering: Promise<void> = Promise.resolve();
  #complained = false;

  constructor(ground: NotifierGround, settings: NotifierSettings) {
    this.#ground = ground;
    this.#settings = settings;
  }

  readonly see: Notifier['see'] = (event) => {
    const notice = noticeOf(event);
    if (notice === null) return;
    const both = this.#held === null ? null : asOne(this.#held, notice);
    if (both === null) this.#release();
    this.#held = notice.kind === 'escalation' ? notice : null;
    if (this.#held === null) this.#put(both ?? notice);
  };

  readonly end: Notifier['end'] = async (notice) => {
    this.#release();
    if (this.#settings.on.includes('end')) this.#waiting.push(notice);
    const timer = this.#ground.platform.clock.sleep(LAST_WORDS_MS, this.#over.signal).catch(() => {});
    const sent = this.#waiting.length === 0 ? this.#sending : this.#send();
    await Promise.race([sent, timer]);
    this.#over.abort();
  };

  #release(): void {
    if (this.#held !== null) this.#put(this.#held);
    this.#held = null;
  }

  #put(notice: Notice): void {
    if (!this.#settings.on.includes(notice.kind)) return;
    this.#waiting.push(notice);
    if (this.#waiting.length === 1) this.#sending = this.#sending.then(() => this.#soon()).catch(() => {});
  }

  async #soon(): Promise<void> {
    const { clock } = this.#ground.platform;
    const pause = this.#lastAt === null ? 0 : this.#lastAt + GAP_MS - clock.monotonic();
    if (pause > 0) await clock.sleep(pause, this.#over.signal).catch(() => {});
    if (this.#waiting.length > 0 && !this.#over.signal.aborted) await this.#send();
  }

  /** One after the other: the last words wait for what is on its way. */
  #send(): Promise<void> {
    this.#delivering = this.#delivering.then(() => this.#sendWhatWaits()).catch(() => {});
    return this.#delivering;
  }

  async #sendWhatWaits(): Promise<void> {
    const { platform, shelf, project, link, warn } = this.#ground;
    this.#told ??= new Set(await readTold(shelf));
    const known = this.#told;
    const fresh = this.#waiting.splice(0).filter(({ kind, key }) => kind === 'end' || !known.has(key));
    if (fresh.length === 0) return;
    this.#lastAt = platform.clock.monotonic();
    const once = fresh.filter(({ kind }) => kind !== 'end');
    for (const { key } of once) known.add(key);
    if (once.length > 0) await writeTold(shelf, [...known]);
    const body = bodyOf(fresh, project, isoNow(platform.clock), link);
    const problems = await deliver({ ...this.#ground, signal: this.#over.signal }, this.#settings, body);
    if (problems.length === 0 || this.#complained) return;
    this.#complained = true;
    warn(`A notification could not be delivered: ${problems.join('; ')}. Check notify in your own settings.`);
  }
}

export function createNotifier(ground: NotifierGround, settings: NotifierSettings): Notifier {
  return new OneNotifier(ground, settings);
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
