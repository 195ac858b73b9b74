/**
 * A place at which a room is seen in a sandbox where nothing says that it is one: neither its own path nor that of the harness.
 *
 * 1. It is below a folder of the machine's own that nothing of the run lies in; that folder is empty otherwise.
 * 2. Packages of the project itself are linked by the room's real path: a room with such links stays where it is.
 */
import { join } from 'node:path';
import type { Room } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import { NODE_PROGRAM } from './programs.ts';
import { itemAt } from '../../domain/items.ts';

const FOLDERS = ['/srv', '/mnt', '/media'] as const;
const WORDS = ['app', 'work', 'code', 'projects', 'dev', 'site', 'main'] as const;

/** The sandbox with the room in that place, and the place; null: there is none here. */
export async function inOrdinaryPlace(
  platform: Platform,
  room: Room,
  sandbox: SandboxSpec,
): Promise<{ sandbox: SandboxSpec; path: string } | null> {
  if (await hasOwnPackages(platform, room)) return null;
  const needed = [
    ...sandbox.writable,
    ...(sandbox.readOnlyAt ?? []).flat(),
    ...(sandbox.shown ?? []),
    ...(sandbox.programs ?? []),
    ...(sandbox.allowed ?? []),
    ...(platform.env['PATH'] ?? '').split(':'),
    NODE_PROGRAM,
  ];
  for (const folder of FOLDERS) {
    const isFree = !needed.some((path) => path === folder || path.startsWith(`${folder}/`));
    if (!isFree || (await platform.files.lstat(folder).catch(() => null))?.isDirectory() !== true) continue;
    const dice = (): string => itemAt(WORDS, Number.parseInt(platform.random.id(2), 16) % WORDS.length);
    const path = join(folder, dice(), dice());
    return {
      path,
      sandbox: {
        ...sandbox,
        hidden: [...sandbox.hidden, folder],
        writableAt: [...(sandbox.writableAt ?? []), [room.path, path]],
        cwd: path,
      },
    };
  }
  return null;
}

async function hasOwnPackages(platform: Platform, room: Room): Promise<boolean> {
  if ((room.nested ?? []).length > 0 || (await platform.files.exists(join(room.path, 'pnpm-workspace.yaml')))) return true;
  const manifest = (await platform.files.readTextIfExists(join(room.path, 'package.json'))) ?? '';
  return /"workspaces"|"(?:file|link|workspace):/.test(manifest);
}
