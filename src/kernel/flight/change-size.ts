/** How large a session's work is, told where it is more than a session usually holds. */
import type { TreeStore } from '../../domain/tree.ts';
import { counted } from '../../domain/counted.ts';

const MOST_FILES = 5;
const MOST_LINES = 300;

/** Null: it fits. Files that every session writes are left out by the caller. */
export async function largeChange(trees: TreeStore, base: string, tree: string, leaveOut: readonly string[]): Promise<string | null> {
  const changes = (await trees.diff(base, tree)).filter(({ path, to }) => to !== null && !leaveOut.includes(path) && !isGenerated(path));
  let added = 0;
  for (const { from, to } of changes) {
    if (to === null) continue;
    const before = from === null ? 0 : linesIn(await trees.readBlob(from.oid));
    added += Math.max(0, linesIn(await trees.readBlob(to.oid)) - before);
  }
  if (changes.length <= MOST_FILES && added <= MOST_LINES) return null;
  return `large for one session: ${counted(changes.length, 'file')} changed, ${counted(added, 'line')} added (usual are up to ${MOST_FILES} and ${MOST_LINES})`;
}

function linesIn(content: Buffer): number {
  let lines = 0;
  for (const byte of content) if (byte === 10) lines++;
  return lines;
}

function isGenerated(path: string): boolean {
  return /(^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum)$/.test(
    path,
  );
}
