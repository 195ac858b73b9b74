import type { TreeChange } from '../../../domain/tree.ts';
import { firstItem } from '../../../domain/items.ts';

/** What one check of layer 1 found. */

export const CHECK_NAMES = ['limits', 'integrity', 'build', 'test', 'lint', 'type-check', 'markers'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface Check {
  name: CheckName;
  state: 'passed' | 'failed' | 'skipped' | 'warned';
  /** The command that was run; null for checks without one. */
  command: string | null;
  /** One line, English. */
  detail: string;
  /** Files, tests, markers: what it is about, one per line. */
  items: string[];
  /** End of the command's output. */
  output: string;
}

export function isPass(checks: readonly Check[]): boolean {
  return checks.every((check) => check.state !== 'failed');
}

export function makeCheck(
  name: CheckName,
  state: Check['state'],
  detail: string,
  more: Partial<Pick<Check, 'command' | 'items' | 'output'>> = {},
): Check {
  return { name, state, detail, command: null, items: [], output: '', ...more };
}

/** The limits of the task, held against what was really changed. Pure. */
interface Limits {
  maxFiles: number;
  scope: string;
  inScope(path: string): boolean;
}

export function checkLimits(changes: readonly Pick<TreeChange, 'path'>[], limits: Limits): Check {
  const paths = changes.map((change) => change.path);
  const outside = paths.filter((path) => !limits.inScope(path));
  if (outside.length > 0)
    return makeCheck('limits', 'failed', `${count(outside.length)} changed outside of the scope ${limits.scope}: ${some(outside)}`, {
      items: outside,
    });
  if (paths.length > limits.maxFiles)
    return makeCheck('limits', 'failed', `${count(paths.length)} changed, ${limits.maxFiles} are allowed: ${some(paths)}`, {
      items: paths,
    });
  return makeCheck('limits', 'passed', `${count(paths.length)} changed, ${limits.maxFiles} are allowed`);
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function some(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(', ') : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
}

/** Marks of unfinished work in lines that were added. Pure. */
interface MarkedLine {
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
