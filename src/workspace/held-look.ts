/**
 * What a large directory held, in files beside it: a look, and what changed in it since that file was written.
 *
 * 1. A few changes are written by themselves; the whole look is written again only when they become many.
 * 2. A file that is damaged, or belongs to another look, is none. A look without its later changes is as sure: what it says about
 *    files that are other ones now shows as a difference.
 */
import { createHash } from 'node:crypto';
import type { Platform } from '../platform/platform.ts';
import { changeLook, lookBytes, lookFrom, type Look, type LookChanges } from './look-pieces.ts';
import type { HeldTree } from './large-room.ts';
import type { Moment } from './look-again.ts';

const MOST_LATER = 1_000;

/** Beside the file of a look: its later changes. */
export function laterOf(file: string): string {
  return `${file}.later`;
}

/** `durable`: also after a power cut. What is held from then on is what is returned. */
export async function saveHeld(platform: Platform, file: string, held: HeldTree, options: { durable?: boolean } = {}): Promise<HeldTree> {
  const write = async (path: string, bytes: Buffer): Promise<void> => {
    if (options.durable === true) await platform.files.writeAtomic(path, bytes, 0o600);
    else await platform.files.write(path, bytes, 0o600);
  };
  if (held.kept !== undefined && held.kept.later.size <= MOST_LATER) {
    await write(laterOf(file), formatLater(held, held.kept));
    return held;
  }
  const sum = sumOf(held);
  await write(file, Buffer.concat([Buffer.from(`${held.tree} ${sum} ${timeOf(held)}\n`), ...lookBytes(held.look)]));
  await platform.files.remove(laterOf(file));
  return { ...held, kept: { sum, later: new Map() } };
}

export async function loadHeld(platform: Platform, file: string): Promise<HeldTree | null> {
  const bytes = await platform.files.read(file).catch(() => null);
  const end = bytes?.indexOf(10) ?? -1;
  if (bytes === null || end === -1) return null;
  const [tree = '', sum = '', time = ''] = bytes.toString('latin1', 0, end).split(' ');
  const held: HeldTree = { tree, look: lookFrom(bytes.subarray(end + 1)), since: readTime(time) };
  if (sum !== sumOf(held)) return null;
  const later = parseLater(await platform.files.readTextIfExists(laterOf(file)).catch(() => null), sum);
  if (later === null) return { ...held, kept: { sum, later: new Map() } };
  return { tree: later.tree, look: changeLook(held.look, later.changes), since: readTime(later.time), kept: { sum, later: later.changes } };
}

interface Later {
  tree: string;
  time: string;
  changes: LookChanges;
}

function formatLater(held: HeldTree, { sum, later }: { sum: string; later: LookChanges }): Buffer {
  const text = JSON.stringify({ look: sum, tree: held.tree, time: timeOf(held), changes: [...later] });
  return Buffer.from(`${sha1(text)}\n${text}`);
}

function parseLater(file: string | null, look: string): Later | null {
  const end = file?.indexOf('\n') ?? -1;
  if (file === null || end === -1) return null;
  const text = file.slice(end + 1);
  if (file.slice(0, end) !== sha1(text)) return null;
  const document = JSON.parse(text) as { look: string; tree: string; time: string; changes: [string, string | null][] };
  return document.look === look ? { tree: document.tree, time: document.time, changes: new Map(document.changes) } : null;
}

function sumOf(held: { tree: string; look: Look; since: Moment | null }): string {
  const hash = createHash('sha1').update(`3 ${held.tree} ${timeOf(held)}`);
  for (const bytes of lookBytes(held.look)) hash.update(bytes);
  return hash.digest('hex');
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function timeOf({ since }: { since: Moment | null }): string {
  return since === null ? '' : [since.boot, since.ns, since.now, since.ms].join(',');
}

function readTime(time: string): Moment | null {
  const [boot = '', ns = '0', now, ms] = time.split(',');
  return boot === '' ? null : { boot, ns: BigInt(ns), now: Number(now), ms: Number(ms) };
}
