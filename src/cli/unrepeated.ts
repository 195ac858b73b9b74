/**
 * What the harness says, without the lines that the person has just seen the agent say.
 *
 * 1. A line that is the agent's own, marked as done or not, is left out; of one that ends in it (`Plan: …`) the beginning stays.
 * 2. Only what was shown counts: where the agent's words are not printed, the harness's are whole.
 */
import { cleanText } from '../domain/clean-text.ts';

const MOST_REMEMBERED = 200;

export interface SeenLines {
  see(text: string): void;
  /** Null: nothing is left of it. */
  without(message: string): string | null;
}

export function seenLines(): SeenLines {
  const seen = new Set<string>();
  return {
    see: (text) => {
      for (const line of cleanText(text).split('\n').map(bare)) if (line !== '') seen.add(line);
      for (const line of seen) {
        if (seen.size <= MOST_REMEMBERED) return;
        seen.delete(line);
      }
    },
    without: (message) => {
      if (seen.size === 0) return message;
      const left = message.split('\n').flatMap((line) => unrepeated(line, seen));
      return left.length === 0 ? null : left.join('\n');
    },
  };
}

function unrepeated(line: string, seen: ReadonlySet<string>): string[] {
  if (seen.has(bare(line))) return [];
  const [, head, rest] = /^(.*?[^\s:：])\s*[:：]\s*(\S.*)$/u.exec(line) ?? [];
  return head !== undefined && rest !== undefined && seen.has(bare(rest)) ? [head] : [line];
}

function bare(line: string): string {
  return line.trim().replace(/^✓\s+/, '');
}
