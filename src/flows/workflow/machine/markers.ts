/** Marks of unfinished work in lines that were added. Pure. */
import { makeCheck, type Check } from './check.ts';
import { firstItem } from '../../../domain/items.ts';

export interface MarkedLine {
  path: string;
  line: number;
  text: string;
}

const MARKER = /\b(?:TODO|FIXME)\b/;
const LONGEST_LINE = 200;

/** Lines with a mark that the old text does not have, however they are indented. */
export function newMarkers(path: string, before: string | null, after: string): MarkedLine[] {
  const known = new Map<string, number>();
  for (const line of markedLines(before ?? '')) known.set(line.text, (known.get(line.text) ?? 0) + 1);
  return markedLines(after)
    .filter(({ text }) => {
      const left = known.get(text) ?? 0;
      known.set(text, left - 1);
      return left <= 0;
    })
    .map(({ line, text }) => ({ path, line, text: text.slice(0, LONGEST_LINE) }));
}

function markedLines(text: string): { line: number; text: string }[] {
  return text.split('\n').flatMap((line, at) => (MARKER.test(line) ? [{ line: at + 1, text: line.trim() }] : []));
}

export function checkMarkers(markers: readonly MarkedLine[], blocking: boolean): Check {
  if (markers.length === 0) return makeCheck('markers', 'passed', 'no new TODO or FIXME');
  const items = markers.map((marker) => `${marker.path}:${marker.line}: ${marker.text}`);
  const detail = `${markers.length} new TODO or FIXME, the first in ${firstItem(markers).path}:${firstItem(markers).line}`;
  return makeCheck('markers', blocking ? 'failed' : 'warned', detail, { items });
}
