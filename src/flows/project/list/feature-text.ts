/**
 * Changes single values in the text of `features.json` and keeps every other byte: the file's formatting is its owner's.
 * Positions come from a scan of the text; the caller has parsed and validated it before.
 */
import { lastItem } from '../../../domain/items.ts';

/** The text with `passes` of one feature set; a feature without it does not pass. Throws when the text has no such feature. */
export function setPasses(text: string, feature: number, passes: boolean): string {
  const fields = objectOf(text, feature);
  const value = fields.get('passes');
  if (value !== undefined) return text.slice(0, value.start) + String(passes) + text.slice(value.end);
  return passes ? withField(text, [...fields.values()], '"passes"', 'true') : text;
}

/** Spaced and broken into lines like the fields before it. */
function withField(text: string, fields: readonly Field[], key: string, value: string): string {
  const last = lastItem(fields);
  const before = fields.at(-2);
  const separator = before === undefined ? ', ' : text.slice(before.end, last.key.start);
  const colon = text.slice(last.key.end, last.start);
  return text.slice(0, last.end) + separator + key + colon + value + text.slice(last.end);
}

/** The text with a new time of the last change, written as precisely as the old one; a list without one stays without. */
export function withLastUpdated(text: string, now: string): string {
  const value = scanObject(text, skipSpace(text, 0)).get('last_updated');
  if (value === undefined || text[value.start] !== '"') return text;
  const isDay = /^"\d{4}-\d{2}-\d{2}"$/.test(text.slice(value.start, value.end));
  return `${text.slice(0, value.start)}"${isDay ? now.slice(0, 10) : now}"${text.slice(value.end)}`;
}

/** The text with one more feature at the end of the list, indented like the one before it. */
export function appendFeature(text: string, feature: Readonly<Record<string, unknown>>): string {
  const list = scanObject(text, skipSpace(text, 0)).get('features');
  if (list === undefined || text[list.start] !== '[') throw new Error('the feature list has no array "features"');
  const items = scanArray(text, list.start);
  const close = list.end - 1;
  const last = items.at(-1);
  if (last === undefined) return `${text.slice(0, close).trimEnd()}\n    ${indented(feature, '    ')}\n  ${text.slice(close)}`;
  const lineStart = text.lastIndexOf('\n', last.start) + 1;
  const lead = text.slice(lineStart, last.start);
  const compact = lead.trim() !== '' || !text.slice(last.start, last.end).includes('\n');
  const separator = lead.trim() === '' ? `,\n${lead}` : ', ';
  return (
    text.slice(0, last.end) +
    separator +
    (compact ? JSON.stringify(feature) : indented(feature, lead, indentIn(text.slice(last.start, last.end), lead))) +
    text.slice(last.end)
  );
}

/** The text with one feature replaced by others, which stand where it stood and look like it. */
export function replaceFeature(text: string, feature: number, by: readonly Readonly<Record<string, unknown>>[]): string {
  const span = itemOf(text, feature);
  const lead = text.slice(text.lastIndexOf('\n', span.start) + 1, span.start);
  const ownLine = lead.trim() === '';
  const compact = !ownLine || !text.slice(span.start, span.end).includes('\n');
  const indent = indentIn(text.slice(span.start, span.end), lead);
  const written = by.map((one) => (compact ? JSON.stringify(one) : indented(one, lead, indent)));
  return text.slice(0, span.start) + written.join(ownLine ? `,\n${lead}` : ', ') + text.slice(span.end);
}

/** The text with other dependencies of a feature that has some. */
export function setDependsOn(text: string, feature: number, ids: readonly number[]): string {
  const value = objectOf(text, feature).get('depends_on');
  if (value === undefined) throw new Error(`feature ${feature} has no "depends_on" in the feature list`);
  return `${text.slice(0, value.start)}[${ids.join(', ')}]${text.slice(value.end)}`;
}

/** What the lines of an object stand further in than the object itself. */
function indentIn(object: string, lead: string): string {
  const inner = /\n([ \t]*)\S/.exec(object)?.[1] ?? '';
  return inner.startsWith(lead) && inner.length > lead.length ? inner.slice(lead.length) : '  ';
}

function indented(value: unknown, lead: string, indent = '  '): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `\n${lead}`);
}

interface Span {
  start: number;
  end: number;
}

interface Field extends Span {
  key: Span;
}

function objectOf(text: string, feature: number): Map<string, Field> {
  return scanObject(text, itemOf(text, feature).start);
}

function itemOf(text: string, feature: number): Span {
  const list = scanObject(text, skipSpace(text, 0)).get('features');
  if (list !== undefined && text[list.start] === '[') {
    for (const item of scanArray(text, list.start)) {
      if (text[item.start] !== '{') continue;
      const id = scanObject(text, item.start).get('id');
      if (id !== undefined && Number(text.slice(id.start, id.end)) === feature) return item;
    }
  }
  throw new Error(`the feature list has no feature ${feature}`);
}

function scanObject(text: string, start: number): Map<string, Field> {
  const fields = new Map<string, Field>();
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key = JSON.parse(text.slice(at, keyEnd)) as string;
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, valueStart);
    fields.set(key, { start: valueStart, end, key: { start: at, end: keyEnd } });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return fields;
}

function scanArray(text: string, start: number): Span[] {
  const items: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = endOfValue(text, at);
    items.push({ start: at, end });
    at = skipSpace(text, end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return items;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    let at = start;
    while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\s\uFEFF]/.test(text.charAt(at))) at++;
  return at;
}
