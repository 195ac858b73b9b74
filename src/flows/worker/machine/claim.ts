/** What an agent says about its work. It decides nothing, and is kept short. Pure. */
import type { Claim } from './state.ts';

const LONGEST = 500;
const MOST = 20;

export function readClaim(output: string | null, reply: string): Claim {
  const said = parsed(output);
  const rules = Array.isArray(said['self_review']) ? said['self_review'] : [];
  const pairs = rules.flatMap((one: unknown): [string, string][] => {
    const entry = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : {};
    return typeof entry['rule'] === 'string' ? [[entry['rule'].slice(0, LONGEST), textOf(entry['evidence'])]] : [];
  });
  return {
    summary: textOf(said['summary']) || textOf(reply.trim().split('\n').at(-1) ?? ''),
    memory_updates: (Array.isArray(said['memory_updates']) ? said['memory_updates'] : [])
      .map(textOf)
      .filter((text) => text !== '')
      .slice(0, MOST),
    note: textOf(said['task_complexity_note']),
    rules: Object.fromEntries(pairs.slice(0, MOST)),
  };
}

function parsed(output: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(output ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
}
