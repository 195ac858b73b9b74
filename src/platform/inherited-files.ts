/**
 * Files that the caller of this process left open in it, closed at the start: no child gets them.
 *
 * Node marks what it inherits as close-on-exec only up to the first gap above descriptor 15, and every file of its own at once. So an
 * unmarked descriptor is the caller's. On macOS Node starts children with their standard streams and nothing else.
 */
import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;
/** Up to here Node has marked all, whether there is a gap or not. */
const MARKED = 15;
const DESCRIPTORS = '/proc/self/fdinfo';

export function closeInheritedFiles(): void {
  if (process.platform !== 'linux') return;
  for (const descriptor of openDescriptors()) {
    if (descriptor <= MARKED || !passesToChildren(descriptor)) continue;
    try {
      closeSync(descriptor);
    } catch {
      // Closed already.
    }
  }
}

function openDescriptors(): number[] {
  try {
    return readdirSync(DESCRIPTORS).map(Number);
  } catch {
    return [];
  }
}

function passesToChildren(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`${DESCRIPTORS}/${descriptor}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
