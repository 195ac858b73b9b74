/**
 * Trees and blobs in home's object store.
 *
 * 1. Bytes are raw: no filter, no line-ending conversion, either way.
 * 2. Trees and blobs never change, so the latest listings and small blobs are kept in memory under their ids.
 */
import { usageError } from '../domain/errors.ts';
import type { TreeChange, TreeEdit, TreeEntry, TreeStore } from '../domain/tree.ts';
import { git, gitLine } from '../platform/git.ts';
import type { Platform } from '../platform/platform.ts';
import { concurrently } from './concurrently.ts';
import type { Home } from './home.ts';
import { updateIndex, withOwnIndex, writeTree, type IndexChange } from './own-index.ts';

export interface HomeTreeStore extends TreeStore {
  /** Calls `take` for each blob once, in bounded memory; blobs of the same id are read once. */
  readBlobs(oids: readonly string[], take: (oid: string, content: Buffer) => Promise<void>): Promise<void>;
  writeBlob(content: string | Uint8Array): Promise<string>;
  emptyTree(): Promise<string>;
}

const KEPT_LISTINGS = 16;
const KEPT_BLOBS = 64;
const KEPT_BLOB_BYTES = 1024 * 1024;
const BATCH_BYTES = 64 * 1024 * 1024;

export function createTreeStore(platform: Platform, home: Home): HomeTreeStore {
  const listings = new Map<string, Promise<TreeEntry[]>>();
  const list = (tree: string): Promise<TreeEntry[]> => {
    let listing = listings.get(tree);
    if (listing === undefined) {
      listing = listTree(platform, home, tree);
      listing.catch(() => listings.delete(tree));
      listings.set(tree, listing);
      if (listings.size > KEPT_LISTINGS) listings.delete(listings.keys().next().value!);
    }
    return listing;
  };
  const blobs = new Map<string, Buffer>();
  const readBlob = async (oid: string): Promise<Buffer> => {
    const content = blobs.get(oid) ?? (await git(platform, ['cat-file', 'blob', oid], { cwd: home.root }));
    if (content.length <= KEPT_BLOB_BYTES) blobs.set(oid, content);
    if (blobs.size > KEPT_BLOBS) blobs.delete(blobs.keys().next().value!);
    return content;
  };
  const writeBlob = (content: string | Uint8Array): Promise<string> =>
    gitLine(platform, ['hash-object', '-w', '--stdin'], { cwd: home.root, stdin: content });
  return {
    list,
    readBlob,
    writeBlob,
    read: async (tree, path) => {
      const entry = (await list(tree)).find((candidate) => candidate.path === path);
      return entry === undefined || entry.mode === '160000' ? null : readBlob(entry.oid);
    },
    readBlobs: (oids, take) => readBlobs(platform, home, oids, take),
    diff: (from, to) => diffTrees(platform, home, from, to),
    compose: (tree, edits) => compose(platform, home, writeBlob, tree, edits),
    emptyTree: () => gitLine(platform, ['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd: home.root }),
  };
}

/** The given store where it is one of home's; else a new one over home. */
export function homeTreeStore(platform: Platform, home: Home, store?: TreeStore): HomeTreeStore {
  return store !== undefined && isHomeTreeStore(store) ? store : createTreeStore(platform, home);
}

function isHomeTreeStore(store: TreeStore): store is HomeTreeStore {
  return 'readBlobs' in store;
}

async function listTree(platform: Platform, home: Home, tree: string): Promise<TreeEntry[]> {
  const output = await git(platform, ['ls-tree', '-r', '-z', '--full-tree', tree], { cwd: home.root });
  return splitRecords(output).map((record) => {
    const tab = record.indexOf('\t');
    const [mode, , oid] = record.slice(0, tab).split(' ');
    return { path: record.slice(tab + 1), mode: mode!, oid: oid! };
  });
}

async function diffTrees(platform: Platform, home: Home, from: string, to: string): Promise<TreeChange[]> {
  if (from === to) return [];
  const output = await git(platform, ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from, to], { cwd: home.root });
  const records = splitRecords(output);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < records.length; at += 2) {
    const [fromMode, toMode, fromOid, toOid] = records[at]!.slice(1).split(' ');
    const path = records[at + 1]!;
    const before = fromMode === '000000' ? null : { path, mode: fromMode!, oid: fromOid! };
    const after = toMode === '000000' ? null : { path, mode: toMode!, oid: toOid! };
    changes.push({ path, status: before === null ? 'added' : after === null ? 'deleted' : 'modified', from: before, to: after });
  }
  return changes;
}

