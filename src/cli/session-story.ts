/** One session as a story: what was set up, what the agent said and did, what was found, and how it ended, each with its time. Pure. */
import { cleanText } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import type { HarnessEvent } from '../domain/event.ts';
import type { JournalEntry } from '../journal/query.ts';
import { createPaint } from './paint.ts';
import { renderText } from './render-text.ts';

const PLAIN = createPaint(false);
const SHOWN_OUTPUT = 12;
const OF_THE_AGENT: ReadonlySet<string> = new Set(['agent.text', 'agent.tool', 'agent.result']);

/** `said`: all of what the agent said and did; null: it is not kept any more. */
export function sessionStory(events: readonly JournalEntry[], said: readonly JournalEntry[] | null): string {
  const kept = said ?? events.filter(({ type }) => OF_THE_AGENT.has(type));
  const all = [...events.filter(({ type }) => !OF_THE_AGENT.has(type)), ...kept].toSorted(inOrder);
  const lines = all.flatMap((entry) => timed(entry.ts, linesOf(entry)));
  return [...lines, ...(said === null ? ['What the agent said is not kept any more, beyond what stands above.'] : [])].join('\n');
}

function inOrder(a: JournalEntry, b: JournalEntry): number {
  const [first, second] = [a['seq'], b['seq']];
  return typeof first === 'number' && typeof second === 'number' ? first - second : Date.parse(a.ts) - Date.parse(b.ts);
}

function linesOf(entry: JournalEntry): string[] {
  if (entry.type === 'agent.result') return outputLines(entry);
  return renderText(entry as unknown as HarnessEvent, PLAIN, { quiet: false }).filter((line) => line !== '');
}

function outputLines(entry: JournalEntry): string[] {
  const lines = cleanText(String(entry['output'] ?? ''))
    .trimEnd()
    .split('\n');
  const more = lines.length - SHOWN_OUTPUT;
  return [...lines.slice(0, SHOWN_OUTPUT), ...(more > 0 ? [`… ${counted(more, 'more line')}`] : [])].map((line) => `    ${line}`);
}

function timed(at: string, lines: readonly string[]): string[] {
  const time = new Date(at).toTimeString().slice(0, 8);
  return lines.map((line, index) => `${index === 0 ? time : ' '.repeat(time.length)} ${line}`);
}
