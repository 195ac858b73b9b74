/** What the Stop hook knows of a session of a host: where it began, what was judged, and how each stop ended. Below `$HARNESS_HOME/judged`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from '../../domain/zod.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Platform } from '../../platform/platform.ts';
import { harnessHome } from '../../platform/harness-home.ts';
import { tryGit } from '../../platform/git.ts';
import { projectKey } from '../../workspace/paths.ts';

const StateSchema = z.object({ head: z.string(), fingerprint: z.string() });
export type TreeState = z.infer<typeof StateSchema>;

const StopSchema = z.object({
  at: z.string(),
  fingerprint: z.string(),
  /** `words`: only documents changed, so nothing was judged. */
  verdict: z.enum(['accepted', 'regression_only', 'nothing', 'rejected', 'needs_review', 'not_judged', 'words']),
  /** A stop that was blocked is *not verified* until another one passes, whether the host honoured the block or not. */
  result: z.enum(['verified', 'regression_only', 'nothing', 'needs_review', 'not_verified']),
  blocked: z.boolean(),
  /** For the model where it was blocked, else for the person; empty: nothing to say. */
  message: z.string(),
});
export type RecordedStop = z.infer<typeof StopSchema>;

const RecordSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  session: z.string(),
  project: z.string(),
  /** Null: the hook was installed later. */
  start: StateSchema.nullable(),
  /** Blocks in a row, up to the last stop. */
  blocks: z.number(),
  stops: z.array(StopSchema),
});
export type StopRecord = z.infer<typeof RecordSchema>;

const MOST_STOPS = 100;
const MOST_RECORDS = 50;

export function emptyRecord(session: string, project: string): StopRecord {
  return { schema_version: 1, harness_version: HARNESS_VERSION, session, project, start: null, blocks: 0, stops: [] };
}

export async function readStopRecord(platform: Platform, root: string, session: string): Promise<StopRecord | null> {
  const text = await platform.files.readTextIfExists(fileOf(platform, root, session));
  try {
    const read = RecordSchema.safeParse(JSON.parse(text ?? 'null'));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

export async function writeStopRecord(platform: Platform, root: string, record: StopRecord): Promise<void> {
  const file = fileOf(platform, root, record.session);
  await platform.files.mkdirPrivate(folderOf(platform, root));
  await platform.files.writeAtomic(file, `${JSON.stringify({ ...record, stops: record.stops.slice(-MOST_STOPS) }, null, 2)}\n`);
  const found = await platform.files.listStats(folderOf(platform, root));
  const oldest = found.toSorted((one, other) => Number((other.stat?.mtimeNs ?? 0n) - (one.stat?.mtimeNs ?? 0n)));
  for (const { name } of oldest.slice(MOST_RECORDS)) await platform.files.remove(join(folderOf(platform, root), name));
}

function folderOf(platform: Platform, root: string): string {
  return join(harnessHome(platform), 'judged', projectKey(root), 'stops');
}

function fileOf(platform: Platform, root: string, session: string): string {
  return join(folderOf(platform, root), `${createHash('sha256').update(session).digest('hex').slice(0, 16)}.json`);
}

/** HEAD and every file that differs from it, told apart by what the file system knows of it; null outside of a repository with a commit. */
export async function treeState(platform: Platform, cwd: string): Promise<(TreeState & { root: string }) | null> {
  const [top, status] = await Promise.all([
    tryGit(platform, ['rev-parse', '--show-toplevel', 'HEAD'], { cwd }),
    tryGit(platform, ['status', '--porcelain=v2', '-z', '--untracked-files=all', '--no-renames'], { cwd }),
  ]);
  if (top.code !== 0 || status.code !== 0) return null;
  const [root = '', head = ''] = top.stdout.toString('utf8').trim().split('\n');
  const hash = createHash('sha256').update(head);
  for (const entry of status.stdout.toString('utf8').split('\0')) {
    const path = pathOf(entry);
    if (path === null || path === '.harness' || path.startsWith('.harness/')) continue;
    const stat = await platform.files.lstat(join(root, path)).catch(() => null);
    hash.update(`${entry}\0${stat === null ? 'gone' : `${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.ino}`}\0`);
  }
  return { root, head, fingerprint: hash.digest('hex') };
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function pathOf(entry: string): string | null {
  const fields = entry.startsWith('1 ') ? 8 : entry.startsWith('u ') ? 10 : entry.startsWith('? ') ? 1 : 0;
  return fields === 0 ? null : entry.split(' ').slice(fields).join(' ');
}
