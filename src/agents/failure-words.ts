/** Which class a failure belongs to, from what an agent says about it: for agents that report errors as sentences. */
import type { AgentEnd, AgentErrorClass } from './contract.ts';
import { resetTime, speaksOfUsageLimit } from './reset-time.ts';

type Failed = Extract<AgentEnd, { kind: 'failed' }>;

const BY_WORDS: readonly [RegExp, AgentErrorClass][] = [
  [/prompt is too long|context[ _](window|length)|too many tokens/i, 'context_too_long'],
  [
    /invalid api key|incorrect api key|not logged in|log ?in again|\/login|authenticat|unauthori[sz]ed|oauth token|credit balance|billing|\b40[13]\b/i,
    'auth',
  ],
  [/\b429\b|rate.?limit|too many requests|quota/i, 'usage_limit'],
  [
    /\b5\d\d\b|overloaded|stream disconnected|(connection|network) (error|refused|reset|closed)|ECONN|ENOTFOUND|EAI_AGAIN|fetch failed|timed? ?out/i,
    'unavailable',
  ],
];

export function classByWords(text: string): AgentErrorClass | null {
  if (speaksOfUsageLimit(text)) return 'usage_limit';
  return BY_WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

export function failureByWords(text: string, now: number): Failed {
  const errorClass = classByWords(text) ?? 'agent';
  return {
    kind: 'failed',
    class: errorClass,
    message: text.trim().slice(0, 2_000),
    retryAt: errorClass === 'usage_limit' ? resetTime(text, now) : null,
  };
}
