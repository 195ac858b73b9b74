/**
 * How long entries are kept.
 *
 * 1. Critical entries stay for ever; the others go after the days of their level, or after `logging.retention_days` where that is less.
 * 2. What belongs to a session under way stays, however old it is.
 * 3. A file is written anew only when something goes, and appears whole under its name.
 */
import { dirname, join } from 'node:path';
import type { Level } from '../domain/event.ts';
import { TEMPORARY_PREFIX } from '../platform/files.ts';
import type { Platform } from '../platform/platform.ts';
import { JOURNAL_FILES, type JournalFile } from './files.ts';
import { LINE_START } from './line.ts';
import { scanForward, type Visit } from './scan.ts';
import { mustHave } from '../domain/must-have.ts';

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

export interface RetentionRules {
  now: number;
  retentionDays: number;
  /** Sessions that are not over. */
  underWay: ReadonlySet<number>;
}

/** Lines that cannot be read are kept: the journal throws away only what it understands. */
export function keepsLine(line: string, fileLevel: Level, rules: RetentionRules): boolean {
  let entry: { ts?: unknown; type?: unknown; level?: unknown; session?: unknown } | null;
  try {
    entry = JSON.parse(line) as typeof entry;
  } catch {
    return true;
  }
  if (entry === null || entry.type === 'header' || typeof entry.ts !== 'string') return true;
  if (typeof entry.session === 'number' && rules.underWay.has(entry.session)) return true;
  const expiry = expiryOf(isLevel(entry.level) ? entry.level : fileLevel, rules.now, rules.retentionDays);
  const time = Date.parse(entry.ts);
  return expiry === null || Number.isNaN(time) || time >= expiry;
}

/** Called by the holder of the project's lock while no journal is open; returns how many lines went from each file. */
export async function pruneJournal(
  platform: Platform,
  directory: string,
  options: Omit<RetentionRules, 'now'>,
): Promise<Partial<Record<JournalFile, number>>> {
  const dropped: Partial<Record<JournalFile, number>> = {};
  const rules = { ...options, now: platform.clock.now() };
  for (const [file, name] of Object.entries(JOURNAL_FILES) as [JournalFile, string][]) {
    if (FILE_LEVELS[file] === 'critical') continue;
    const path = join(directory, name);
    const count = (await platform.files.exists(path)) ? await pruneFile(platform, path, FILE_LEVELS[file], rules) : 0;
    if (count > 0) dropped[file] = count;
  }
  return dropped;
}

async function pruneFile(platform: Platform, path: string, level: Level, rules: RetentionRules): Promise<number> {
  if (!(await anyExpired(platform, path, level, rules))) return 0;
  const temporary = join(dirname(path), `${TEMPORARY_PREFIX}prune-${platform.random.id(4)}`);
  let dropped = 0;
  let kept: string[] = [];
  const visit: Visit = (chunk, start, end) => {
    const line = chunk.toString('utf8', start, end);
    if (keepsLine(line, level, rules)) kept.push(`${line}\n`);
    else dropped += 1;
    return true;
  };
  await scanForward(platform, path, {
    words: [],
    visit,
    afterChunk: async () => {
      await platform.files.append(temporary, kept.join(''));
      kept = [];
    },
  });
  await platform.files.append(temporary, '', { sync: true });
  await platform.files.rename(temporary, path);
  return dropped;
}

/** Lines stand in the order of their times: the first that is younger than every limit ends the search. */
async function anyExpired(platform: Platform, path: string, level: Level, rules: RetentionRules): Promise<boolean> {
  const youngest = new Date(mustHave(expiryOf('debug', rules.now, rules.retentionDays), 'lines for debugging expire')).toISOString();
  let found = false;
  await scanForward(platform, path, {
    words: [],
    visit: (chunk, start, end) => {
      const line = chunk.toString('utf8', start, end);
      const time = line.slice(LINE_START.length, LINE_START.length + youngest.length);
      if (line.startsWith(LINE_START) && time >= youngest) return line.includes('"type":"header"');
      found = !keepsLine(line, level, rules);
      return !found;
    },
  });
  return found;
}

function isLevel(value: unknown): value is Level {
  return typeof value === 'string' && Object.hasOwn(KEPT_DAYS, value);
}
