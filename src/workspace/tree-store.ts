/**
 * Trees and blobs in home's object store.
 *
 * 1. Bytes are raw: no filter, no line-ending conversion, either way.
 * 2. Trees and blobs never change, so what was read stays in memory under its id, within bounds.
 * 3. Listing, comparing and composing cost what is new: folders that are known are not read again.
 * 4. Drafts are trees that no ref and no document will ever name: they stay in memory, where every store of this process over the same repository finds
 *    them, and whatever is written on top of one is written with it. Of a project with many files they are written as all others are, because its rooms
 *    remember which tree they hold.
 */
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { MANY_FILES, type TreeEdit, type TreeEntry, type TreeStore } from '../domain/tree.ts';
import { gitLine } from '../platform/git.ts';
import { gitObjects } from '../platform/git-objects.ts';
import type { Platform } from '../platform/platform.ts';
import { composeTree } from './compose.ts';
import { treeOf, type Home } from './home.ts';
import { diffTrees } from './tree-diff.ts';
import { FOLDER, parseTree, type TreeItem } from './tree-object.ts';
import { formatOf, objectId, writeObjects, type NewObject, type ObjectFormat } from './write-objects.ts';
import { itemAt } from '../domain/items.ts';

export interface HomeTreeStore extends TreeStore {
  /** Calls `take` for each blob once, one after the other, in bounded memory. */
  readBlobs(oids: readonly string[], take: (oid: string, content: Buffer) => Promise<void>): Promise<void>;
  /** The id of a tree, or of the tree of a commit; `null` where there is none. */
  resolve(revision: string): Promise<string | null>;
  /** The same, for a revision that a person or a document names: exit 2 where there is none. */
  of(revision: string): Promise<string>;
  /** The edited tree with the objects it needs, which are not in the store yet. */
  plan(tree: string, edits: readonly TreeEdit[]): Promise<{ tree: string; objects: NewObject[] }>;
  write(objects: readonly NewObject[]): Promise<void>;
  writeBlob(content: string | Uint8Array): Promise<string>;
  format(): Promise<ObjectFormat>;
  emptyTree(): Promise<string>;
}

const KEPT_ITEMS = 1_000_000;
const KEPT_ENTRIES = 1_000_000;
const KEPT_BYTES = 16 * 1024 * 1024;
const DRAFT_BYTES = 16 * 1024 * 1024;

type DraftObjects = Map<string, NewObject>;

/** By the repository's common directory. */
const draftedIn = new Map<string, Set<DraftObjects>>();

