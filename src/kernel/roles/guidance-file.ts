/**
 * Files of the project whose text reaches prompts as guidance: conventions, references.
 *
 * 1. Nothing is read that is larger than its limit, leads out of the directory, or is no text.
 * 2. Control sequences and hidden characters are taken out of what is read.
 */
import { relative } from 'node:path';
import { cleanText } from '../../domain/clean-text.ts';
import { looksLikeGitDirectory } from '../../domain/file-names.ts';
import { containedPath } from '../../platform/contained-path.ts';
import { isMountedBelow } from '../../platform/mounts.ts';
import type { Platform } from '../../platform/platform.ts';

export const MOST_BYTES = 200 * 1024;
export const MOST_LINES = 5_000;
export const FEWEST_LINES = 50;

export type GuidanceFault = 'missing' | 'notFile' | 'leafLink' | 'wayLink' | 'mount' | 'outside' | 'size' | 'lines' | 'binary';
export type GuidanceFile = { ok: true; text: string; lines: number } | { ok: false; fault: GuidanceFault };

export interface GuidanceLimits {
  /** Links and mounts are refused, wherever they lead; else they may stay inside the directory. */
  noLinks: boolean;
  bytes: number;
  lines: number;
}

/** `path` has passed `validatePath` or is a name of our own. */
export async function readGuidance(platform: Platform, root: string, path: string, limits: GuidanceLimits): Promise<GuidanceFile> {
  const place = await containedPath(platform, root, path);
  if (limits.noLinks && place.link !== null) return refused(place.link === 'leaf' ? 'leafLink' : 'wayLink');
  if (!place.inside) return refused('outside');
  if (!place.exists || place.real === null) return refused('missing');
  if (place.link !== null && isPrivate(relative(await platform.files.realpath(root), place.real))) return refused('outside');
  if (limits.noLinks && (await isMountedBelow(platform, await platform.files.realpath(root), place.real))) return refused('mount');
  const stat = await platform.files.lstat(place.real);
  if (!stat.isFile()) return refused('notFile');
  if (stat.size > BigInt(limits.bytes)) return refused('size');
  const bytes = await platform.files.readSlice(place.real, 0, limits.bytes + 1);
  if (bytes.length > limits.bytes) return refused('size');
  const text = decode(bytes);
  if (text === null) return refused('binary');
  const lines = countLines(text);
  return lines > limits.lines ? refused('lines') : { ok: true, text: cleanText(text), lines };
}

/** A last line without its newline counts. */
export function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function isPrivate(way: string): boolean {
  return way.split('/').some((part) => part === '.harness' || looksLikeGitDirectory(part));
}

function decode(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function refused(fault: GuidanceFault): GuidanceFile {
  return { ok: false, fault };
}
