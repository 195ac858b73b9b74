/**
 * What a directory held when the harness last made it: kept outside that directory.
 *
 * 1. An entry is trusted only while inode, size and change time are the same; nobody can set a change time back.
 * 2. A change in the same tick of the clock as the manifest could go unseen, so entries that young are never trusted.
 * 3. A manifest that cannot be read is no manifest: everything is looked at again.
 */
import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Platform } from '../platform/platform.ts';

export type ManifestEntry = readonly [oid: string, mode: string, size: string, inode: string, changedNs: string, modifiedNs: string];

const ManifestHeadSchema = z.object({
  schema_version: z.literal(1),
  tree: z.string(),
  taken_at_ns: z.string().regex(/^\d+$/),
  entries: z.record(z.string(), z.unknown()),
});

export interface Manifest {
  tree: string;
  takenAtNs: bigint;
  entries: Map<string, ManifestEntry>;
}

const RACY_NS = 20_000_000n;
/** Waiting this long after a write makes the written entries old enough to be trusted. */
export const SETTLE_MS = 22;

export function manifestEntry(oid: string, mode: string, stat: BigIntStats): ManifestEntry {
  return [oid, mode, String(stat.size), String(stat.ino), String(stat.ctimeNs), String(stat.mtimeNs)];
}

/** The id and mode that the file certainly still has; `null` when it has to be read again. */
export function trustedEntry(manifest: Manifest | null, path: string, stat: BigIntStats): { oid: string; mode: string } | null {
  const entry = manifest?.entries.get(path);
  if (manifest === null || entry === undefined) return null;
  const [oid, mode, size, inode, changed, modified] = entry;
  if (size !== String(stat.size) || inode !== String(stat.ino) || changed !== String(stat.ctimeNs) || modified !== String(stat.mtimeNs))
    return null;
  return stat.ctimeNs + RACY_NS < manifest.takenAtNs ? { oid, mode } : null;
}

/** The id and mode with which a file was handed over; `null` where it was empty or was not there. */
export function filledEntry(manifest: Manifest | null, path: string): { oid: string; mode: string } | null {
  const entry = manifest?.entries.get(path);
  return entry === undefined || entry[2] === '0' ? null : { oid: entry[0], mode: entry[1] };
}

export async function loadManifest(platform: Platform, file: string): Promise<Manifest | null> {
  const text = await platform.files.readTextIfExists(file);
  if (text === null) return null;
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return null;
  }
  const head = ManifestHeadSchema.safeParse(document);
  if (!head.success) return null;
  const entries = new Map<string, ManifestEntry>();
  for (const [path, entry] of Object.entries(head.data.entries)) {
    if (!isManifestEntry(entry)) return null;
    entries.set(path, entry);
  }
  return { tree: head.data.tree, takenAtNs: BigInt(head.data.taken_at_ns), entries };
}

export async function saveManifest(platform: Platform, file: string, manifest: Manifest): Promise<void> {
  await platform.files.mkdir(dirname(file));
  const document = {
    schema_version: 1,
    tree: manifest.tree,
    taken_at_ns: String(manifest.takenAtNs),
    entries: Object.fromEntries(manifest.entries),
  };
  await platform.files.writeAtomic(file, JSON.stringify(document), 0o600);
}

function isManifestEntry(value: unknown): value is ManifestEntry {
  return Array.isArray(value) && value.length === 6 && value.every((part) => typeof part === 'string');
}
