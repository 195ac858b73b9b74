/**
 * What an agent said at the end, and the one line of it that means something. Pure.
 *
 * 1. A reply is what came after the last tool call; an agent that was started again begins a new one.
 * 2. A line is taken whole or not at all: how many blanks there are and which kind of dash does not matter, nothing else is guessed.
 */
import { cleanText } from '../../domain/clean-text.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { firstItem } from '../../domain/items.ts';

export interface ReplyCollector {
  see(event: HarnessEvent): void;
  text(): string;
}

/** Characters kept of a long reply, at its beginning and at its end. */
const KEPT = 256 * 1024;

export function collectReply(): ReplyCollector {
  let parts: string[] = [];
  let length = 0;
  const reset = (): void => {
    parts = [];
    length = 0;
  };
  return {
    see: (event) => {
      if (event.type === 'agent.tool' || event.type === 'agent.result') reset();
      if (event.type === 'session.limit' && event.level !== 'stop' && (event.kind === 'silence' || event.kind === 'usage')) reset();
      if (event.type !== 'agent.text' || event.aside === true) return;
      parts.push(event.text);
      length += event.text.length;
      if (length <= 4 * KEPT) return;
      parts = [shorten(parts.join('\n'))];
      length = firstItem(parts).length;
    },
    text: () => cleanText(shorten(parts.join('\n'))).trim(),
  };
}

function shorten(text: string): string {
  return text.length <= 2 * KEPT ? text : `${text.slice(0, KEPT)}\n[...]\n${text.slice(-KEPT)}`;
}

/** The first line that is not blank; null when there is none. */
export function firstLine(reply: string): string | null {
  return lines(reply)[0] ?? null;
}

/** The last line that is not blank; null when there is none. */
export function lastLine(reply: string): string | null {
  return lines(reply).at(-1) ?? null;
}

/** The match of a contract line, tried on the line as it stands and with plain dashes for long ones; null when it breaks its contract. */
export function parseContractLine(line: string | null, pattern: RegExp): RegExpExecArray | null {
  if (line === null || line.length > LONGEST_LINE) return null;
  const plain = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  const tidy = line.trim().replace(/[ \t\u00a0\u3000]+/g, ' ');
  for (const candidate of [line, tidy, withDash(tidy, '—'), withDash(tidy, '-')]) {
    const match = plain.exec(candidate);
    if (match !== null) return match;
  }
  return null;
}

/** The form of a contract line, for people: `VERDICT: (pass|fail)`. */
export function wantedLine(pattern: RegExp): string {
  return pattern.source
    .replace(/\\b|[\^$]/g, '')
    .replaceAll('(?:', '(')
    .replace(/\\S\.\*|\\S\+|\.\*|\.\+/g, '…')
    .replaceAll('\\d+', 'N');
}

/** Longer than any contract line: patterns are not run over a flood. */
const LONGEST_LINE = 4_000;

/** Dashes that stand between words for a pause; those inside words stay. */
function withDash(line: string, dash: string): string {
  return line.replace(/ (?:—|–|--?) /g, ` ${dash} `);
}

function lines(reply: string): string[] {
  return reply
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
