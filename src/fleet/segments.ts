/**
 * The journal of a project that moves between machines: files of the machine that drives, shipped as they grow.
 *
 * 1. What was written is shipped before the state that follows from it, and when the drive rests.
 * 2. A file is the sequence of its parts. A file that became shorter (old entries went) is shipped again as a whole.
 * 3. A former owner ships nothing: parts are written under the hold of the project.
 */
import { join } from 'node:path';
import { Lost } from '../domain/lost.ts';
import type { Platform } from '../platform/platform.ts';
import type { Pool } from '../store/pg-store.ts';
import { rowsOf } from './rows.ts';

export interface Segments {
  ship(): Promise<void>;
}

export interface SegmentsOptions {
  pool: Pool;
  project: string;
  /** The folder of the logs here. */
  folder: string;
}

interface Collected {
  /** How many bytes of each file are known to the fleet, and in how many parts. */
  shipped: Map<string, number>;
  parts: Map<string, number>;
}

/** Lays down here what all machines have shipped. */
export async function collectSegments(platform: Platform, { pool, project, folder }: SegmentsOptions): Promise<Collected> {
  const files = await rowsOf<{ file: string; content: Uint8Array; parts: number }>(
    pool,
    `SELECT file, string_agg(content, '' ORDER BY part) AS content, max(part) AS parts FROM fleet.journal WHERE project = $1 GROUP BY file`,
    [project],
  );
  for (const { file, content } of files) {
    await platform.files.mkdir(join(folder, file, '..'));
    await platform.files.writeAtomic(join(folder, file), content);
  }
  return {
    shipped: new Map(files.map(({ file, content }) => [file, content.length])),
    parts: new Map(files.map(({ file, parts }) => [file, parts])),
  };
}

export async function openSegments(platform: Platform, options: SegmentsOptions & { member: string }): Promise<Segments> {
  const { pool, project, folder, member } = options;
  const { shipped, parts } = await collectSegments(platform, options);
  const shipFile = async (file: string): Promise<void> => {
    const known = shipped.get(file) ?? 0;
    const { size } = await platform.files.lstat(join(folder, file));
    if (Number(size) === known) return;
    const content = await platform.files.read(join(folder, file));
    const isShorter = content.length < known;
    if (isShorter) await pool.query('DELETE FROM fleet.journal WHERE project = $1 AND file = $2', [project, file]);
    const part = isShorter ? 1 : (parts.get(file) ?? 0) + 1;
    const { rowCount } = await pool.query(
      `INSERT INTO fleet.journal (project, file, part, content) SELECT $1, $2, $3, $4 FROM fleet.hold WHERE project = $1 AND owner = $5
       ON CONFLICT (project, file, part) DO UPDATE SET content = excluded.content`,
      [project, file, part, content.subarray(isShorter ? 0 : known), member],
    );
    if (rowCount !== 1) throw new Lost(project);
    parts.set(file, part);
    shipped.set(file, content.length);
  };
  return {
    ship: async () => {
      for (const file of await filesBelow(platform, folder)) await shipFile(file);
    },
  };
}

async function filesBelow(platform: Platform, folder: string, prefix = ''): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await platform.files.list(join(folder, prefix)).catch(() => [])) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await filesBelow(platform, folder, path)));
    else if (entry.isFile() && path.endsWith('.jsonl')) found.push(path);
  }
  return found;
}
