/** The commands of a nox session, from the text of its noxfile: calls of `session.run` whose arguments are written there. Pure. */
import { quoteWord } from '../../domain/quote-word.ts';
import { allGroups, beforeFirst, groupOf } from '../../domain/text-parts.ts';
import { firstItem } from '../../domain/items.ts';

/** null where no session can be seen to run tests. */
export function noxCommands(words: readonly string[], noxfile: string | null): { commands: string[]; env: Record<string, string> } | null {
  if (noxfile === null) return null;
  const end = words.indexOf('--');
  const given = end < 0 ? [] : words.slice(end + 1);
  const asked = askedSession(end < 0 ? words : words.slice(0, end));
  const sessions = sessionsOf(noxfile).filter(({ name }) => asked === null || name === asked);
  for (const { body } of sessions) {
    const runs = runsIn(body, given);
    const commands = runs.map((run) => run.command);
    const isTests = commands.some((command) => /\b(?:pytest|unittest)\b/.test(command));
    if (asked !== null || isTests) return { commands, env: Object.assign({}, ...runs.map((run) => run.env)) as Record<string, string> };
  }
  return null;
}

function askedSession(options: readonly string[]): string | null {
  const at = options.findIndex((word) => word === '-s' || word === '--session' || word === '--sessions' || word === '-e');
  const joined = options.find((word) => /^--sessions?=/.test(word))?.replace(/^--sessions?=/, '');
  return (at < 0 ? joined : options[at + 1])?.replace(/-[\d.]+$/, '') ?? null;
}

function sessionsOf(text: string): { name: string; body: string }[] {
  const parts = text.split(/^@(?:nox\.)?session\b/m).slice(1);
  return parts.flatMap((part) => {
    const head = /^([\s\S]*?)^(?:async\s+)?def\s+(\w+)\s*\(/m.exec(part);
    if (head === null) return [];
    const name = /\bname\s*=\s*(['"])(.*?)\1/.exec(groupOf(head, 1))?.[2] ?? groupOf(head, 2);
    return [{ name, body: beforeFirst(part.slice(head[0].length), /^\S(?!.*:\s*$)/m) }];
  });
}

interface Run {
  command: string;
  env: Record<string, string>;
}

/** Installing is left out: the judge has what it has. */
function runsIn(body: string, given: readonly string[]): Run[] {
  return [...body.matchAll(/\bsession\.run\(([\s\S]*?)\)\s*$/gm)].flatMap(([, inside = '']) => {
    const parts = argumentsIn(inside);
    const isNamed = (part: string): boolean => /^\w+\s*=(?!=)/.test(part);
    const words = parts.filter((part) => !isNamed(part)).flatMap((part) => wordsOf(part, given));
    const env = parts.find((part) => /^env\s*=/.test(part)) ?? '';
    const pairs = [...env.matchAll(/(['"])(\w+)\1\s*:\s*(['"])((?:(?!\3).)*)\3/g)].map(
      (match) => [groupOf(match, 2), groupOf(match, 4)] as const,
    );
    if (words.length === 0 || /^(?:pip|uv|poetry)$/.test(firstItem(words))) return [];
    return [{ command: words.map(quoteWord).join(' '), env: Object.fromEntries(pairs) }];
  });
}

/** What stands between the commas of a call, not of what it encloses. */
function argumentsIn(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [piece] of text.matchAll(/(['"])(?:\\.|(?!\1)[^\\])*\1|[\s\S]/g)) {
    if (/^[([{]$/.test(piece)) depth += 1;
    if (/^[)\]}]$/.test(piece)) depth -= 1;
    if (piece === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** `*(session.posargs or ["tests"])`: what is given, else what is usual. What is worked out elsewhere is left out. */
function wordsOf(part: string, given: readonly string[]): string[] {
  const literal = /^(['"])((?:(?!\1).)*)\1$/s.exec(part)?.[2];
  if (literal !== undefined) return [literal];
  if (!/^\*\(?\s*(?:\w+\.)?posargs\b/.test(part)) return [];
  return given.length > 0 ? [...given] : allGroups(part, /(['"])((?:(?!\1).)*)\1/g, 2);
}
