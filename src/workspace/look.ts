/**
 * A large directory as one program of the system sees it, so that comparing it with what it held costs no object for each file.
 *
 * 1. A record for each entry: kind, rights, size, inode, change time, modification time and path; of folders only kind, rights, inode and path.
 *    A file whose record is the same is the same file with the same content: nobody can set a change time back.
 * 2. `null` where this machine cannot tell, or a part of the directory cannot be looked at: then every file has to be looked at in another way.
 */
import type { BigIntStats } from 'node:fs';
import type { Platform } from '../platform/platform.ts';
import { recordsFrom, sortRecords, type Look } from './look-pieces.ts';
import { parseRecord, type LookedAt } from './look-record.ts';
import type { IndexStat } from './format-index.ts';
import { itemAt } from '../domain/items.ts';

const OF_FOLDER = 'd %m %i %P\\0';
const OF_FILE = '%y %m %s %i %C@ %T@ %P\\0';

export interface LookOptions {
  /** Names at the top that are not looked at where they are real folders. */
  except?: readonly string[];
}

export async function takeLook(platform: Platform, root: string, { except = [] }: LookOptions = {}): Promise<Look | null> {
  const records = await printed(platform, root, ['-P', '.', '-mindepth', '1', ...passedOver(except)]);
  return records === null ? null : sortRecords(records);
}

/** Records of what has a change time from `since` on, in nanoseconds; the directory itself is among it, with an empty path. */
export async function takeTouched(
  platform: Platform,
  root: string,
  { except = [], since }: LookOptions & { since: bigint },
): Promise<string[] | null> {
  return await printed(platform, root, ['-P', '.', ...passedOver(except), '!', '-newerct', secondsBefore(since), '-o']);
}

function passedOver(names: readonly string[]): string[] {
  return names.flatMap((name) => ['-type', 'd', '-path', `./${name.replace(/[[\]*?\\]/g, '\\$&')}`, '-prune', '-o']);
}

async function printed(platform: Platform, root: string, which: readonly string[]): Promise<string[] | null> {
  const looked = await platform.processes
    .run({
      file: 'find',
      args: [...which, '-type', 'd', '-printf', OF_FOLDER, '-o', '-printf', OF_FILE],
      cwd: root,
      env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
      maxOutputBytes: 512 * 1024 * 1024,
    })
    .catch(() => null);
  if (looked === null || looked.code !== 0 || looked.truncated) return null;
  const records = looked.stdout.toString('latin1').split('\0');
  return records.filter((record) => record !== '');
}

/** Records that only one of two looks has. `null`: a name among them is not valid UTF-8. */
export function compareLooks(before: Look, now: Look): { gone: LookedAt[]; come: LookedAt[]; records: string[] } | null {
  const [gone, come] = [new Array<string>(), new Array<string>()];
  const [then, here] = [recordsFrom(before), recordsFrom(now)];
  let [left, right] = [then.next(), here.next()];
  while (left.done !== true || right.done !== true) {
    const isFirst = right.done === true || (left.done !== true && left.value.path < right.value.path);
    const isSecond = left.done === true || (right.done !== true && right.value.path < left.value.path);
    const [old, young] = [isSecond ? null : (left.value?.record ?? null), isFirst ? null : (right.value?.record ?? null)];
    if (old !== null && old !== young) gone.push(old);
    if (young !== null && old !== young) come.push(young);
    if (!isSecond) left = then.next();
    if (!isFirst) right = here.next();
  }
  const found = { gone: gone.map(parseRecord), come: come.map(parseRecord), records: come };
  return [...found.gone, ...found.come].some(({ path }) => path.includes('\ufffd')) ? null : found;
}

/** The times in nanoseconds. */
export function parseFile(record: string): { size: string; inode: string; changedNs: string; modifiedNs: string } {
  const [, , size = '', inode = '', changed = '', modified = ''] = record.split(' ', 6);
  return { size, inode, changedNs: nanoseconds(changed), modifiedNs: nanoseconds(modified) };
}

/** The same as numbers, without a text for each: for all files of a large directory. Size and inode are exact up to 2^53. */
export function numbersIn(record: string): Omit<IndexStat, 'oid' | 'mode'> {
  const found = [0, 0, 0, 0, 0, 0, 0];
  let [at, field] = [record.indexOf(' ') + 1, 0];
  for (let digits = 0; field < found.length; at += 1) {
    const code = record.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      // Nine digits after the point are nanoseconds; the tenth is always zero.
      if (field !== CHANGED_NS && field !== MODIFIED_NS) found[field] = itemAt(found, field) * 10 + code - ZERO;
      else if (digits++ < 9) found[field] = itemAt(found, field) * 10 + code - ZERO;
    } else {
      field += 1;
      digits = 0;
    }
  }
  const [, size = 0, inode = 0, changed = 0, changedNs = 0, modified = 0, modifiedNs = 0] = found;
  return { size, inode, changed, changedNs, modified, modifiedNs };
}

const [ZERO, NINE] = [0x30, 0x39];
const [CHANGED_NS, MODIFIED_NS] = [4, 6];

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
