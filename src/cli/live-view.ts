/**
 * The live view of a terminal: what happened scrolls by, what goes on now stands below it and is rewritten in place.
 *
 * 1. Output is gathered for a moment and written at once, the view with it: the terminal never shows a moment in which the view is gone.
 * 2. Of an agent's own words only the last few of each moment are shown, and how many were not is said; everything else is shown whole.
 * 3. While a question is open, nothing is drawn over it.
 * 4. The time that is shown is without the time in which a person or the provider was waited for.
 */
import { displayWidth } from '../domain/display-width.ts';
import type { HarnessEvent } from '../domain/event.ts';
import type { Clock } from '../platform/platform.ts';
import { foldWatch, NOTHING } from '../reading/watch.ts';
import { isWaiting, statusLines, wordsOf } from './live-status.ts';
import type { Sink } from './terminal.ts';

export interface LiveView {
  see(event: HarnessEvent): void;
  setBudget(dollars: number | null): void;
  /** Text that is always shown. */
  print(sink: Sink, text: string): void;
  /** Lines of an agent; `unseen` more came before them. */
  stream(sink: Sink, lines: readonly string[], unseen: number): void;
  close(): void;
}

const REFRESH_MS = 1_000;
const GATHER_MS = 50;
/** Agent lines that one moment can show. */
export const MOST_LINES = 20;

export function createLiveView(clock: Clock, sink: Sink): LiveView {
  const begin = clock.monotonic();
  let watch = NOTHING;
  let budget: number | null = null;
  let waitedMs = 0;
  let waitsSince: number | null = null;
  let shown: string[] = [];
  let open = true;
  let held = false;
  let waiting: { sink: Sink; text: string }[] = [];
  let agent: { lines: string[]; unseen: number; sink: Sink } = { lines: [], unseen: 0, sink };
  let refresh: NodeJS.Timeout | undefined;
  let gathering: NodeJS.Timeout | undefined;

  /** What takes the view away. */
  const hidden = (): string => {
    // A terminal that became narrower since has broken the lines.
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / Math.max(1, sink.columns()))), 0);
    shown = [];
    return rows > 0 ? `\r\u001b[2K${'\u001b[1A\u001b[2K'.repeat(rows - 1)}` : '';
  };
  const drawn = (): string => {
    if (!open || held) return '';
    shown = statusLines(watch, {
      elapsedMs: (waitsSince ?? clock.monotonic()) - begin - waitedMs,
      now: clock.now(),
      columns: sink.columns(),
      rows: sink.rows(),
      budget,
    });
    if (shown.length > 0) refresh ??= setInterval(flush, REFRESH_MS).unref();
    return shown.join('\n');
  };
  const settleAgent = (): void => {
    const { lines, unseen } = agent;
    if (unseen > 0)
      waiting.push({
        sink: agent.sink,
        text: `  │ ${wordsOf(watch).unseen({ lines: unseen })}\n`,
      });
    if (lines.length > 0) waiting.push({ sink: agent.sink, text: `${lines.join('\n')}\n` });
    agent = { lines: [], unseen: 0, sink: agent.sink };
  };
  const flush = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    settleAgent();
    const texts = waiting;
    waiting = [];
    let written = hidden();
    for (const { sink: target, text } of texts) {
      if (target.isTTY) written += text;
      else target.write(text);
    }
    written += drawn();
    if (written !== '') sink.write(written);
  };
  const soon = (): void => {
    if (!open || held) flush();
    else gathering ??= setTimeout(flush, GATHER_MS);
  };

  return {
    see: (event) => {
      watch = foldWatch(watch, event, clock.now());
      if (isWaiting(watch)) waitsSince ??= clock.monotonic();
      else if (waitsSince !== null) {
        waitedMs += clock.monotonic() - waitsSince;
        waitsSince = null;
      }
      if (event.type === 'gate.answered') held = false;
      if (event.type !== 'gate.asked') return;
      held = true;
      flush();
    },
    setBudget: (dollars) => (budget = dollars),
    print: (target, text) => {
      settleAgent();
      waiting.push({ sink: target, text });
      soon();
    },
    stream: (target, lines, unseen) => {
      const all = [...agent.lines, ...lines];
      const kept = all.slice(-MOST_LINES);
      agent = { lines: kept, unseen: agent.unseen + unseen + all.length - kept.length, sink: target };
      soon();
    },
    close: () => {
      flush();
      open = false;
      clearInterval(refresh);
      sink.write(hidden());
    },
  };
}

/** Where there is no terminal: everything is written as it comes. */
export function plainView(): LiveView {
  return {
    see: () => {},
    setBudget: () => {},
    print: (sink, text) => sink.write(text),
    stream: (sink, lines) => void (lines.length > 0 && sink.write(`${lines.join('\n')}\n`)),
    close: () => {},
  };
}
