/** One session as a story: its events and all that its agent said, as steps in order. Pure. */
import type { HarnessEvent } from '../domain/event.ts';
import type { JournalEntry } from '../journal/query.ts';
import { cutText } from './clean-value.ts';
import { stepOf } from './step.ts';
import type { StoryStep } from './views.ts';

const MOST_STEPS = 1_500;
const LONGEST_BODY = 4_000;
/** Of all bodies together. */
const MOST_CHARACTERS = 1_500_000;
const OF_THE_AGENT: ReadonlySet<string> = new Set(['agent.text', 'agent.tool', 'agent.result']);

/** `said`: all of what the agent said and did; null: it is not kept any more, and what the journal sampled has to do. */
export function storyOf(events: readonly JournalEntry[], said: readonly JournalEntry[] | null): { steps: StoryStep[]; left_out: number } {
  const kept = said ?? events.filter(({ type }) => OF_THE_AGENT.has(type));
  const all = [...events.filter(({ type }) => !OF_THE_AGENT.has(type)), ...kept].toSorted(inOrder);
  const shown = all.flatMap((entry) => {
    const event = entry as unknown as HarnessEvent & { ts: string; seq: number };
    const step = stepOf(event) ?? silentResult(event);
    return step === null ? [] : [{ step, event }];
  });
  const left_out = Math.max(0, shown.length - MOST_STEPS);
  const half = MOST_STEPS / 2;
  const chosen = left_out === 0 ? shown : [...shown.slice(0, half), ...shown.slice(-half)];
  let characters = 0;
  const steps = chosen.map(({ step, event }): StoryStep => {
    const body = bodyOf(event);
    if (body === null || body.trim() === step.text || characters > MOST_CHARACTERS) return step;
    const cut = cutText(body, LONGEST_BODY);
    characters += cut.length;
    return { ...step, body: cut };
  });
  return { steps, left_out };
}

/** What a tool answered is part of the story, though nothing to follow live. */
function silentResult(event: HarnessEvent & { ts: string; seq: number }): StoryStep | null {
  if (event.type !== 'agent.result' || event.output.trim() === '') return null;
  const [first = ''] = cutText(event.output.trimStart(), 240).split('\n');
  return { at: event.ts, seq: event.seq ?? null, kind: 'result', text: first };
}

function bodyOf(event: HarnessEvent): string | null {
  switch (event.type) {
    case 'agent.text':
    case 'session.inject':
      return event.text;
    case 'agent.result':
      return event.output;
    case 'agent.tool':
      return JSON.stringify(event.input, null, 2);
    case 'verify.result':
      return event.messages.join('\n');
    default:
      return null;
  }
}

function inOrder(a: JournalEntry, b: JournalEntry): number {
  const [first, second] = [a['seq'], b['seq']];
  return typeof first === 'number' && typeof second === 'number' ? first - second : Date.parse(a.ts) - Date.parse(b.ts);
}
