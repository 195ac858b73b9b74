/**
 * A folder that begins with what another one holds and can be written without touching it.
 *
 * Files that are never changed in place become links, to where the other folder is seen read-only; the rest is copied. Bounded: what
 * goes beyond `most` entries is left out. Synchronous inside: a few times as fast over thousands of files.
 */
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

export type Seeding = 'link' | 'copy' | 'enter' | 'skip';

export interface SeedPlan {
  from: string;
  to: string;
  /** The path under which `from` will be seen by whoever uses `to`. */
  seenAt: string;
  /** `path` is relative to `from`. */
  decide(path: string, isFolder: boolean): Seeding;
  most: number;
}

export async function seedFolder(plan: SeedPlan): Promise<number> {
  mkdirSync(plan.to, { recursive: true });
  let made = 0;
  const level = [''];
  for (let folder = level.pop(); folder !== undefined && made < plan.most; folder = level.pop()) {
    for (const entry of listed(join(plan.from, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const seeding = entry.isDirectory() || entry.isFile() ? plan.decide(path, entry.isDirectory()) : 'skip';
      if (seeding === 'skip' || made >= plan.most) continue;
      made += 1;
      if (seeding === 'link') symlinkSync(join(plan.seenAt, path), join(plan.to, path));
      else if (seeding === 'copy' && entry.isFile()) copyFileSync(join(plan.from, path), join(plan.to, path));
      else {
        mkdirSync(join(plan.to, path));
        level.push(path);
      }
    }
  }
  return made;
}

function listed(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
