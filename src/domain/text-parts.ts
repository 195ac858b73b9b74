/** Parts of a text that a pattern or a separator delimits. */

/** A group that takes part in every match of its pattern. */
export function groupOf(match: RegExpMatchArray, group: number | string): string {
  const text = typeof group === 'number' ? match[group] : match.groups?.[group];
  if (text === undefined) throw new Error(`group ${group} took no part in the match '${match[0]}'`);
  return text;
}

/** What a group holds in every match of a global pattern. */
export function allGroups(text: string, pattern: RegExp, group: number): string[] {
  return Array.from(text.matchAll(pattern), (match) => groupOf(match, group));
}

/** The match of a pattern that matches any such text, if only with nothing. */
export function matched(pattern: RegExp, text: string): string {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`${pattern} does not match '${text.slice(0, 80)}'`);
  return match[0];
}

/** The text before the first separator; all of it if there is none. */
export function beforeFirst(text: string, separator: string | RegExp): string {
  const at = typeof separator === 'string' ? text.indexOf(separator) : text.search(separator);
  return at < 0 ? text : text.slice(0, at);
}

/** For a pattern that matches exactly this text. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