export function createTreeStore(platform: Platform, home: Home): HomeTreeStore {
  const objects = gitObjects(platform, home.gitDir);
  const trees = bounded<readonly TreeItem[]>(KEPT_ITEMS);
  const listings = bounded<readonly TreeEntry[]>(KEPT_ENTRIES);
  const blobs = bounded<Buffer>(KEPT_BYTES);
  const drafted = (): Iterable<DraftObjects> => draftedIn.get(home.commonDir) ?? [];

  const draftOf = (oid: string, type: NewObject['type']): Buffer | null => {
    for (const drafts of drafted()) {
      const found = drafts.get(oid);
      if (found?.type === type) return Buffer.from(found.content);
    }
    return null;
  };
  const resolve = async (revision: string): Promise<string | null> => {
    if (trees.get(revision) !== undefined || draftOf(revision, 'tree') !== null) return revision;
    const found = await objects.read(`${revision}^{tree}`);
    if (found === null) return null;
    trees.set(found.oid, parseTree(found.content, found.oid.length / 2));
    return found.oid;
  };
  const existing = async (revision: string): Promise<string> => {
    const tree = await resolve(revision);
    if (tree === null) throw new Error(`there is no tree ${revision} in ${home.commonDir}`);
    return tree;
  };
  const readTree = async (oid: string): Promise<readonly TreeItem[]> => {
    const kept = trees.get(oid);
    if (kept !== undefined) return kept;
    const draft = draftOf(oid, 'tree');
    const found = draft === null ? await objects.read(oid) : { type: 'tree', content: draft };
    if (found?.type !== 'tree') throw incomplete('tree', oid, home);
    const items = parseTree(found.content, oid.length / 2);
    trees.set(oid, items);
    return items;
  };
  const list = async (oid: string, prefix = ''): Promise<readonly TreeEntry[]> => {
    const key = `${oid} ${prefix}`;
    const kept = listings.get(key);
    if (kept !== undefined) return kept;
    const items = await readTree(oid);
    const folders = items.filter((item) => item.mode === FOLDER);
    const below = await Promise.all(folders.map((item) => list(item.oid, `${prefix}${item.name}/`)));
    const entries: TreeEntry[] = [];
    let folder = 0;
    for (const { name, mode, oid: id } of items) {
      if (mode !== FOLDER) entries.push({ path: `${prefix}${name}`, mode, oid: id });
      else for (const entry of itemAt(below, folder++)) entries.push(entry);
    }
    listings.set(key, entries);
    return entries;
  };
  const find = async (tree: string, parts: readonly string[]): Promise<TreeItem | null> => {
    const item = (await readTree(tree)).find((one) => one.name === parts[0]) ?? null;
    if (item === null || parts.length === 1) return item;
    return item.mode === FOLDER ? await find(item.oid, parts.slice(1)) : null;
  };
  const readBlob = async (oid: string): Promise<Buffer> => {
    const kept = blobs.get(oid);
    if (kept !== undefined) return kept;
    const draft = draftOf(oid, 'blob');
    if (draft !== null) return draft;
    const found = await objects.read(oid);
    if (found?.type !== 'blob') throw incomplete('blob', oid, home);
    blobs.set(oid, found.content);
    return found.content;
  };
  const format = async (): Promise<ObjectFormat> =>
    home.head !== null
      ? formatOf(home.head)
      : (await gitLine(platform, ['rev-parse', '--show-object-format'], { cwd: home.root })) === 'sha256'
        ? 'sha256'
        : 'sha1';
  const write = async (fresh: readonly NewObject[]): Promise<void> => await writeObjects(platform, home.commonDir, fresh, await format());
  const plan = async (tree: string, edits: readonly TreeEdit[]): Promise<{ tree: string; objects: NewObject[] }> =>
    await composeTree(readTree, await existing(tree), edits, await format());

  /** What stands on a draft needs it. */
  const writeDrafts = async (tree: string, edits: readonly TreeEdit[]): Promise<void> => {
    const named = [tree, ...edits.flatMap((edit) => (edit.kind === 'entry' ? [edit.entry.oid] : []))];
    for (const drafts of drafted()) if (named.some((oid) => drafts.has(oid))) await write([...drafts.values()]);
  };
  const composeDraft = async (drafts: DraftObjects, tree: string, edits: readonly TreeEdit[]): Promise<string> => {
    const composed = await plan(tree, edits);
    const bytes = [...drafts.values(), ...composed.objects].reduce((sum, { content }) => sum + content.length, 0);
    const isSmall = bytes <= DRAFT_BYTES && (await list(await existing(tree))).length < MANY_FILES;
    if (!isSmall) return await store.compose(tree, edits);
    const ids = await format();
    for (const object of composed.objects) drafts.set(objectId(object, ids), object);
    return composed.tree;
  };
  const store: HomeTreeStore = {
    resolve,
    of: (revision) => treeOf(platform, home, revision),
    readBlob,
    format,
    write,
    plan,
    list: async (tree) => await list(await existing(tree)),
    read: async (tree, path) => {
      const item = await find(await existing(tree), path.split('/'));
      return item === null || item.mode === '160000' || item.mode === FOLDER ? null : await readBlob(item.oid);
    },
    readBlobs: async (oids, take) => {
      const stored: string[] = [];
      for (const oid of new Set(oids)) {
        const draft = draftOf(oid, 'blob');
        if (draft === null) stored.push(oid);
        else await take(oid, draft);
      }
      await objects.readEach(stored, async (found, oid) => {
        if (found?.type !== 'blob') throw incomplete('blob', oid, home);
        await take(oid, found.content);
      });
    },
    diff: async (from, to) => await diffTrees(readTree, await existing(from), await existing(to)),
    compose: async (tree, edits) => {
      if (edits.length === 0) return tree;
      const composed = await plan(tree, edits);
      await writeDrafts(tree, edits);
      await write(composed.objects);
      return composed.tree;
    },
    drafts: () => {
      const drafts: DraftObjects = new Map();
      const all = draftedIn.get(home.commonDir) ?? new Set();
      draftedIn.set(home.commonDir, all.add(drafts));
      return {
        ...store,
        compose: async (tree, edits) => (edits.length === 0 ? tree : await composeDraft(drafts, tree, edits)),
        drop: () => {
          all.delete(drafts);
          if (all.size === 0 && draftedIn.get(home.commonDir) === all) draftedIn.delete(home.commonDir);
        },
      };
    },
    writeBlob: async (content) => {
      const blob: NewObject = { type: 'blob', content: Buffer.from(content as Uint8Array) };
      await write([blob]);
      return objectId(blob, await format());
    },
    emptyTree: async () => {
      const empty: NewObject = { type: 'tree', content: Buffer.alloc(0) };
      await write([empty]);
      return objectId(empty, await format());
    },
  };
  return store;
}

/** The given store where it is one of home's; else a new one over home. */
export function homeTreeStore(platform: Platform, home: Home, store?: TreeStore): HomeTreeStore {
  return store !== undefined && isHomeTreeStore(store) ? store : createTreeStore(platform, home);
}

function isHomeTreeStore(store: TreeStore): store is HomeTreeStore {
  return 'plan' in store;
}

interface Kept<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Forgets what was kept first; what is large by itself is not kept at all. */
function bounded<Value extends { length: number }>(most: number): Kept<Value> {
  const kept = new Map<string, Value>();
  let size = 0;
  return {
    get: (key) => kept.get(key),
    set: (key, value) => {
      if (kept.has(key) || value.length > most / 8) return;
      kept.set(key, value);
      size += value.length;
      for (const [first, old] of kept) {
        if (size <= most) break;
        kept.delete(first);
        size -= old.length;
      }
    },
  };
}

/** Something that a commit of the repository names is not in it: a copy that did not arrive whole, or a disk that lost it. */
function incomplete(type: 'tree' | 'blob', oid: string, { commonDir }: Home): HarnessError {
  return new HarnessError('The git repository is incomplete: something that its commits name is missing.', {
    exitCode: EXIT.preflight,
    details: [
      `${type} ${oid} is not in ${commonDir}`,
      'git fsck lists what else is missing; a fresh clone, or git fetch --refetch, may bring it.',
    ],
  });
}
