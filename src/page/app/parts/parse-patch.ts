/** What `git diff` prints, as files and rows. Pure; lines that fit nothing are shown as they are. */
export interface DiffRow {
  kind: 'added' | 'removed' | 'same' | 'hunk';
  before: number | null;
  after: number | null;
  text: string;
}

export interface DiffFile {
  name: string;
  /** `new file`, `deleted`, `renamed from …`, `binary`. */
  note: string;
  added: number;
  removed: number;
  rows: DiffRow[];
}

export function parsePatch(patch: string): DiffFile[] {
  const files: DiffFile[] = [];
  let file: DiffFile | null = null;
  let [before, after] = [0, 0];
  // Lines that a hunk still has to come: inside, `---` is a removed line and no header.
  let [left, right] = [0, 0];
  for (const line of patch.split('\n')) {
    if (left <= 0 && right <= 0 && line.startsWith('diff --git ')) {
      file = { name: nameIn(line), note: '', added: 0, removed: 0, rows: [] };
      files.push(file);
      continue;
    }
    if (file === null) continue;
    if (left <= 0 && right <= 0) {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line);
      if (hunk === null) {
        readHeader(file, line);
        continue;
      }
      [before, left, after, right] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3]), Number(hunk[4] ?? 1)];
      const where = (hunk[5] ?? '').trim();
      if (where !== '' || file.rows.length > 0) file.rows.push({ kind: 'hunk', before: null, after: null, text: where });
      continue;
    }
    if (line.startsWith('+')) {
      file.rows.push({ kind: 'added', before: null, after: after++, text: line.slice(1) });
      file.added += 1;
      right -= 1;
    } else if (line.startsWith('-')) {
      file.rows.push({ kind: 'removed', before: before++, after: null, text: line.slice(1) });
      file.removed += 1;
      left -= 1;
    } else if (!line.startsWith('\\')) {
      file.rows.push({ kind: 'same', before: before++, after: after++, text: line.slice(1) });
      left -= 1;
      right -= 1;
    }
  }
  return files;
}

function nameIn(line: string): string {
  return / b\/(.*)$/.exec(line)?.[1] ?? line.slice('diff --git '.length);
}

function readHeader(file: DiffFile, line: string): void {
  if (line.startsWith('+++ b/')) file.name = line.slice(6);
  if (line.startsWith('new file')) file.note = 'new file';
  if (line.startsWith('deleted file')) file.note = 'deleted';
  if (line.startsWith('rename from ')) file.note = `renamed from ${line.slice(12)}`;
  if (line.startsWith('Binary files')) file.note = 'binary';
}
