/** The status line of a terminal: rewritten in place, taken away around every other output. */
import type { HarnessEvent } from '../domain/event.ts';
import type { Clock } from '../platform/platform.ts';
import { foldStatus, formatStatus, IDLE } from './live-status.ts';
import type { Sink } from './terminal.ts';

export interface LiveLine {
  see(event: HarnessEvent): void;
  setBudget(dollars: number | null): void;
  /** Runs `write` with the line out of the way. */
  around(write: () => void): void;
  close(): void;
}

const CLEAR = '\r\u001b[2K';
const REFRESH_MS = 1_000;

export function createLiveLine(clock: Clock, sink: Sink, wanted: boolean): LiveLine {
  if (!wanted || !sink.isTTY) return { see: () => {}, setBudget: () => {}, around: (write) => write(), close: () => {} };
  const begin = clock.monotonic();
  let status = IDLE;
  let shown = false;
  let open = true;
  let held = false;
  let timer: NodeJS.Timeout | undefined;

  const hide = (): void => {
    if (shown) sink.write(CLEAR);
    shown = false;
  };
  const show = (): void => {
    if (!open || held || status.session === null) return;
    sink.write(`${CLEAR}${formatStatus(status, clock.monotonic() - begin, sink.columns())}`);
    shown = true;
    timer ??= setInterval(show, REFRESH_MS).unref();
  };

  return {
    see: (event) => {
      status = foldStatus(status, event);
      if (event.type === 'gate.asked') held = true;
      if (event.type === 'gate.answered') held = false;
      if (held) hide();
    },
    setBudget: (dollars) => (status = { ...status, budget: dollars }),
    around: (write) => {
      hide();
      write();
      show();
    },
    close: () => {
      open = false;
      clearInterval(timer);
      hide();
    },
  };
}
