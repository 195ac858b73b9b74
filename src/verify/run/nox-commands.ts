/** The commands of a nox session, from the text of its noxfile: calls of `session.run` whose arguments are written there. Pure. */
import { quoteWord } from './split-words.ts';

/** null where no session can be seen to run tests. */
export function noxCommands(words: readonly string[], noxfile: string | null): { commands: string[]; env: Record<string, string> } | null {
  if (noxfile === null) return null;
  const end = words.indexOf('--');
  const given = end < 0 ? [] : words.slice(end + 1);
  const asked = askedSession(end < 0 ? words : words.slice(0, end));
  const sessions = sessionsOf(noxfile).filter(({ name }) => asked === null || name === asked);
  for (const { body } of sessions) {
    const commands = runsIn(body, given);
    if (asked !== null || commands.some((command) => /\b(?:pytest|unittest)\b/.test(command))) return { commands, env: {} };
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
    const name = /\bname\s*=\s*(['"])(.*?)\1/.exec(head[1]!)?.[2] ?? head[2]!;
    return [{ name, body: part.slice(head[0].length).split(/^\S(?!.*:\s*$)/m)[0]! }];
  });
}

/** Installing is left out: the judge has what it has. */
function runsIn(body: string, given: readonly string[]): string[] {
  return [...body.matchAll(/\bsession\.run\(([\s\S]*?)\)\s*$/gm)].flatMap(([, inside = '']) => {
    const parts = [...inside.matchAll(/(?<![=\w])(?:(['"])((?:(?!\1).)*)\1|\*\(?(?:\w+\.)?posargs\b)/g)];
    const words = parts.flatMap(([, quote, text]) => (quote === undefined ? [...given] : [text!]));
    return words.length === 0 || /^(?:pip|uv|poetry)$/.test(words[0]!) ? [] : [words.map(quoteWord).join(' ')];
  });
}