async function compose(
  platform: Platform,
  home: Home,
  writeBlob: HomeTreeStore['writeBlob'],
  tree: string,
  edits: readonly TreeEdit[],
): Promise<string> {
  if (edits.length === 0) return tree;
  const changes = await concurrently(edits, 4, async (edit): Promise<IndexChange> => {
    if (edit.kind === 'delete') return { path: edit.path, entry: null };
    if (edit.kind === 'entry') return { path: edit.path, entry: { mode: edit.entry.mode, oid: edit.entry.oid } };
    return { path: edit.path, entry: { mode: edit.mode ?? '100644', oid: await writeBlob(edit.content) } };
  });
  return withOwnIndex(platform, home, async (indexFile) => {
    await git(platform, ['read-tree', tree], { cwd: home.root, indexFile });
    await updateIndex(platform, home, indexFile, changes);
    return writeTree(platform, home, indexFile);
  });
}

async function readBlobs(
  platform: Platform,
  home: Home,
  oids: readonly string[],
  take: (oid: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const wanted = [...new Set(oids)];
  if (wanted.length === 0) return;
  const sizes = (await git(platform, ['cat-file', '--batch-check=%(objectsize)'], { cwd: home.root, stdin: lines(wanted) }))
    .toString('utf8')
    .split('\n');
  let batch: string[] = [];
  let bytes = 0;
  for (const [at, oid] of wanted.entries()) {
    const size = Number(sizes[at]);
    if (!Number.isInteger(size)) throw new Error(`object ${oid} is missing from ${home.commonDir}`);
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      await readBatch(platform, home, batch, bytes, take);
      batch = [];
      bytes = 0;
    }
    batch.push(oid);
    bytes += size;
  }
  await readBatch(platform, home, batch, bytes, take);
}

async function readBatch(
  platform: Platform,
  home: Home,
  oids: readonly string[],
  bytes: number,
  take: (oid: string, content: Buffer) => Promise<void>,
): Promise<void> {
  const output = await git(platform, ['cat-file', '--batch=%(objectsize)'], {
    cwd: home.root,
    stdin: lines(oids),
    maxOutputBytes: bytes + oids.length * 32 + 65_536,
  });
  const blobs: [string, Buffer][] = [];
  let at = 0;
  for (const oid of oids) {
    const end = output.indexOf(10, at);
    const size = Number(output.subarray(at, end).toString('latin1'));
    if (!Number.isInteger(size)) throw new Error(`object ${oid} could not be read from ${home.commonDir}`);
    blobs.push([oid, output.subarray(end + 1, end + 1 + size)]);
    at = end + size + 2;
  }
  await concurrently(blobs, 16, ([oid, content]) => take(oid, content));
}

/** NUL-separated records as text; a name that is not UTF-8 cannot be carried safely and is refused. */
function splitRecords(output: Buffer): string[] {
  const text = output.toString('utf8');
  if (text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(output)) {
    const name = text.split('\0').find((record) => record.includes('\ufffd')) ?? '';
    throw usageError(
      `A tracked file has a name that is not valid UTF-8: ${name}`,
      'Rename the file; the harness works with UTF-8 names only.',
    );
  }
  const records = text.split('\0');
  records.pop();
  return records;
}

function lines(values: readonly string[]): string {
  return `${values.join('\n')}\n`;
}
