/** Hashes files of the workspace for home's object store, raw; those that cannot be read become findings. */
import { join } from 'node:path';
import type { CaptureFinding, TreeEntry } from '../domain/tree.ts';
import { tryGit } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import type { CapturedFile } from './capture-walk.ts';
import { concurrently } from './concurrently.ts';
import type { Home } from './home.ts';
import { linkLeavesTree } from './paths.ts';
import { objectId, type NewObject, type ObjectFormat } from './write-objects.ts';
import { itemAt } from '../domain/items.ts';

export interface Unhashed {
  path: string;
  mode: string;
  size: number;
}

interface Hashed {
  files: CapturedFile[];
  findings: CaptureFinding[];
  /** What is not in the store yet. */
  objects: NewObject[];
}

export async function hashFiles(
  platform: Platform,
  home: Home,
  {
    workspace,
    entries,
    before,
    format,
  }: { workspace: string; entries: readonly Unhashed[]; before: ReadonlyMap<string, TreeEntry>; format: ObjectFormat },
): Promise<Hashed> {
  const hashed: Hashed = { files: [], findings: [], objects: [] };
  const add = ({ path, mode }: Unhashed, content: Uint8Array): string => {
    const blob: NewObject = { type: 'blob', content };
    const oid = objectId(blob, format);
    hashed.objects.push(blob);
    hashed.files.push({ path, mode, oid });
    return oid;
  };
  const { single, inBatch } = share(entries, workspace);
  const oids = await hashBatch(
    platform,
    home,
    inBatch.map((entry) => join(workspace, entry.path)),
  );
  if (oids === null) single.push(...inBatch);
  else for (const [at, { path, mode }] of inBatch.entries()) hashed.files.push({ path, mode, oid: itemAt(oids, at) });
  await concurrently(single, 4, async (entry) => {
    const content = await platform.files.read(join(workspace, entry.path)).catch(() => null);
    if (content === null) hashed.findings.push({ kind: 'unreadable', path: entry.path, detail: 'it cannot be read' });
    else add(entry, content);
  });
  await concurrently(
    entries.filter((entry) => entry.mode === '120000'),
    4,
    async (entry) => {
      const target = await platform.files.readlink(join(workspace, entry.path));
      const oid = add(entry, Buffer.from(target));
      if (linkLeavesTree(entry.path, target) && before.get(entry.path)?.oid !== oid) {
        hashed.findings.push({ kind: 'symlink_outside', path: entry.path, detail: `it points to ${JSON.stringify(target)}` });
      }
    },
  );
  return hashed;
}

const MOST_FILES_HERE = 200;
const MOST_BYTES_HERE = 16 * 1024 * 1024;

/** Files to read here, and those that git reads and stores itself: what is too much for the memory of this process. */
function share(entries: readonly Unhashed[], workspace: string): { single: Unhashed[]; inBatch: Unhashed[] } {
  const [single, inBatch]: [Unhashed[], Unhashed[]] = [[], []];
  let bytes = 0;
  for (const entry of entries.filter(({ mode }) => mode !== '120000')) {
    const isLittle = single.length < MOST_FILES_HERE && bytes + entry.size <= MOST_BYTES_HERE;
    if (isLittle) bytes += entry.size;
    (isLittle || !fitsInBatch(workspace, entry.path) ? single : inBatch).push(entry);
  }
  return { single, inBatch };
}

/** The ids that regular files would get; nothing is stored, and what cannot be told is missing. */
export async function unwrittenIds(
  platform: Platform,
  home: Home,
  workspace: string,
  entries: readonly { path: string }[],
): Promise<Map<string, string>> {
  const inBatch = entries.filter((entry) => fitsInBatch(workspace, entry.path));
  const paths = inBatch.map((entry) => join(workspace, entry.path));
  const oids = await hashBatch(platform, home, paths, { store: false });
  return new Map((oids ?? []).map((oid, at) => [itemAt(inBatch, at).path, oid]));
}

function fitsInBatch(workspace: string, path: string): boolean {
  return !path.includes('\n') && !workspace.includes('\n');
}

async function hashBatch(platform: Platform, home: Home, paths: readonly string[], { store } = { store: true }): Promise<string[] | null> {
  if (paths.length === 0) return [];
  const result = await tryGit(platform, ['hash-object', ...(store ? ['-w'] : []), '--no-filters', '--stdin-paths'], {
    cwd: home.root,
    stdin: `${paths.join('\n')}\n`,
  });
  const oids = result.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  return result.code === 0 && oids.length === paths.length ? oids : null;
}
