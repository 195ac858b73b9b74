/**
 * The file that a role wrote, taken from its copy.
 *
 * 1. Only a plain file with one name, at its place, with no link on the way; at most MAX_BYTES; text in UTF-8.
 * 2. Control sequences and characters that hide text are removed; newlines and tabs stay.
 * 3. What is there and may not be taken is told with the reason, never followed, never read in part.
 */
import { join } from 'node:path';
import { cleanText } from '../../domain/clean-text.ts';
import type { Platform } from '../../platform/platform.ts';

export const OUTPUT_FOLDER = '.harness/output';
const MAX_BYTES = 1024 * 1024;

export interface TakenOutput {
  output: string | null;
  refused: string | null;
}

export function outputPath(workspace: string, name: string): string {
  return join(workspace, OUTPUT_FOLDER, name);
}

export async function takeOutput(platform: Platform, workspace: string, name: string): Promise<TakenOutput> {
  let folder = workspace;
  for (const part of OUTPUT_FOLDER.split('/')) {
    folder = join(folder, part);
    const stat = await platform.files.lstat(folder).catch(() => null);
    if (stat === null) return { output: null, refused: null };
    if (!stat.isDirectory()) return refuse(`${part} is no longer a directory`);
  }
  const path = join(folder, name);
  const stat = await platform.files.lstat(path).catch(() => null);
  if (stat === null) return { output: null, refused: null };
  if (stat.isSymbolicLink()) return refuse(`${name} is a link`);
  if (stat.isDirectory()) return refuse(`${name} is a directory`);
  if (!stat.isFile()) return refuse(`${name} is not a plain file`);
  if (stat.nlink > 1n) return refuse(`${name} has another name too (a hard link)`);
  if (stat.size > MAX_BYTES) return refuse(`${name} has ${stat.size} bytes; at most ${MAX_BYTES} are taken`);
  const bytes = await platform.files.readSlice(path, 0, MAX_BYTES + 1).catch(() => null);
  if (bytes === null) return refuse(`${name} cannot be read`);
  return decode(name, bytes);
}

function decode(name: string, bytes: Buffer): TakenOutput {
  if (bytes.includes(0)) return refuse(`${name} is not text: it contains null bytes`);
  try {
    return { output: cleanText(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), refused: null };
  } catch {
    return refuse(`${name} is not valid UTF-8`);
  }
}

function refuse(refused: string): TakenOutput {
  return { output: null, refused };
}
