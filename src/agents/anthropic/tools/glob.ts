/**
 * Globs over paths with forward slashes: `*`, `?` and `[abc]` inside a segment, `**` over segments, `{a,b}`.
 *
 * Patterns come from the model, so matching takes at most pattern × path steps, and braces are expanded to a bounded list.
 */
import { groupOf } from '../../../domain/text-parts.ts';
import { itemAt } from '../../../domain/items.ts';

export type Matcher = (path: string) => boolean;

const MOST_ALTERNATIVES = 64;

export function globMatcher(glob: string): Matcher {
  const patterns = expandBraces(glob).map((pattern) => pattern.replace(/^\.\//, '').split('/').map(tokens));
  return (path) => patterns.some((pattern) => matchSegments(pattern, path.split('/')));
}

/** Innermost braces first; what goes beyond the bound is dropped. */
function expandBraces(glob: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (found === null) return [glob];
  const [before, after] = [glob.slice(0, found.index), glob.slice(found.index + found[0].length)];
  const expanded: string[] = [];
  for (const choice of groupOf(found, 1).split(',')) {
    for (const pattern of expandBraces(`${before}${choice}${after}`)) if (expanded.length < MOST_ALTERNATIVES) expanded.push(pattern);
    if (expanded.length >= MOST_ALTERNATIVES) break;
  }
  return expanded;
}

type Token = '**' | '*' | ((char: string) => boolean);

function tokens(segment: string): Token[] {
  if (segment === '**') return ['**'];
  const found: Token[] = [];
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at += 1) {
    const char = itemAt(characters, at);
    const close = char === '[' ? characters.indexOf(']', at + 2) : -1;
    if (char === '*') found.push('*');
    else if (char === '?') found.push(() => true);
    else if (close !== -1) {
      found.push(characterClass(characters.slice(at + 1, close)));
      at = close;
    } else found.push((candidate) => candidate === char);
  }
  return found;
}

function characterClass(members: readonly string[]): (char: string) => boolean {
  const negated = members[0] === '!' || members[0] === '^';
  const listed = negated ? members.slice(1) : members;
  const isMember = (char: string): boolean =>
    listed.some(
      (member, index) =>
        member === char ||
        (member === '-' &&
          index > 0 &&
          index < listed.length - 1 &&
          itemAt(listed, index - 1) <= char &&
          char <= itemAt(listed, index + 1)),
    );
  return (char) => isMember(char) !== negated;
}

/** Row by row: which prefixes of the path the pattern so far can stand for. */
function matchSegments(pattern: readonly Token[][], path: readonly string[]): boolean {
  let reachable = path.map(() => false).concat(false);
  reachable[0] = true;
  for (const segment of pattern) {
    const next = reachable.map(() => false);
    const anyDepth = segment.length === 1 && segment[0] === '**';
    for (let at = 0; at <= path.length; at += 1) {
      if (anyDepth) next[at] = itemAt(reachable, at) || (at > 0 && itemAt(next, at - 1));
      else if (at > 0) next[at] = itemAt(reachable, at - 1) && matchSegment(segment, Array.from(itemAt(path, at - 1)));
    }
    reachable = next;
  }
  return itemAt(reachable, path.length);
}

/** On a mismatch only the last star is widened, which is enough. */
function matchSegment(pattern: readonly Token[], text: readonly string[]): boolean {
  let at = 0;
  let token = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const current = pattern[token];
    if (current === '*' || current === '**') {
      star = token;
      resume = at;
      token += 1;
    } else if (current !== undefined && current(itemAt(text, at))) {
      at += 1;
      token += 1;
    } else if (star !== -1) {
      resume += 1;
      at = resume;
      token = star + 1;
    } else return false;
  }
  return pattern.slice(token).every((rest) => rest === '*' || rest === '**');
}
