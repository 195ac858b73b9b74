/** One event is one line: `type` and `ts` first, then its fields as they are. */
import type { StampedEvent } from '../domain/event.ts';

export function renderJson(event: StampedEvent): string {
  const { type, ts, ...fields } = event;
  return `${JSON.stringify({ type, ts, ...fields })}\n`;
}
