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
import { MANY_FILES, type TreeEdit, type TreeEntry, type TreeStore, type TreeChange, type Drafts } from '../domain/tree.ts';
import { gitLine } from '../platform/git.ts';
import { gitObjects } from '../platform/git-objects.ts';
import type { Platform } from '../platform/platform.ts';
import { composeTree } from './compose.ts';
import { treeOf, type Home } from './home.ts';
import { FOLDER, parseTree, type TreeItem, compareItems } from './tree-object.ts';
import { formatOf, objectId, writeObjects, type NewObject, type ObjectFormat } from './write-objects.ts';
import { itemAt } from '../domain/items.ts';
import { mustHave } from '../domain/must-have.ts';

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

/** What others call are fields, so that each can be handed on alone. */
class Store implements HomeTreeStore {
  readonly #platform: Platform;
  readonly #home: Home;
  readonly #objects: ReturnType<typeof gitObjects>;
  readonly #trees = bounded<readonly TreeItem[]>(KEPT_ITEMS);
  readonly #listings = bounded<readonly TreeEntry[]>(KEPT_ENTRIES);
  readonly #blobs = bounded<Buffer>(KEPT_BYTES);

  constructor(platform: Platform, home: Home) {
    this.#platform = platform;
    this.#home = home;
    this.#objects = gitObjects(platform, home.gitDir);
  }

  #drafted(): Iterable<DraftObjects> {
    return draftedIn.get(this.#home.commonDir) ?? [];
  }

