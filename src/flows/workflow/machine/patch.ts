/**
 * Unified diffs, read strictly and applied whole or not at all. Pure.
 *
 * 1. Only what stands in fenced blocks marked `diff` counts; a block without a hunk counts for nothing.
 * 2. A hunk whose counts, lines or place do not fit makes the patch invalid. Its place may lie elsewhere than it says, if exactly one
 *    place fits; context is never ignored.
 * 3. A patch changes, adds or deletes text files. Renames, modes and binary patches are refused.
 */
import { itemAt, onlyOne } from '../../../domain/items.ts';
import { beforeFirst, groupOf } from '../../../domain/text-parts.ts';
import { validatePath } from '../../../domain/validate-path.ts';

export interface FilePatch {
  /** Null: the file is new. */
  from: string | null;
  /** Null: the file is deleted. */
  to: string | null;
  hunks: Hunk[];
}

export interface Hunk {
  oldStart: number;
  oldCount: number;
  newCount: number;
  lines: { kind: 'same' | 'old' | 'new'; text: string; noNewline: boolean }[];
}

export type ParsedPatch = { ok: true; files: FilePatch[] } | { ok: false; reason: string };
export type PatchResult = { ok: true; content: string | null } | { ok: false; reason: string };

/** Every path that the patch names, old and new. */
export function pathsOf(files: readonly FilePatch[]): string[] {
  return [...new Set(files.flatMap((file) => [file.from, file.to]).filter((path) => path !== null))];
}

/** Whether there is anything to apply. */
export function hasPatch(document: string): boolean {
  return diffBlocks(document).some((block) => /^@@ /m.test(block));
}

export function parsePatch(document: string): ParsedPatch {
  const files: FilePatch[] = [];
  for (const block of diffBlocks(document)) {
    const parsed = parseBlock(block);
    if (!parsed.ok) return parsed;
    files.push(...parsed.files);
  }
  if (files.length === 0) return { ok: false, reason: 'there is no diff block with a hunk' };
  const paths = files.map((file) => file.to ?? file.from);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at);
  return twice === undefined ? { ok: true, files } : { ok: false, reason: `${twice} is patched twice` };
}

/** The new content; null for a deleted file. `content` null: there is no such file now. */
export function applyFilePatch(content: string | null, patch: FilePatch): PatchResult {
  const name = patch.to ?? patch.from ?? '';
  if (patch.from === null && content !== null) return { ok: false, reason: `${name} is there already` };
  if (patch.from !== null && content === null) return { ok: false, reason: `${name} does not exist` };
  const old = splitLines(content ?? '');
  const ending = (content ?? '').includes('\r\n') ? '\r' : '';
  const result: Line[] = [];
  let at = 0;
  let shift = 0;
  for (const [index, hunk] of patch.hunks.entries()) {
    const place = findPlace(old, hunk, at, shift);
    if (place === null) return { ok: false, reason: `hunk ${index + 1} of ${name} does not fit` };
    shift = place - startOf(hunk);
    result.push(...old.slice(at, place));
    at = place;
    for (const line of hunk.lines) {
      if (line.kind === 'same') result.push(itemAt(old, at));
      else if (line.kind === 'new') result.push({ text: line.text + ending, newline: !line.noNewline });
      if (line.kind !== 'new') at += 1;
    }
  }
  result.push(...old.slice(at));
  if (patch.to !== null) return { ok: true, content: joinLines(result) };
  return result.length === 0 ? { ok: true, content: null } : { ok: false, reason: `${name} would be deleted with lines left in it` };
}

interface Line {
  text: string;
  newline: boolean;
}

