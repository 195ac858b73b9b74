/**
 * A large directory as one program of the system sees it, so that comparing it with what it held costs no object for each file.
 *
 * 1. A record for each entry: kind, rights, size, inode, change time, modification time and path; of folders only kind, rights, inode and path.
 *    A file whose record is the same is the same file with the same content: nobody can set a change time back.
 * 2. `null` where this machine cannot tell, or a part of the directory cannot be looked at: then every file has to be looked at in another way.
 */
import type { BigIntStats } from 'node:fs';
import type { Platform } from '../platform/platform.ts';

/** Records as the program prints them, each ended by a zero byte. */
export type Look = Buffer;

export interface LookedAt {
  kind: string;
  rights: string;
  path: string;
}

const OF_FOLDER = 'd %m %i %P\\0';
const OF_FILE = '%y %m %s %i %C@ %T@ %P\\0';
const SLASH = 0x2f;
const BLOCK = 64 * 1024;

export interface LookOptions {
  /** Names at the top that are not looked at where they are real folders. */
  except?: readonly string[];
  /** Only what has a change time from then on, in nanoseconds; the directory itself is among it then, with an empty path. */
  since?: bigint;
}

export async function takeLook(platform: Platform, root: string, { except = [], since }: LookOptions = {}): Promise<Look | null> {
  const passed = except.flatMap((name) => ['-type', 'd', '-path', `./${name.replace(/[[\]*?\\]/g, '\\$&')}`, '-prune', '-o']);
  const looked = await platform.processes
    .run({
      file: 'find',
      args: [
        ...(since === undefined
          ? ['-P', '.', '-mindepth', '1', ...passed]
          : ['-P', '.', ...passed, '!', '-newerct', secondsBefore(since), '-o']),
        '-type',
        'd',
        '-printf',
        OF_FOLDER,
        '-o',
        '-printf',
        OF_FILE,
      ],
      cwd: root,
      env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
      maxOutputBytes: 512 * 1024 * 1024,
    })
    .catch(() => null);
  return looked === null || looked.code !== 0 || looked.truncated ? null : looked.stdout;
}

/** Records that only one of two looks has. `null`: a name among them is not valid UTF-8. */
export function compareLooks(before: Look, now: Look): { gone: LookedAt[]; come: LookedAt[]; records: string[] } | null {
  const from = sameStart(before, now);
  const [left, right] = trimEnd(before.subarray(from), now.subarray(from));
  const [then, here] = [left, right].map((part) =>
    part
      .toString('latin1')
      .split('\0')
      .filter((one) => one !== ''),
  ) as [string[], string[]];
  const [known, there] = [new Set(then), new Set(here)];
  const records = here.filter((record) => !known.has(record));
  const gone = then.filter((record) => !there.has(record)).map(parseRecord);
  const come = records.map(parseRecord);
  return [...gone, ...come].some(({ path }) => path.includes('\ufffd')) ? null : { gone, come, records };
}

/** The records of everything but folders, by path. Two of one path cannot be printed. */
export function fileRecords(look: Look): Map<string, string> {
  const records = new Map<string, string>();
  const text = look.toString('latin1');
  for (let start = 0, end = text.indexOf('\0'); end !== -1; start = end + 1, end = text.indexOf('\0', start)) {
    if (text[start] === 'd') continue;
    let at = start;
    for (let spaces = 0; spaces < 6; spaces += 1) at = text.indexOf(' ', at) + 1;
    records.set(nameFrom(text.slice(at, end)), text.slice(start, at));
  }
  return records;
}

/** The times in nanoseconds. */
export function parseFile(record: string): { size: string; inode: string; changedNs: string; modifiedNs: string } {
  const [, , size = '', inode = '', changed = '', modified = ''] = record.split(' ');
  return { size, inode, changedNs: nanoseconds(changed), modifiedNs: nanoseconds(modified) };
}

const ASCII = /^[\x20-\x7e]*$/;

function nameFrom(printed: string): string {
  return ASCII.test(printed) ? printed : Buffer.from(printed, 'latin1').toString('utf8');
}

/** The look without the records of these paths, and with others. */
export function patchLook(look: Look, change: { paths: readonly string[]; add: readonly string[] }): Look {
  const cuts: [number, number][] = [];
  for (const path of change.paths) cuts.push(...placesOf(look, Buffer.from(` ${path}\0`), (_, at) => startOf(look, path, at)));
  cuts.sort(([a], [b]) => a - b);
  const kept: Buffer[] = [];
  let at = 0;
  for (const [start, end] of cuts) {
    if (start > at) kept.push(look.subarray(at, start));
    at = Math.max(at, end);
  }
  return Buffer.concat([...kept, look.subarray(at), Buffer.from(change.add.map((record) => `${record}\0`).join(''), 'latin1')]);
}

