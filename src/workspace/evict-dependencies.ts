/**
 * Bounds what is kept of installed dependencies: when something new was installed, what was not used for longest goes until the rest is small enough.
 *
 * 1. What was used within a day stays, however much it is: another process may be working with it. Every use is noted before anything is taken.
 * 2. A folder leaves its name first. One that was used in that moment after all gets its name back.
 * 3. Halves of installs that were cut off go after a day.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { walkDirectory } from './walk.ts';

interface Kept {
  folder: string;
  usedAt: number;
  bytes: number;
}

const DAY_MS = 24 * 60 * 60_000;
const MOST_BYTES = 10 * 1024 ** 3;
const BUILDING = 'building-';

/** Before the folder is looked into. */
export async function noteUse(platform: Platform, folder: string): Promise<void> {
  if (await platform.files.exists(folder)) await platform.files.write(join(folder, 'used'), `${platform.clock.now()}\n`).catch(() => {});
}

export async function evictDependencies(platform: Platform, cache: string, mostBytes = MOST_BYTES): Promise<void> {
  const now = platform.clock.now();
  const kept: Kept[] = [];
  for (const entry of await platform.files.list(cache).catch(() => [])) {
    const folder = join(cache, entry.name);
    if (!entry.name.startsWith(BUILDING))
      kept.push({ folder, usedAt: await lastUse(platform, folder), bytes: await sizeOf(platform, folder) });
    else if (now - (await touchedAt(platform, folder)) > DAY_MS) await platform.files.remove(folder);
  }
  let bytes = kept.reduce((sum, one) => sum + one.bytes, 0);
  for (const one of kept.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= mostBytes || now - one.usedAt <= DAY_MS) return;
    if (await evict(platform, cache, one)) bytes -= one.bytes;
  }
}

async function evict(platform: Platform, cache: string, { folder, usedAt }: Kept): Promise<boolean> {
  const leaving = join(cache, `${BUILDING}${platform.random.id(6)}-leaving`);
  const moved = await platform.files.rename(folder, leaving).then(
    () => true,
    () => false,
  );
  if (!moved) return false;
  if ((await lastUse(platform, leaving)) !== usedAt) {
    const isBack = await platform.files.rename(leaving, folder).then(
      () => true,
      () => false,
    );
    if (isBack) return false;
  }
  await platform.files.remove(leaving);
  return true;
}

async function lastUse(platform: Platform, folder: string): Promise<number> {
  const noted = Number((await platform.files.readTextIfExists(join(folder, 'used'))) ?? Number.NaN);
  return Number.isFinite(noted) ? noted : await touchedAt(platform, join(folder, 'complete'));
}

async function touchedAt(platform: Platform, path: string): Promise<number> {
  return Number((await platform.files.lstat(path).catch(() => null))?.mtimeMs ?? 0);
}

async function sizeOf(platform: Platform, folder: string): Promise<number> {
  const noted = Number((await platform.files.readTextIfExists(join(folder, 'bytes'))) ?? Number.NaN);
  if (Number.isFinite(noted)) return noted;
  const { files } = await walkDirectory(platform, folder);
  const bytes = files.reduce((sum, { stat }) => sum + Number(stat.blocks) * 512, 0);
  await platform.files.write(join(folder, 'bytes'), `${bytes}\n`).catch(() => {});
  return bytes;
}