function diffBlocks(document: string): string[] {
  const blocks: string[] = [];
  let open: { bar: string; lines: string[] } | null = null;
  for (const line of document.replaceAll('\r\n', '\n').split('\n')) {
    if (open === null) {
      const start = /^(`{3,}|~{3,})diff\s*$/.exec(line);
      if (start !== null) open = { bar: groupOf(start, 1), lines: [] };
    } else if (line.startsWith(open.bar) && line.slice(open.bar.length).trim() === '') {
      blocks.push(open.lines.join('\n'));
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}

const REFUSED = /^(rename (from|to)|copy (from|to)|old mode|new mode|GIT binary patch|Binary files) ?/;

function parseBlock(block: string): ParsedPatch {
  const lines = block.split('\n');
  const files: FilePatch[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = itemAt(lines, at);
    if (REFUSED.test(line)) return { ok: false, reason: `"${line.slice(0, 60)}" is more than a change of text` };
    if (line.startsWith('@@')) return { ok: false, reason: 'a hunk stands before its file names' };
    if (!line.startsWith('--- ')) {
      at += 1;
      continue;
    }
    const next = lines[at + 1];
    if (next === undefined || !next.startsWith('+++ ')) return { ok: false, reason: `"${line.slice(0, 60)}" has no "+++" line after it` };
    const from = headerPath(line.slice(4), 'a/');
    const to = headerPath(next.slice(4), 'b/');
    if (from === null && to === null) return { ok: false, reason: 'a file is neither there before nor after' };
    if (from !== null && to !== null && from !== to) return { ok: false, reason: `${from} would be renamed to ${to}` };
    const hunks = parseHunks(lines, at + 2);
    if (typeof hunks === 'string') return { ok: false, reason: `${to ?? from}: ${hunks}` };
    files.push({ from, to, hunks: hunks.hunks });
    at = hunks.end;
  }
  return { ok: true, files };
}

/** `/dev/null` is no file; a time after a tab is left away. */
function headerPath(text: string, prefix: string): string | null {
  const path = beforeFirst(text, '\t').trimEnd();
  if (path === '/dev/null') return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

function parseHunks(lines: readonly string[], start: number): { hunks: Hunk[]; end: number } | string {
  const hunks: Hunk[] = [];
  let at = start;
  while (at < lines.length && itemAt(lines, at).startsWith('@@')) {
    const head = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(itemAt(lines, at));
    if (head === null) return `"${itemAt(lines, at).slice(0, 60)}" is no hunk header`;
    const hunk: Hunk = { oldStart: Number(head[1]), oldCount: Number(head[2] ?? 1), newCount: Number(head[4] ?? 1), lines: [] };
    at = readHunk(lines, at + 1, hunk);
    const count = (kind: 'old' | 'new'): number => hunk.lines.filter((line) => line.kind === 'same' || line.kind === kind).length;
    if (count('old') !== hunk.oldCount || count('new') !== hunk.newCount)
      return `hunk ${hunks.length + 1} does not have the lines that it announces`;
    hunks.push(hunk);
  }
  return hunks.length === 0 ? 'there is no hunk' : { hunks, end: at };
}

const KINDS = { ' ': 'same', '-': 'old', '+': 'new' } as const;

/** Reads as many lines as the header announces, and where the next line begins. */
function readHunk(lines: readonly string[], start: number, hunk: Hunk): number {
  let old = hunk.oldCount;
  let fresh = hunk.newCount;
  let at = start;
  for (; at < lines.length; at += 1) {
    const line = itemAt(lines, at);
    if (line.startsWith('\\')) {
      const last = hunk.lines.at(-1);
      if (last !== undefined) last.noNewline = true;
      continue;
    }
    if (old === 0 && fresh === 0) break;
    const kind = line === '' ? 'same' : KINDS[line[0] as keyof typeof KINDS];
    if (kind === undefined) break;
    if (kind !== 'new') old -= 1;
    if (kind !== 'old') fresh -= 1;
    hunk.lines.push({ kind, text: line.slice(1), noNewline: false });
  }
  return at;
}

/** A hunk without old lines names the line after which it stands. */
function startOf(hunk: Hunk): number {
  return hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
}

function findPlace(lines: readonly Line[], hunk: Hunk, from: number, shift: number): number | null {
  const wanted = hunk.lines.filter((line) => line.kind !== 'new');
  const fits = (at: number): boolean =>
    at >= from && at + wanted.length <= lines.length && wanted.every((line, index) => matches(itemAt(lines, at + index), line.text));
  const announced = startOf(hunk) + shift;
  if (fits(announced)) return announced;
  if (wanted.length === 0) return null;
  const places: number[] = [];
  for (let at = from; at + wanted.length <= lines.length && places.length < 2; at += 1) if (fits(at)) places.push(at);
  return onlyOne(places);
}

/** The fenced text has lost its carriage returns. */
function matches(line: Line, text: string): boolean {
  return line.text === text || line.text === `${text}\r`;
}

function splitLines(content: string): Line[] {
  if (content === '') return [];
  const parts = content.split('\n');
  const ended = parts.at(-1) === '';
  if (ended) parts.pop();
  return parts.map((text, at) => ({ text, newline: ended || at < parts.length - 1 }));
}

function joinLines(lines: readonly Line[]): string {
  return lines.map((line, at) => line.text + (line.newline || at < lines.length - 1 ? '\n' : '')).join('');
}

/** Paths that a report names. Pure. */
interface NamedPaths {
  /** In the order of the report, at most five, all of them files of the tree. */
  valid: string[];
  /** Named, and not allowed. */
  refused: string[];
}

const MOST_PATHS = 5;
const MOST_REFUSED = 20;

export function namedPaths(report: string, tree: ReadonlySet<string>): NamedPaths {
  const valid = new Set<string>();
  const refused = new Set<string>();
  for (const word of report.split(/[\s"'`()<>[\]{},;]+/)) {
    const path = word
      .replace(/(?::\d+)+:?$/, '')
      .replace(/[.:]+$/, '')
      .replace(/^file:\/\//, '');
    if (!/[\w-]\.\w{1,8}$/.test(path) || path.includes('://')) continue;
    const checked = validatePath(path, 'file_reference');
    if (!checked.ok) refused.add(path);
    else if (tree.has(checked.path)) valid.add(checked.path);
  }
  return { valid: [...valid].slice(0, MOST_PATHS), refused: [...refused].slice(0, MOST_REFUSED) };
}
