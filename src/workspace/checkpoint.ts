/**
 * Checkpoints: `<state>/checkpoints/<id>/` with `checkpoint.json` and copies of state documents, and a snapshot of the whole working
 * tree under `refs/harness/checkpoints/<id>`.
 *
 * `checkpoint.json` is written last: a directory without it is no checkpoint.
 */
import { inOrder } from '../domain/in-order.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from '../domain/zod.ts';
import { HarnessError, usageError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { HARNESS_VERSION } from '../domain/version.ts';
import { git } from '../platform/git.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import { readHead, type Home } from './home.ts';
import { snapshotWorkingTree } from './snapshot.ts';
import { harnessRef } from './refs.ts';
import { firstItem } from '../domain/items.ts';

export const CheckpointSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  id: z.string().regex(/^[a-z0-9-]+$/),
  timestamp: z.string(),
  session: z.number().int(),
  feature: z.number().int().nullable(),
  /** pre_feature, pre_verification, manual, … */
  reason: z.string(),
  git_ref: z.string(),
  branch: z.string().nullable(),
  /** Pins a commit of the working tree, untracked files included. */
  snapshot_ref: z.string(),
  snapshot: z.string(),
  /** SHA-256; null when the file was not there. */
  features_json_hash: z.string().nullable(),
  progress_file_hash: z.string().nullable(),
  files: z.object({ features: z.string(), progress: z.string() }),
  /** State documents by name: SHA-256 of the copy, null when there was none. */
  copies: z.record(z.string(), z.string().nullable()),
});
export type Checkpoint = z.infer<typeof CheckpointSchema>;