  #draftOf(oid: string, type: NewObject['type']): Buffer | null {
    for (const drafts of this.#drafted()) {
      const found = drafts.get(oid);
      if (found?.type === type) return Buffer.from(found.content);
    }
    return null;
  }

  readonly resolve = async (revision: string): Promise<string | null> => {
    if (this.#trees.get(revision) !== undefined || this.#draftOf(revision, 'tree') !== null) return revision;
    const found = await this.#objects.read(`${revision}^{tree}`);
    if (found === null) return null;
    this.#trees.set(found.oid, parseTree(found.content, found.oid.length / 2));
    return found.oid;
  };

  async #existing(revision: string): Promise<string> {
    const tree = await this.resolve(revision);
    if (tree === null) throw new Error(`there is no tree ${revision} in ${this.#home.commonDir}`);
    return tree;
  }

  async #readTree(oid: string): Promise<readonly TreeItem[]> {
    const kept = this.#trees.get(oid);
    if (kept !== undefined) return kept;
    const draft = this.#draftOf(oid, 'tree');
    const found = draft === null ? await this.#objects.read(oid) : { type: 'tree', content: draft };
    if (found?.type !== 'tree') throw incomplete('tree', oid, this.#home);
    const items = parseTree(found.content, oid.length / 2);
    this.#trees.set(oid, items);
    return items;
  }

  async #entriesOf(oid: string, prefix = ''): Promise<readonly TreeEntry[]> {
    const key = `${oid} ${prefix}`;
    const kept = this.#listings.get(key);
    if (kept !== undefined) return kept;
    const items = await this.#readTree(oid);
    const folders = items.filter((item) => item.mode === FOLDER);
    const below = await Promise.all(folders.map((item) => this.#entriesOf(item.oid, `${prefix}${item.name}/`)));
    const entries: TreeEntry[] = [];
    let folder = 0;
    for (const { name, mode, oid: id } of items) {
      if (mode !== FOLDER) entries.push({ path: `${prefix}${name}`, mode, oid: id });
      else for (const entry of itemAt(below, folder++)) entries.push(entry);
    }
    this.#listings.set(key, entries);
    return entries;
  }

  async #find(tree: string, parts: readonly string[]): Promise<TreeItem | null> {
    const item = (await this.#readTree(tree)).find((one) => one.name === parts[0]) ?? null;
    if (item === null || parts.length === 1) return item;
    return item.mode === FOLDER ? await this.#find(item.oid, parts.slice(1)) : null;
  }

  readonly readBlob = async (oid: string): Promise<Buffer> => {
    const kept = this.#blobs.get(oid);
    if (kept !== undefined) return kept;
    const draft = this.#draftOf(oid, 'blob');
    if (draft !== null) return draft;
    const found = await this.#objects.read(oid);
    if (found?.type !== 'blob') throw incomplete('blob', oid, this.#home);
    this.#blobs.set(oid, found.content);
    return found.content;
  };

  readonly format = async (): Promise<ObjectFormat> => {
    if (this.#home.head !== null) return formatOf(this.#home.head);
    return (await gitLine(this.#platform, ['rev-parse', '--show-object-format'], { cwd: this.#home.root })) === 'sha256'
      ? 'sha256'
      : 'sha1';
  };

  readonly write = async (fresh: readonly NewObject[]): Promise<void> => {
    await writeObjects(this.#platform, this.#home.commonDir, fresh, await this.format());
  };

  readonly plan = async (tree: string, edits: readonly TreeEdit[]): Promise<{ tree: string; objects: NewObject[] }> => {
    return await composeTree((oid) => this.#readTree(oid), await this.#existing(tree), edits, await this.format());
  };

  /** What stands on a draft needs it. */
  async #writeDrafts(tree: string, edits: readonly TreeEdit[]): Promise<void> {
    const named = [tree, ...edits.flatMap((edit) => (edit.kind === 'entry' ? [edit.entry.oid] : []))];
    for (const drafts of this.#drafted()) if (named.some((oid) => drafts.has(oid))) await this.write([...drafts.values()]);
  }

  async #composeDraft(drafts: DraftObjects, tree: string, edits: readonly TreeEdit[]): Promise<string> {
    const composed = await this.plan(tree, edits);
    const bytes = [...drafts.values(), ...composed.objects].reduce((sum, { content }) => sum + content.length, 0);
    const isSmall = bytes <= DRAFT_BYTES && (await this.#entriesOf(await this.#existing(tree))).length < MANY_FILES;
    if (!isSmall) return await this.compose(tree, edits);
    const ids = await this.format();
    for (const object of composed.objects) drafts.set(objectId(object, ids), object);
    return composed.tree;
  }

  readonly of = (revision: string): Promise<string> => {
    return treeOf(this.#platform, this.#home, revision);
  };

  readonly list = async (tree: string): Promise<readonly TreeEntry[]> => {
    return await this.#entriesOf(await this.#existing(tree));
  };

  readonly read = async (tree: string, path: string): Promise<Buffer | null> => {
    const item = await this.#find(await this.#existing(tree), path.split('/'));
    return item === null || item.mode === '160000' || item.mode === FOLDER ? null : await this.readBlob(item.oid);
  };

  readonly readBlobs = async (oids: readonly string[], take: (oid: string, content: Buffer) => Promise<void>): Promise<void> => {
    const stored: string[] = [];
    for (const oid of new Set(oids)) {
      const draft = this.#draftOf(oid, 'blob');
      if (draft === null) stored.push(oid);
      else await take(oid, draft);
    }
    await this.#objects.readEach(stored, async (found, oid) => {
      if (found?.type !== 'blob') throw incomplete('blob', oid, this.#home);
      await take(oid, found.content);
    });
  };

  readonly diff = async (from: string, to: string): Promise<TreeChange[]> => {
    return await diffTrees((oid) => this.#readTree(oid), await this.#existing(from), await this.#existing(to));
  };

  readonly compose = async (tree: string, edits: readonly TreeEdit[]): Promise<string> => {
    if (edits.length === 0) return tree;
    const composed = await this.plan(tree, edits);
    await this.#writeDrafts(tree, edits);
    await this.write(composed.objects);
    return composed.tree;
  };

  readonly drafts = (): Drafts => {
    const drafts: DraftObjects = new Map();
    const all = draftedIn.get(this.#home.commonDir) ?? new Set();
    draftedIn.set(this.#home.commonDir, all.add(drafts));
    return {
      ...(this as HomeTreeStore),
      compose: async (tree, edits) => (edits.length === 0 ? tree : await this.#composeDraft(drafts, tree, edits)),
      drop: () => {
        all.delete(drafts);
        if (all.size === 0 && draftedIn.get(this.#home.commonDir) === all) draftedIn.delete(this.#home.commonDir);
      },
    };
  };

  readonly writeBlob = (content: string | Uint8Array): Promise<string> => {
    return this.#writeOne({ type: 'blob', content: Buffer.from(content as Uint8Array) });
  };

  readonly emptyTree = (): Promise<string> => {
    return this.#writeOne({ type: 'tree', content: Buffer.alloc(0) });
  };

  async #writeOne(object: NewObject): Promise<string> {
    await this.write([object]);
    return objectId(object, await this.format());
  }
}

export function createTreeStore(platform: Platform, home: Home): HomeTreeStore {
  return new Store(platform, home);
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

/** What differs between two trees, by path; folders with the same id are not looked into. */
type Read = (oid: string) => Promise<readonly TreeItem[]>;

async function diffTrees(read: Read, from: string | null, to: string | null, prefix = ''): Promise<TreeChange[]> {
  if (from === to) return [];
  const [before, after] = await Promise.all([from === null ? [] : read(from), to === null ? [] : read(to)]);
  const changes: TreeChange[] = [];
  for (const [old, now] of pairs(before, after)) {
    if (old?.oid === now?.oid && old?.mode === now?.mode) continue;
    const { name, mode } = mustHave(old ?? now, 'one side of each pair is there');
    const path = `${prefix}${name}`;
    if (mode === FOLDER) changes.push(...(await diffTrees(read, old?.oid ?? null, now?.oid ?? null, `${path}/`)));
    else changes.push(changeAt(path, old, now));
  }
  return changes;
}

/** Items of the same name and kind side by side, in the order of git. A file and a folder of one name are two. */
function* pairs(before: readonly TreeItem[], after: readonly TreeItem[]): Generator<[TreeItem | null, TreeItem | null]> {
  for (let [left, right] = [0, 0]; left < before.length || right < after.length;) {
    const [old = null, now = null] = [before[left], after[right]];
    const order =
      old === null ? 1 : now === null ? -1 : old.oid === now.oid && old.name === now.name ? sameKind(old, now) : compareItems(old, now);
    yield [order <= 0 ? old : null, order >= 0 ? now : null];
    if (order <= 0) left++;
    if (order >= 0) right++;
  }
}

function sameKind(old: TreeItem, now: TreeItem): number {
  return (old.mode === FOLDER) === (now.mode === FOLDER) ? 0 : compareItems(old, now);
}

function changeAt(path: string, old: TreeItem | null, now: TreeItem | null): TreeChange {
  const entry = (item: TreeItem | null): TreeEntry | null => (item === null ? null : { path, mode: item.mode, oid: item.oid });
  return { path, status: old === null ? 'added' : now === null ? 'deleted' : 'modified', from: entry(old), to: entry(now) };
}
