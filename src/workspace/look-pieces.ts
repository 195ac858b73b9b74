/**
 * The records of a look in the order of their paths, in pieces: asking about a path and replacing what is said about it costs a piece, and
 * not everything.
 *
 * 1. Paths are ordered by their bytes, as git orders its index. What lies in a folder stands together.
 * 2. Nothing here is changed once it is made: pieces are shared by looks that follow from each other.
 */
import { nameFrom, pathStart, printedName } from './look-record.ts';
import { itemAt } from '../domain/items.ts';

interface Piece {
  /** Whole records, each ended by a zero byte. */
  bytes: Buffer;
  /** The path of the first, as it is printed. */
  first: string;
}

export interface Look {
  readonly pieces: readonly Piece[];
}

/** A record with its path as it is printed. */
export interface PlacedRecord {
  path: string;
  record: string;
}

const PIECE_BYTES = 64 * 1024;
/** The sign after the slash: everything below a folder stands before its name with this behind it. */
const AFTER_SLASH = '0';

export function sortRecords(records: readonly string[]): Look {
  const placed = records.map((record) => ({ path: record.slice(pathStart(record, 0)), record }));
  return { pieces: cutRecords(placed.sort(byPath).map((one) => one.record)) };
}

/** Records that are sorted already, one after the other. */
export function lookFrom(bytes: Buffer): Look {
  const pieces: Piece[] = [];
  for (let start = 0; start < bytes.length;) {
    const last = bytes.indexOf(0, Math.min(start + PIECE_BYTES, bytes.length - 1));
    const end = last === -1 ? bytes.length : last + 1;
    pieces.push(pieceOf(bytes.subarray(start, end)));
    start = end;
  }
  return { pieces };
}

/** All of it, as `lookFrom` takes it. */
export function lookBytes(look: Look): Buffer[] {
  return look.pieces.map((piece) => piece.bytes);
}

/** In order, from the first path on that is not before this one. */
export function* recordsFrom(look: Look, from = ''): Generator<PlacedRecord, undefined> {
  const first = from === '' ? 0 : pieceFor(look, from);
  for (let at = first; at < look.pieces.length; at += 1) {
    const { bytes } = itemAt(look.pieces, at);
    const text = bytes.toString('latin1', at === first && from !== '' ? placeIn(bytes, from) : 0);
    for (let start = 0, end = text.indexOf('\0'); end !== -1; start = end + 1, end = text.indexOf('\0', start))
      yield { path: text.slice(pathStart(text, start), end), record: text.slice(start, end) };
  }
}

/** What the look says about a path; null: it was not there. */
export function recordIn(look: Look, path: string): string | null {
  const wanted = printedName(path);
  const found = recordsFrom(look, wanted).next();
  return found.done !== true && found.value.path === wanted ? found.value.record : null;
}

/** What it says about the entries of a folder, by their paths; the directory itself is ''. */
export function childrenIn(look: Look, folder: string): Map<string, string> {
  const prefix = folder === '' ? '' : `${printedName(folder)}/`;
  const children = new Map<string, string>();
  for (let from: string | null = prefix; from !== null;) {
    let next: string | null = null;
    for (const { path, record } of recordsFrom(look, from)) {
      if (!path.startsWith(prefix)) break;
      const slash = path.indexOf('/', prefix.length);
      if (slash === -1) children.set(nameFrom(path), record);
      else {
        next = path.slice(0, slash) + AFTER_SLASH;
        break;
      }
    }
    from = next;
  }
  return children;
}

/** Paths below a folder. */
export function pathsBelow(look: Look, folder: string): string[] {
  const prefix = `${printedName(folder)}/`;
  const found: string[] = [];
  for (const { path } of recordsFrom(look, prefix)) {
    if (!path.startsWith(prefix)) break;
    found.push(nameFrom(path));
  }
  return found;
}

/** By printed paths: what is said now, or null for what is gone. */
export type LookChanges = ReadonlyMap<string, string | null>;

export function changesOf(paths: Iterable<string>, add: readonly string[]): Map<string, string | null> {
  const changes = new Map<string, string | null>();
  for (const path of paths) changes.set(printedName(path), null);
  for (const record of add) changes.set(record.slice(pathStart(record, 0)), record);
  return changes;
}

export function changeLook(look: Look, changes: LookChanges): Look {
  if (look.pieces.length === 0) return sortRecords([...changes.values()].filter((record) => record !== null));
  const byPiece = new Map<number, Map<string, string | null>>();
  for (const [path, record] of changes) {
    const at = pieceFor(look, path);
    byPiece.set(at, (byPiece.get(at) ?? new Map<string, string | null>()).set(path, record));
  }
  return {
    pieces: look.pieces.flatMap((piece, at) => {
      const own = byPiece.get(at);
      return own === undefined ? [piece] : changePiece(piece, own);
    }),
  };
}

function changePiece(piece: Piece, changes: LookChanges): Piece[] {
  const kept = [...recordsFrom({ pieces: [piece] })].filter(({ path }) => !changes.has(path));
  for (const [path, record] of changes) if (record !== null) kept.push({ path, record });
  return cutRecords(kept.sort(byPath).map((one) => one.record));
}

function byPath(a: PlacedRecord, b: PlacedRecord): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function cutRecords(records: readonly string[]): Piece[] {
  return [...lookFrom(Buffer.from(records.map((record) => `${record}\0`).join(''), 'latin1')).pieces];
}

function pieceOf(bytes: Buffer): Piece {
  return { bytes, first: pathAt(bytes, 0) };
}

/** The last piece that does not begin behind the path; the first where all do. */
function pieceFor({ pieces }: Look, path: string): number {
  let [low, high] = [0, pieces.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (itemAt(pieces, middle).first <= path) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the first record of a piece begins whose path is not before this one. */
function placeIn(bytes: Buffer, path: string): number {
  let [low, high] = [0, bytes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(0, middle - 1) + 1;
    if (pathAt(bytes, start) < path) low = bytes.indexOf(0, middle) + 1;
    else high = start;
  }
  return low;
}

function pathAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start);
  const record = bytes.toString('latin1', start, end === -1 ? bytes.length : end);
  return record.slice(pathStart(record, 0));
}
