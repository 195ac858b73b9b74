/**
 * Directories below a root that are mounted there from elsewhere: what a junction is on other systems, and nothing that resolving a
 * path would show. Where the system keeps no list of mounts, none is known.
 */
import type { Platform } from './platform.ts';

/** Whether a mount lies between the root and the path, the root's own not counted; both are real and absolute. */
export async function isMountedBelow(platform: Pick<Platform, 'files'>, root: string, path: string): Promise<boolean> {
  const list = await platform.files.readTextIfExists('/proc/self/mountinfo').catch(() => null);
  return mountPoints(list ?? '').some((point) => point.startsWith(`${root}/`) && (path === point || path.startsWith(`${point}/`)));
}

/** The fifth field of each line, with blanks and the like as octal escapes. */
export function mountPoints(mountinfo: string): string[] {
  return mountinfo.split('\n').flatMap((line) => {
    const point = line.split(' ')[4];
    return point === undefined ? [] : [unescaped(point)];
  });
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
