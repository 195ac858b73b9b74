/**
 * Files below guarded folders are reached without following a link.
 *
 * 1. On Linux each folder on the way is opened in the one before it (`/proc/self/fd`) with O_NOFOLLOW, and so is a file whose content is
 *    touched: swapping a link in at any moment leads nowhere. Elsewhere every part of the path is checked with `lstat` first.
 * 2. A link as the last part may be looked at, replaced and removed, never followed.
 * 3. A guarded folder has a `.gitignore` with `*` before anything else is in it: git never sees its content.
 * 4. Paths outside the guarded folders are passed through unchanged.
 */
import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { HarnessError } from '../domain/errors.ts';
import { EXIT } from '../domain/reasons.ts';
import { hasCode, type Files } from './files.ts';

/** `isSeen`: git sees the folders all the same. */
export function guardedFiles(files: Files, { isSeen = false } = {}): Files {
  const roots = new Set<string>();
  const ignored = new Set<string>();
  const rootOf = (path: string): string | null => {
    for (const root of roots) if (path.startsWith(root) && (path.length === root.length || path[root.length] === sep)) return root;
    return null;
  };

  /** `content`: what the last part is, not what it is called, so it must be no link. */
  const guard = async <Result>(path: string, content: boolean, work: (path: string) => Promise<Result>): Promise<Result> => {
    const root = rootOf(path);
    if (root === null) return await work(path);
    const opened = open(root, path, content);
    try {
      return await work(opened.at);
    } catch (error) {
      throw named(error, opened.at, path);
    } finally {
      for (const descriptor of opened.descriptors) closeSync(descriptor);
    }
  };

  const onContent =
    <Rest extends unknown[], Result>(work: (path: string, ...rest: Rest) => Promise<Result>) =>
    (path: string, ...rest: Rest): Promise<Result> =>
      guard(path, true, (at) => work(at, ...rest));
  const onName =
    <Rest extends unknown[], Result>(work: (path: string, ...rest: Rest) => Promise<Result>) =>
    (path: string, ...rest: Rest): Promise<Result> =>
      guard(path, false, (at) => work(at, ...rest));

  const mkdir: Files['mkdir'] = async (path) => {
    const root = rootOf(path);
    if (root === null) return await files.mkdir(path);
    if ((makeRoot(root) || !ignored.has(root)) && !isSeen) keepFromGit(root);
    ignored.add(root);
    makeFolders(root, path);
  };

  return {
    guard: (folder) => {
      if (rootOf(folder) !== null) return;
      for (const root of roots) if (root.startsWith(`${folder}${sep}`)) roots.delete(root);
      roots.add(folder);
    },
    guards: (folder) => roots.has(folder),
    read: onContent(files.read),
    readText: onContent(files.readText),
    readTextIfExists: async (path) => (await guard(path, true, files.readTextIfExists).catch(missing)) ?? null,
    readSlice: onContent(files.readSlice),
    exists: async (path) => (await guard(path, false, files.exists).catch(missing)) ?? false,
    lstat: onName(files.lstat),
    readlink: onName(files.readlink),
    realpath: onName(files.realpath),
    list: onContent(files.list),
    listStats: onContent(files.listStats),
    mkdir,
    mkdirPrivate: async (path) => {
      if (rootOf(path) === null) return await files.mkdirPrivate(path);
      await mkdir(path);
      await guard(path, true, (at) => files.chmod(at, 0o700));
    },
    writeAtomic: onName(files.writeAtomic),
    write: onContent(files.write),
    writeNew: onName(files.writeNew),
    createAll: files.createAll,
    append: onContent(files.append),
    truncate: onContent(files.truncate),
    rename: (from, to) => guard(from, false, (source) => guard(to, false, (target) => files.rename(source, target))),
    createExclusive: onName(files.createExclusive),
    symlink: (target, path) => guard(path, false, (at) => files.symlink(target, at)),
    chmod: onContent(files.chmod),
    copy: (from, to) => guard(from, true, (source) => guard(to, true, (target) => files.copy(source, target))),
    remove: async (path) => void (await guard(path, false, files.remove).catch(missing)),
    // Removing goes on after `putAway` returned, when nothing is open any longer.
    putAway: (path, aside) =>
      rootOf(path) === null && rootOf(aside) === null ? files.putAway(path, aside) : guard(path, false, files.remove),
  };
}

