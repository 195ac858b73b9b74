/** Marks of files: equal as long as nothing was written there. */
import type { Platform } from './platform.ts';

export type Marks = Record<string, string>;

interface Looking {
  files: Pick<Platform['files'], 'lstat'>;
}

export async function markFiles(platform: Looking, paths: readonly string[]): Promise<Marks> {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await markFile(platform, path)] as const)));
}

async function markFile(platform: Looking, path: string): Promise<string> {
  try {
    const info = await platform.files.lstat(path);
    return [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(' ');
  } catch {
    return 'missing';
  }
}