/** As the program prints it. */
export function recordOf(path: string, stat: BigIntStats): string {
  const rights = (stat.mode & 0o7777n).toString(8);
  const name = Buffer.from(path).toString('latin1');
  if (stat.isDirectory()) return `d ${rights} ${stat.ino} ${name}`;
  const kind = stat.isSymbolicLink() ? 'l' : stat.isFile() ? 'f' : 'p';
  return `${kind} ${rights} ${stat.size} ${stat.ino} ${seconds(stat.ctimeNs)} ${seconds(stat.mtimeNs)} ${name}`;
}

function seconds(ns: bigint): string {
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}0`;
}

/** The last moment before, as the program reads it. */
function secondsBefore(ns: bigint): string {
  return `@${seconds(ns - 1n).slice(0, -1)}`;
}

/** The other way round; the program prints a tenth digit, which is always zero. */
function nanoseconds(printed: string): string {
  const point = printed.indexOf('.');
  return printed.slice(0, point) + printed.slice(point + 1, -1);
}

/** Of a plain file, a link or a folder; pipes and devices are printed otherwise. */
export function isUsual(record: string): boolean {
  return /^[fld] /.test(record);
}

export function parseRecord(record: string): LookedAt {
  const parts = record.split(' ');
  const path = parts.slice(parts[0] === 'd' ? 3 : 6).join(' ');
  return { kind: parts[0]!, rights: parts[1] ?? '', path: nameFrom(path) };
}

/** What the look says about a path; null: it was not there. */
export function recordIn(look: Look, path: string): string | null {
  const [place] = placesOf(look, Buffer.from(` ${path}\0`), (_, at) => startOf(look, path, at));
  return place === undefined ? null : look.toString('latin1', place[0], place[1] - 1);
}

/** What it says about the entries of a folder, by their paths; the directory itself is ''. */
export function childrenIn(look: Look, folder: string): Map<string, string> {
  const records = folder === '' ? recordsAtTop(look) : recordsWith(look, `${folder}/`);
  const children = new Map<string, string>();
  for (const record of records) {
    const { path } = parseRecord(record);
    if (path.slice(0, Math.max(0, path.lastIndexOf('/'))) === folder) children.set(path, record);
  }
  return children;
}

function recordsAtTop(look: Look): string[] {
  const found: string[] = [];
  let slash = look.indexOf(SLASH);
  for (let start = 0, end = look.indexOf(0); end !== -1; start = end + 1, end = look.indexOf(0, start)) {
    if (slash !== -1 && slash < start) slash = look.indexOf(SLASH, start);
    if (slash === -1 || slash > end) found.push(look.toString('latin1', start, end));
  }
  return found;
}

/** Paths below a folder. */
export function recordsBelow(look: Look, folder: string): string[] {
  return recordsWith(look, `${folder}/`).map((record) => parseRecord(record).path);
}

function recordsWith(look: Look, prefix: string): string[] {
  const found: string[] = [];
  const wanted = Buffer.from(` ${prefix}`);
  for (let at = look.indexOf(wanted); at !== -1;) {
    const end = look.indexOf(0, at);
    const record = look.toString('latin1', at === 0 ? 0 : look.lastIndexOf(0, at) + 1, end);
    if (parseRecord(record).path.startsWith(prefix)) found.push(record);
    at = look.indexOf(wanted, end);
  }
  return found;
}

/** How many bytes of whole records are the same at the beginning of both. */
function sameStart(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.subarray(at, Math.min(at + BLOCK, most)).equals(b.subarray(at, Math.min(at + BLOCK, most)))) at += BLOCK;
  at = Math.min(at, most);
  while (at < most && a[at] === b[at]) at += 1;
  return at === 0 ? 0 : a.lastIndexOf(0, at - 1) + 1;
}

/** Both without the whole records that are the same at their ends. */
function trimEnd(a: Buffer, b: Buffer): [Buffer, Buffer] {
  const most = Math.min(a.length, b.length);
  let same = 0;
  const tail = (buffer: Buffer, from: number, to: number): Buffer => buffer.subarray(buffer.length - to, buffer.length - from);
  while (same < most && tail(a, same, Math.min(same + BLOCK, most)).equals(tail(b, same, Math.min(same + BLOCK, most)))) same += BLOCK;
  same = Math.min(same, most);
  while (same < most && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  if (same === 0) return [a, b];
  const whole = a.length - (a.indexOf(0, a.length - same) + 1);
  return [a.subarray(0, a.length - whole), b.subarray(0, b.length - whole)];
}

function placesOf(look: Look, wanted: Buffer, begin: (start: number, at: number) => number | null): [number, number][] {
  const found: [number, number][] = [];
  for (let at = look.indexOf(wanted); at !== -1; at = look.indexOf(wanted, at + 1)) {
    const start = begin(at, at);
    if (start !== null && (start === 0 || look[start - 1] === 0)) found.push([start, at + wanted.length]);
  }
  return found;
}

/** Where the record begins whose path ends at this place; null where it only ends like it. */
function startOf(look: Look, path: string, at: number): number | null {
  const start = at === 0 ? 0 : look.lastIndexOf(0, at - 1) + 1;
  const record = look.toString('latin1', start, at + 1 + Buffer.byteLength(path));
  return parseRecord(record).path === path ? start : null;
}