/** A folder on the way is not there. */
function missing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
  throw error;
}

interface Opened {
  at: string;
  descriptors: number[];
}

const HAS_DESCRIPTOR_PATHS = process.platform === 'linux' && existsSync('/proc/self/fd');
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A handle of what is there, a link too, without opening it. Node has no name for it. */
const O_PATH = 0o10000000;

function open(root: string, path: string, content: boolean): Opened {
  const parts = path.length === root.length ? [] : path.slice(root.length + 1).split(sep);
  if (parts.includes('..')) throw new Error(`not below ${root}: ${path}`);
  if (!HAS_DESCRIPTOR_PATHS) return { at: checked(root, parts, content), descriptors: [] };
  const descriptors: number[] = [];
  try {
    const last = parts.pop();
    let at = root;
    let shown = root;
    const step = (name: string): void => {
      at = `${folderAt(at, shown, descriptors)}/${name}`;
      shown = join(shown, name);
    };
    for (const part of parts) step(part);
    if (last !== undefined) step(last);
    return { at: content ? contentAt(at, shown, descriptors) : at, descriptors };
  } catch (error) {
    for (const descriptor of descriptors) closeSync(descriptor);
    throw error;
  }
}

/** Opens the folder and gives the path of what was opened. */
function folderAt(at: string, shown: string, descriptors: number[]): string {
  try {
    const descriptor = openSync(at, FOLDER);
    const above = descriptors.pop();
    if (above !== undefined) closeSync(above);
    descriptors.push(descriptor);
    return `/proc/self/fd/${descriptor}`;
  } catch (error) {
    if (isLink(at)) throw linkError(shown);
    throw named(error, at, shown);
  }
}

/** What is there is opened and no link; where nothing is there, the name, in its opened folder. */
function contentAt(at: string, shown: string, descriptors: number[]): string {
  let descriptor: number;
  try {
    descriptor = openSync(at, O_PATH | constants.O_NOFOLLOW);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return at;
    throw named(error, at, shown);
  }
  descriptors.push(descriptor);
  if (fstatSync(descriptor).isSymbolicLink()) throw linkError(shown);
  return `/proc/self/fd/${descriptor}`;
}

function checked(root: string, parts: readonly string[], content: boolean): string {
  let at = root;
  for (const part of parts) {
    if (isLink(at)) throw linkError(at);
    at = join(at, part);
  }
  if (content && isLink(at)) throw linkError(at);
  return at;
}

/** Whether it is new. */
function makeRoot(root: string): boolean {
  if (isLink(root)) throw linkError(root);
  return mkdirSync(root, { recursive: true }) !== undefined;
}

function keepFromGit(root: string): void {
  const file = join(root, '.gitignore');
  const opened = open(root, file, false);
  try {
    writeFileSync(opened.at, '*\n', { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw named(error, opened.at, file);
  } finally {
    for (const descriptor of opened.descriptors) closeSync(descriptor);
  }
}

function makeFolders(root: string, path: string): void {
  const parts = path
    .slice(root.length + 1)
    .split(sep)
    .filter((part) => part !== '');
  let folder = root;
  for (const part of parts) {
    folder = join(folder, part);
    const opened = open(root, folder, false);
    try {
      mkdirSync(opened.at);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw named(error, opened.at, folder);
      if (lstatSync(opened.at).isSymbolicLink()) throw linkError(folder);
      if (!lstatSync(opened.at).isDirectory()) throw named(error, opened.at, folder);
    } finally {
      for (const descriptor of opened.descriptors) closeSync(descriptor);
    }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function linkError(path: string): HarnessError {
  return new HarnessError(`${path} is a symbolic link. The harness follows no link in its state folder.`, {
    exitCode: EXIT.preflight,
    details: ['Nothing was read or written through it. Remove the link, then run the command again.'],
  });
}

/** With the path that was asked for instead of the opened one. */
function named(error: unknown, at: string, path: string): unknown {
  if (!(error instanceof Error) || at === path) return error;
  error.message = error.message.replaceAll(at, path).replace(/\/proc\/self\/fd\/\d+/g, '…');
  if ('path' in error) error.path = path;
  return error;
}
