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

/**
 * Whether a line is a program's word that its provider is away. Narrower than the table above: the last words of a program may as well be
 * those of a failed test of its own.
 */
export function speaksOfOutage(line: string): boolean {
  return OUTAGES.some((pattern) => pattern.test(line));
}

const OUTAGES: readonly RegExp[] = [
  /\bapi[ _]?(connection|timeout)?[ _]?error\b.{0,40}(\b5\d\d\b|connect|network|timed? ?out|overloaded|unavailable)/i,
  /\b5(00|02|03|04|29)\b.{0,4}(internal server error|bad gateway|service unavailable|gateway time-?out|overloaded)/i,
  /\boverloaded_error\b|\b(api|model|provider|server)s? (is |are )?(currently |temporarily )?(overloaded|unavailable)/i,
  /stream disconnected before|APIConnectionError|ServiceUnavailableError/,
];

export function failureByWords(text: string, now: number): Failed {
  const errorClass = classByWords(text) ?? 'agent';
  return {
    kind: 'failed',
    class: errorClass,
    message: text.trim().slice(0, 2_000),
    retryAt: errorClass === 'usage_limit' ? resetTime(text, now) : null,
  };
}