/** What checkpoints need of the shelf with the project's documents. */
export interface DocumentShelf {
  read(name: string): Promise<string | null>;
  readBytes(name: string): Promise<Uint8Array | null>;
  write(name: string, content: string | Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<string[]>;
  in(folder: string): DocumentShelf;
}

export interface CheckpointOptions {
  home: Home;
  shelf: DocumentShelf;
  session: number;
  feature: number | null;
  reason: string;
  /** Relative to the project. */
  files?: { features: string; progress: string };
  /** Names of documents in the state directory. */
  copies?: readonly string[];
  /** It was seen a moment ago that the working tree is as HEAD has it. */
  clean?: boolean;
}

export const CHECKPOINT_FILE = 'checkpoint.json';

export const DEFAULT_COPIES = ['session_state.json', 'test_baseline.json'] as const;

export async function createCheckpoint(platform: Platform, options: CheckpointOptions): Promise<Checkpoint> {
  const { home, shelf } = options;
  const { head, branch } = await readHead(platform, home);
  if (head === null)
    throw new HarnessError(`${home.root} has no commit yet, so there is nothing to return to.`, {
      exitCode: EXIT.preflight,
      details: ['Commit the project first.'],
    });
  const id = `${isoNow(platform.clock)
    .replace(/[-:]|\.\d+Z$/g, '')
    .toLowerCase()}-${platform.random.id(3)}`;
  const files = options.files ?? { features: 'features.json', progress: 'claude-progress.txt' };
  const folder = shelf.in('checkpoints').in(id);
  const snapshot = await snapshotWorkingTree(platform, home, {
    ref: harnessRef('checkpoints', id),
    message: `harness: checkpoint ${id} (${options.reason})`,
    clean: options.clean ?? false,
  });
  const copies: Record<string, string | null> = {};
  for (const name of options.copies ?? DEFAULT_COPIES) copies[name] = await copyDocument(shelf, folder, name);
  const checkpoint: Checkpoint = {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    id,
    timestamp: isoNow(platform.clock),
    session: options.session,
    feature: options.feature,
    reason: options.reason,
    git_ref: head,
    branch,
    snapshot_ref: snapshot.ref,
    snapshot: snapshot.commit,
    features_json_hash: await hashFile(platform, join(home.root, files.features)),
    progress_file_hash: await hashFile(platform, join(home.root, files.progress)),
    files,
    copies,
  };
  await folder.write(CHECKPOINT_FILE, `${JSON.stringify(checkpoint, null, 2)}\n`);
  return checkpoint;
}

/** Newest first. A checkpoint that cannot be read is named, not dropped. */
export async function listCheckpoints(shelf: DocumentShelf): Promise<{ checkpoints: Checkpoint[]; unreadable: string[] }> {
  const all = shelf.in('checkpoints');
  const checkpoints: Checkpoint[] = [];
  const unreadable: string[] = [];
  for (const name of await all.list().catch(() => [])) {
    const text = await all.in(name).read(CHECKPOINT_FILE);
    const checkpoint = text === null ? null : parseCheckpoint(text);
    if (checkpoint?.id === name) checkpoints.push(checkpoint);
    else if (!(await isDocument(all, name))) unreadable.push(name);
  }
  checkpoints.sort((a, b) => inOrder(b.timestamp, a.timestamp) || inOrder(b.id, a.id));
  return { checkpoints, unreadable };
}

/** By its id or an unambiguous beginning of it. */
export async function findCheckpoint(shelf: DocumentShelf, id: string): Promise<Checkpoint> {
  const { checkpoints } = await listCheckpoints(shelf);
  const found = checkpoints.filter((checkpoint) => checkpoint.id === id);
  const matches = found.length > 0 || id === '' ? found : checkpoints.filter((checkpoint) => checkpoint.id.startsWith(id));
  if (matches.length === 1) return firstItem(matches);
  throw usageError(
    matches.length === 0
      ? `There is no checkpoint "${id}".`
      : `"${id}" could be any of ${matches.map((checkpoint) => checkpoint.id).join(', ')}.`,
    'List them with: harness checkpoints',
  );
}

/** Removes checkpoints with their refs. One that is cut off in between is no checkpoint any more, and the next command clears it away. */
export async function applyRetention(
  platform: Platform,
  options: { home: Home; shelf: DocumentShelf; drop: readonly string[] },
): Promise<void> {
  const all = options.shelf.in('checkpoints');
  for (const id of options.drop) {
    await all.in(id).remove(CHECKPOINT_FILE);
    await git(platform, ['update-ref', '-d', harnessRef('checkpoints', id)], { cwd: options.home.root });
    await all.remove(id);
  }
}

export async function hashDocument(shelf: DocumentShelf, name: string): Promise<string | null> {
  return hashOf(await shelf.readBytes(name).catch(() => null));
}

export async function hashFile(platform: Platform, path: string): Promise<string | null> {
  return hashOf(await platform.files.read(path).catch(() => null));
}

function hashOf(content: Uint8Array | null): string | null {
  return content === null ? null : createHash('sha256').update(content).digest('hex');
}

async function copyDocument(from: DocumentShelf, to: DocumentShelf, name: string): Promise<string | null> {
  const content = await from.readBytes(name);
  if (content === null) return null;
  await to.write(name, content);
  return hashOf(content);
}

/** A file among the checkpoints is not one that was never finished. */
async function isDocument(shelf: DocumentShelf, name: string): Promise<boolean> {
  return (await shelf.read(name).catch(() => null)) !== null;
}

function parseCheckpoint(text: string): Checkpoint | null {
  try {
    return CheckpointSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Which checkpoints may go: pure. */
interface RetentionRules {
  /** Kept for each feature. */
  perFeature: number;
  days: number;
}

const DEFAULT_RULES: RetentionRules = { perFeature: 5, days: 7 };

/**
 * Ids to drop: all but the last few of each feature, and those older than the limit. The last one of a completed feature and the
 * newest of all always stay.
 */
export function planRetention(
  checkpoints: readonly Checkpoint[],
  now: number,
  completed: readonly number[],
  rules: RetentionRules = DEFAULT_RULES,
): string[] {
  const newestFirst = [...checkpoints].sort((a, b) => inOrder(b.timestamp, a.timestamp) || inOrder(b.id, a.id));
  const seen = new Map<number | null, number>();
  const oldest = now - rules.days * 24 * 60 * 60 * 1000;
  return newestFirst
    .filter((checkpoint, at) => {
      const rank = seen.get(checkpoint.feature) ?? 0;
      seen.set(checkpoint.feature, rank + 1);
      if (at === 0) return false;
      if (rank === 0 && checkpoint.feature !== null && completed.includes(checkpoint.feature)) return false;
      return rank >= rules.perFeature || Date.parse(checkpoint.timestamp) < oldest;
    })
    .map((checkpoint) => checkpoint.id);
}
