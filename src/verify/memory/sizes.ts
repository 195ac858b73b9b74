/** Lines of each source file, and which files grow too large or too fast. */
import type { TreeEntry, TreeStore } from '../../domain/tree.ts';
import { mustHave } from '../../domain/must-have.ts';

interface FileSize {
  lines: number;
  session_added: number;
  lines_at_start: number;
}

interface SizesInput {
  session: number;
  previous: Readonly<Record<string, FileSize>>;
  maxLines: number;
  /** The tree that `previous` was measured on: then only what differs from it is read. */
  previousTree?: string;
}

interface SizesResult {
  files: Record<string, FileSize>;
  warnings: { file: string; message: string; severity: 'warning' | 'info' }[];
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|kts|cs|c|h|cc|cpp|hpp|swift|php|scala|ex|exs|vue|svelte|css|scss|html|sql|sh)$/;
const MAX_GROWTH_PER_SESSION = 50;

export async function measureSizes(trees: TreeStore, tree: string, input: SizesInput): Promise<SizesResult> {
  const entries = (await trees.list(tree)).filter(
    (entry) => SOURCE.test(entry.path) && entry.mode !== '120000' && !/(^|\/)node_modules\//.test(entry.path),
  );
  const changed = input.previousTree === undefined ? null : await changedPaths(trees, input.previousTree, tree);
  const lines = await countLines(
    trees,
    entries.filter((entry) => changed === null || changed.has(entry.path) || !Object.hasOwn(input.previous, entry.path)),
  );
  const files: Record<string, FileSize> = {};
  const warnings: SizesResult['warnings'] = [];
  for (const { path } of entries) {
    const before = Object.hasOwn(input.previous, path) ? input.previous[path] : undefined;
    const now = lines.get(path) ?? mustHave(before, 'files that are not counted were counted before').lines;
    files[path] =
      before?.lines === now
        ? before
        : { lines: now, session_added: before?.session_added ?? input.session, lines_at_start: before?.lines_at_start ?? now };
    addWarnings(warnings, path, files[path], input);
  }
  return { files, warnings };
}

/** null: the earlier tree is gone, so everything is read. */
async function changedPaths(trees: TreeStore, from: string, to: string): Promise<Set<string> | null> {
  const changes = await trees.diff(from, to).catch(() => null);
  return changes === null ? null : new Set(changes.map((change) => change.path));
}

async function countLines(trees: TreeStore, entries: readonly TreeEntry[]): Promise<Map<string, number>> {
  const byBlob = new Map<string, number>();
  const take = async (oid: string, content: Buffer): Promise<void> => void byBlob.set(oid, linesIn(content));
  const oids = entries.map((entry) => entry.oid);
  if (trees.readBlobs !== undefined) await trees.readBlobs(oids, take);
  else for (const oid of oids) await take(oid, await trees.readBlob(oid));
  return new Map(entries.map((entry) => [entry.path, mustHave(byBlob.get(entry.oid), 'every content is counted')]));
}

function linesIn(content: Buffer): number {
  let count = 0;
  for (const byte of content) if (byte === 10) count += 1;
  return content.length > 0 && content.at(-1) !== 10 ? count + 1 : count;
}

function addWarnings(warnings: SizesResult['warnings'], file: string, size: FileSize, input: SizesInput): void {
  if (size.lines > input.maxLines)
    warnings.push({
      file,
      message: `${file} has ${size.lines} lines (limit ${input.maxLines}); consider splitting it`,
      severity: 'warning',
    });
  const sessions = input.session - size.session_added;
  const growth = size.lines - size.lines_at_start;
  if (sessions > 0 && growth / sessions > MAX_GROWTH_PER_SESSION)
    warnings.push({
      file,
      message: `${file} grew by ${growth} lines in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`,
      severity: 'info',
    });
}
