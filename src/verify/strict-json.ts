/** JSON from hostile hands: what two readers could understand differently is refused. */

const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_DEPTH = 100;

export function parseStrictJson(text: string): { value: unknown } | { problem: string } {
  if (text.length > MAX_CHARACTERS) return { problem: 'it is larger than 32 million characters' };
  const plain = text.startsWith('\ufeff') ? text.slice(1) : text;
  const problem = scan(plain);
  if (problem !== null) return { problem };
  try {
    return { value: JSON.parse(plain) };
  } catch (error) {
    return { problem: error instanceof Error ? `it is not valid JSON (${error.message.slice(0, 120)})` : 'it is not valid JSON' };
  }
}

interface Level {
  keys: Set<string> | null;
  /** The next string is a key. */
  expectsKey: boolean;
}

/** Finds repeated and dangerous keys and too much depth; whether the text is JSON at all is for the parser to say. */
function scan(text: string): string | null {
  const levels: Level[] = [];
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/gs;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [found] = match;
    const level = levels.at(-1);
    if (found === '{' || found === '[') {
      if (levels.length >= MAX_DEPTH) return 'it is nested too deeply';
      levels.push({ keys: found === '{' ? new Set() : null, expectsKey: found === '{' });
    } else if (found === '}' || found === ']') levels.pop();
    else if (found === ',') {
      if (level !== undefined) level.expectsKey = level.keys !== null;
    } else if (level !== undefined && level.keys !== null && level.expectsKey) {
      const key = decode(found);
      if (key === null) return 'a key cannot be read';
      if (key === '__proto__') return 'it has a key named __proto__';
      if (level.keys.has(key)) return `the key ${JSON.stringify(key.slice(0, 60))} appears twice in one object`;
      level.keys.add(key);
      level.expectsKey = false;
    }
  }
  return null;
}

function decode(quoted: string): string | null {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return null;
  }
}
