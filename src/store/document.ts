/**
 * Documents: what is true now, one value in one file.
 *
 * 1. A document carries `schema_version` and `harness_version`, is validated when read and is written whole.
 * 2. The ending of its name decides the form: `.yaml` and `.yml` are YAML, everything else is JSON.
 * 3. A document that cannot be understood is never overwritten: a writer sets it aside, a looker leaves it alone; both end with exit 2.
 */
import { basename, dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import type { z } from 'zod';
import { usageError } from '../domain/errors.ts';
import { hasCode } from '../platform/files.ts';
import type { Platform } from '../platform/platform.ts';
import { folderShelf } from './folder-store.ts';
import type { Shelf } from './shelf.ts';

export interface VersionedDocument {
  schema_version: number;
  harness_version: string;
}

export interface ReadOptions {
  /** True for commands that will write the document; false for those that only look. */
  setAside: boolean;
  /** Brings an older value up to date before it is validated; may throw a HarnessError. */
  migrate?(value: unknown): unknown;
}

/** `null` when there is none. */
export async function readFrom<Value>(shelf: Shelf, name: string, schema: z.ZodType<Value>, options: ReadOptions): Promise<Value | null> {
  const text = await readContent(shelf, name);
  if (text === null) return null;
  let value: unknown;
  try {
    value = parseDocument(name, text);
  } catch (error) {
    return await refuse(shelf, name, options, [firstLine(error)]);
  }
  const checked = schema.safeParse(options.migrate ? options.migrate(value) : value);
  if (checked.success) return checked.data;
  return await refuse(
    shelf,
    name,
    options,
    checked.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`),
  );
}

export interface WriteOptions {
  /** Without white space, for a large document that nobody reads by eye. */
  compact?: boolean;
}

export async function writeTo(shelf: Shelf, name: string, value: VersionedDocument, { compact = false }: WriteOptions = {}): Promise<void> {
  const text = isYaml(name)
    ? stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
    : `${compact ? JSON.stringify(value) : JSON.stringify(value, null, 2)}\n`;
  await shelf.write(name, text);
  if (isYaml(name)) understand(text, JSON.parse(JSON.stringify(value)));
}

/** For a document that lies in a folder of its own. */
export function readDocument<Value>(
  platform: Platform,
  path: string,
  schema: z.ZodType<Value>,
  options: ReadOptions,
): Promise<Value | null> {
  return readFrom(folderShelf(platform, dirname(path)), basename(path), schema, options);
}

export function writeDocument(platform: Platform, path: string, value: VersionedDocument, options?: WriteOptions): Promise<void> {
  return writeTo(folderShelf(platform, dirname(path)), basename(path), value, options);
}

async function readContent(shelf: Shelf, name: string): Promise<string | null> {
  try {
    return await shelf.read(name);
  } catch (error) {
    const why = hasCode(error, 'EACCES') ? 'permission is denied' : firstLine(error);
    throw usageError(
      `The state file ${shelf.where(name)} cannot be opened: ${why}.`,
      'Make it a file that you can read and write, then run the command again.',
    );
  }
}

function parseDocument(name: string, text: string): unknown {
  return isYaml(name) ? parseYaml(text) : JSON.parse(text);
}

const MOST_UNDERSTOOD = 4;
/** Texts with what they mean: a document is read far more often than it changes, and YAML takes its time. */
const understood = new Map<string, unknown>();

/** Everybody gets a value of his own. */
function parseYaml(text: string): unknown {
  if (understood.has(text)) return structuredClone(understood.get(text));
  const value: unknown = parse(text, { maxAliasCount: 0, logLevel: 'error' });
  understand(text, structuredClone(value));
  return value;
}

function understand(text: string, value: unknown): void {
  understood.delete(text);
  for (const oldest of [...understood.keys()].slice(0, understood.size + 1 - MOST_UNDERSTOOD)) understood.delete(oldest);
  understood.set(text, value);
}

async function refuse(shelf: Shelf, name: string, options: ReadOptions, problems: string[]): Promise<never> {
  const findings = problems.map((problem) => `Found: ${problem}`);
  if (!options.setAside) {
    throw usageError(
      `The state file ${shelf.where(name)} cannot be understood.`,
      ...findings,
      'Nothing was changed. A command that writes state will set the file aside; to keep it, repair it or restore it from a copy.',
    );
  }
  const aside = await shelf.setAside(name);
  throw usageError(
    `The state file ${shelf.where(name)} cannot be understood and was set aside.`,
    ...findings,
    `It is now ${aside}.`,
    `Repair it and rename it to ${name}, or run the command again to start without it.`,
  );
}

function isYaml(name: string): boolean {
  return /\.ya?ml$/.test(name);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
