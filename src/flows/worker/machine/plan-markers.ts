/**
 * The markers of a lead's plan (`cc:TODO`, `cc:WIP`, `cc:done`). Pure.
 *
 * A marker line that is new, gone or different counts as changed; so does one that only moved away from its line.
 */
import { escapePattern } from '../../../domain/text-parts.ts';

const MARKER = /\bcc:(?:TODO|WIP|done|unnecessary|pending|完了)/i;

export interface MarkerChange {
  /** As in a diff: with `+` or `-` before it. */
  line: string;
  /** It names the task. */
  isOwn: boolean;
}

export function changedMarkers(before: string | null, after: string | null, taskId: string): MarkerChange[] {
  const [old, now] = [markersIn(before), markersIn(after)];
  const gone = without(old, now).map((line) => `-${line}`);
  const added = without(now, old).map((line) => `+${line}`);
  const moved = gone.length + added.length === 0 && old.join('\n') !== now.join('\n') ? now.map((line) => `+${line}`) : [];
  return [...gone, ...added, ...moved].map((line) => ({ line, isOwn: names(line, taskId) }));
}

function markersIn(text: string | null): string[] {
  return (text ?? '').split(/\r?\n/).filter((line) => MARKER.test(line));
}

/** Each as often as there are more of them. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}

function names(line: string, taskId: string): boolean {
  const word = escapePattern(taskId);
  return new RegExp(String.raw`(?<![\w.-])${word}(?![\w-]|\.\w)`).test(line);
}
