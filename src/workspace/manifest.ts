/**
 * What a directory held when the harness last made it: kept outside that directory.
 *
 * 1. An entry is trusted only while inode, size and change time are the same; nobody can set a change time back.
 * 2. A change in the same tick of the file system's clock as the entry could go unseen, so entries as young as the manifest are not trusted.
 * 3. A manifest that cannot be read is no manifest: everything is looked at again. An old one is right about everything that it still fits.
 */
import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { z } from '../domain/zod.ts';
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
  /** How many entries the file of this manifest does not know yet; undefined: there is no file. */
  unsaved?: number | undefined;
}

/** A few files are looked at again sooner than all of them written down. */
const WORTH_SAVING = 50;

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
  return stat.ctimeNs < manifest.takenAtNs ? { oid, mode } : null;
}

const MOST_MS = 30;

/**
 * What the file system's clock says once it is past `newestNs`: whatever is changed from then on gets a later time. Read from a folder
 * whose change time is touched for it. A clock with long ticks is not waited for: then the newest entries are not trusted.
 */
export async function takeTime(platform: Platform, folder: string, newestNs: bigint): Promise<bigint> {
  const end = platform.clock.monotonic() + MOST_MS;
  for (;;) {
    const stat = await platform.files.lstat(folder);
    await platform.files.chmod(folder, Number(stat.mode & 0o7777n));
    const now = (await platform.files.lstat(folder)).ctimeNs;
    if (now > newestNs || platform.clock.monotonic() > end) return now;
    await platform.clock.sleep(1);
  }
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
  return { tree: head.data.tree, takenAtNs: BigInt(head.data.taken_at_ns), entries, unsaved: 0 };
}

export async function saveIfWorthwhile(platform: Platform, file: string, manifest: Manifest): Promise<void> {
  if (manifest.unsaved === undefined || manifest.unsaved > WORTH_SAVING) await saveManifest(platform, file, manifest);
}

/** `durable`: also after a power cut, for whoever asks it about files that the power cut may have emptied. */
export async function saveManifest(
  platform: Platform,
  file: string,
  manifest: Manifest,
  options: { durable?: boolean } = {},
): Promise<void> {
  await platform.files.mkdir(dirname(file));
  const document = {
    schema_version: 1,
    tree: manifest.tree,
    taken_at_ns: String(manifest.takenAtNs),
    entries: Object.fromEntries(manifest.entries),
  };
  if (options.durable === true) await platform.files.writeAtomic(file, JSON.stringify(document), 0o600);
  else await platform.files.write(file, JSON.stringify(document), 0o600);
  manifest.unsaved = 0;
}

function isManifestEntry(value: unknown): value is ManifestEntry {
  return Array.isArray(value) && value.length === 6 && value.every((part) => typeof part === 'string');
}
