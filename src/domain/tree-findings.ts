/** What can be said against a tree by its names and links alone: pure. */
import { posix } from 'node:path';
import { foldName } from './file-names.ts';
import { foldersOf, pathSetOf } from './tree-index.ts';
import type { CaptureFinding } from './tree.ts';

/** Names, also of directories, that differ only by case or Unicode form, where at least one of them is new: one finding for each group. */
export function findCollisions(files: readonly { path: string }[], tracked: readonly { path: string }[]): CaptureFinding[] {
  const paths = pathSetOf(tracked);
  const added = files.filter((file) => !paths.has(file.path));
  if (added.length === 0) return [];
  const folders = foldersOf(tracked);
  const isNew = (name: string): boolean => !paths.has(name) && !folders.has(name);
  const names = [...added.map((file) => file.path), ...foldersOf(added)].filter(isNew);
  const groups = new Map(names.map((name) => [foldName(name), new Array<string>()]));
  // Only what lies in a folder with such a name can have such a name itself, and neighbours stand together.
  const parents = new Set(names.map((name) => foldName(posix.dirname(name))));
  let [last, isNear] = ['', parents.has('.')];
  for (const { path } of files) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (parent !== last) [last, isNear] = [parent, parents.has(parent === '' ? '.' : foldName(parent))];
    if (isNear) groups.get(foldName(path))?.push(path);
  }
  for (const folder of foldersOf(files)) groups.get(foldName(folder))?.push(folder);
  const findings: CaptureFinding[] = [];
  for (const group of groups.values()) {
    const fresh = group.find(isNew);
    if (group.length === 1 || fresh === undefined) continue;
    const others = group.filter((name) => name !== fresh).map((name) => JSON.stringify(name));
    findings.push({ kind: 'name_collision', path: fresh, detail: `the same name as ${others.join(', ')} on some file systems` });
  }
  return findings;
}

/** Targets of links by the path of the link. */
export type Links = ReadonlyMap<string, string>;

const MOST_STEPS = 1_000;

/** Whether the link at `path` leads out of the tree, by itself or by way of other links of the tree. One that goes in circles leads nowhere. */
export function leadsOut(path: string, links: Links): boolean {
  const left = [...partsOf(posix.dirname(path)), posix.basename(path)];
  const at: string[] = [];
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const part = left.shift();
    if (part === undefined) break;
    if (part === '..') {
      if (at.pop() === undefined) return true;
      continue;
    }
    const target = links.get([...at, part].join('/'));
    if (target === undefined) at.push(part);
    else if (posix.isAbsolute(target)) return true;
    else left.unshift(...partsOf(target));
  }
  return false;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}
