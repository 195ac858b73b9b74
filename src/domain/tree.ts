/** Trees and rooms as other rooms see them. `workspace` implements these ports over home's object store; `verify` uses them. */

/** From so many files on, a project is a large one. */
export const MANY_FILES = 1_000;

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export interface TreeEntry {
  path: string;
  /** 100644, 100755, 120000 */
  mode: string;
  oid: string;
}

export interface TreeChange {
  path: string;
  status: 'added' | 'modified' | 'deleted';
  from: TreeEntry | null;
  to: TreeEntry | null;
}

export type TreeEdit =
  | { path: string; kind: 'write'; content: string | Uint8Array; mode?: '100644' | '100755' }
  | { path: string; kind: 'entry'; entry: TreeEntry }
  | { path: string; kind: 'delete' };

export interface TreeStore {
  /** The same array for the same tree as long as it is known: what is worked out of it can be kept with it. */
  list(tree: string): Promise<readonly TreeEntry[]>;
  /** `null` when the tree has no such file. */
  read(tree: string, path: string): Promise<Buffer | null>;
  readBlob(oid: string): Promise<Buffer>;
  /** Many blobs with few processes, in no order; where it is missing they are read one by one. */
  readBlobs?(oids: readonly string[], take: (oid: string, content: Buffer) => Promise<void>): Promise<void>;
  diff(from: string, to: string): Promise<TreeChange[]>;
  /** A new tree with the edits applied; the given one is untouched. */
  compose(tree: string, edits: readonly TreeEdit[]): Promise<string>;
  /** The same trees; what is composed here may stay in this process, because nothing outside of it will ever name it. */
  drafts?(): Drafts;
}

export interface Drafts extends TreeStore {
  /** Nobody needs what was composed any more. */
  drop(): void;
}

/** A directory that holds exactly one tree, made by the harness alone. */
export interface Room {
  path: string;
  tree: string;
  /** node_modules for the tree's lockfile, outside the room, read-only by convention; null when there is no lockfile. */
  dependencies: string | null;
  /** Further `node_modules` of packages below the root, relative to the room and to the folder that holds `dependencies`. */
  nested?: readonly string[];
}

export interface CleanRooms {
  /**
   * Makes the named room hold `tree`, touching only what differs from what it held (nothing stale survives; ignored files and
   * run leftovers are removed). `fresh` takes a new directory with another path instead.
   */
  prepare(tree: string, options: { name: string; fresh?: boolean }): Promise<Room>;
  /** Begins with a room that will be needed for this tree or one like it, and does not wait; the next `prepare` of that name takes it. */
  prepareAhead?(tree: string, options: { name: string; fresh?: boolean }): void;
  /** Why the packages of `tree` cannot be installed, tried twice, where those of `base` can. Throws where neither can. */
  whyBroken?(tree: string, base: string): Promise<string | null>;
}

export const CAPTURE_FINDINGS = [
  'symlink_outside',
  'nested_git',
  'gitlink',
  'special_file',
  'name_collision',
  'unreadable',
  'too_large',
  'too_deep',
  'path_too_long',
  'too_much',
  'invalid_name',
  'secret',
] as const;

/** What the capture of an agent's workspace found besides files. */
export interface CaptureFinding {
  kind: (typeof CAPTURE_FINDINGS)[number];
  path: string;
  detail: string;
}

export interface Capture {
  tree: string;
  /** Ref under refs/harness/ that pins the tree (through a commit). */
  ref: string;
  commit: string;
  findings: CaptureFinding[];
  changed: TreeChange[];
  duration_ms: number;
}
