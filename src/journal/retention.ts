/**
 * How long entries are kept.
 *
 * 1. Critical entries stay for ever; the others go after the days of their level, or after `logging.retention_days` where that is less.
 * 2. A file is written anew only when something goes, and appears whole under its name.
 */
import { dirname, join } from 'node:path';
import type { Level } from '../domain/event.ts';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import type { Platform } from '../platform/platform.ts';
import { JOURNAL_FILES, type JournalFile } from './files.ts';
import { scanForward, type Visit } from './scan.ts';

const DAY = 86_400_000;
const KEPT_DAYS: Readonly<Record<Level, number>> = { critical: Number.POSITIVE_INFINITY, important: 90, routine: 30, debug: 7 };

/** Level of files whose lines carry none: decisions and session summaries are few and matter for good. */
const FILE_LEVELS: Readonly<Record<JournalFile, Level>> = {
  events: 'important',
  decisions: 'critical',
  actions: 'routine',
  sessions: 'critical',
};

/** The time before which entries of a level go; `null`: never. */
export function expiryOf(level: Level, now: number, retentionDays: number): number | null {
  if (level === 'critical') return null;
  return now - Math.min(KEPT_DAYS[level], retentionDays) * DAY;
}

/** Lines that cannot be read are kept: the journal throws away only what it understands. */
export function keepsLine(line: string, fileLevel: Level, now: number, retentionDays: number): boolean {
  let entry: { ts?: unknown; type?: unknown; level?: unknown } | null;
  try {
    entry = JSON.parse(line) as typeof entry;
  } catch {
    return true;
  }
  if (entry === null || entry.type === 'header' || typeof entry.ts !== 'string') return true;
  const expiry = expiryOf(isLevel(entry.level) ? entry.level : fileLevel, now, retentionDays);
  const time = Date.parse(entry.ts);
  return expiry === null || Number.isNaN(time) || time >= expiry;
}

/** Called by the holder of the project's lock while no journal is open; returns how many lines went from each file. */
export async function pruneJournal(
  platform: Platform,
  directory: string,
  retentionDays: number,
): Promise<Partial<Record<JournalFile, number>>> {
  const dropped: Partial<Record<JournalFile, number>> = {};
  for (const [file, name] of Object.entries(JOURNAL_FILES) as [JournalFile, string][]) {
    if (FILE_LEVELS[file] === 'critical') continue;
    const count = await pruneFile(platform, join(directory, name), FILE_LEVELS[file], retentionDays);
    if (count > 0) dropped[file] = count;
  }
  return dropped;
}

async function pruneFile(platform: Platform, path: string, level: Level, retentionDays: number): Promise<number> {
  const now = platform.clock.now();
  if (!(await anyExpired(platform, path, level, now, retentionDays))) return 0;
  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}prune-${platform.random.id(4)}`);
  let dropped = 0;
  let kept: string[] = [];
  const visit: Visit = (chunk, start, end) => {
    const line = chunk.toString('utf8', start, end);
    if (keepsLine(line, level, now, retentionDays)) kept.push(`${line}\n`);
    else dropped += 1;
    return true;
  };
  await scanForward(platform, path, [], visit, async () => {
    await platform.files.append(temporary, kept.join(''));
    kept = [];
  });
  await platform.files.append(temporary, '', { sync: true });
  await platform.files.rename(temporary, path);
  return dropped;
}

async function anyExpired(platform: Platform, path: string, level: Level, now: number, retentionDays: number): Promise<boolean> {
  let found = false;
  await scanForward(platform, path, [], (chunk, start, end) => {
    found = !keepsLine(chunk.toString('utf8', start, end), level, now, retentionDays);
    return !found;
  });
  return found;
}

function isLevel(value: unknown): value is Level {
  return typeof value === 'string' && Object.hasOwn(KEPT_DAYS, value);
}
