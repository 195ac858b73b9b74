/** What is remembered about the accepted tree: which tests pass on it, and how large its files are. Read and written whole. */
import { z } from '../../domain/zod.ts';
import { BaselineSchema, type Baseline } from '../../domain/session.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { isoNow } from '../../platform/platform.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import type { FlightPlace } from './contract.ts';
import { measureSizes } from '../../verify/memory/sizes.ts';
import type { Place } from '../place.ts';

export interface FileSizes {
  schema_version: number;
  harness_version: string;
  session: number;
  /** The tree that was measured. */
  tree?: string;
  files: Record<string, { lines: number; session_added: number; lines_at_start: number }>;
}

const SizesSchema = z.looseObject({
  schema_version: z.number().int(),
  harness_version: z.string(),
  session: z.number().int(),
  tree: z.string().optional(),
  /** Looked at in one go: a large project has tens of thousands of them, and they are read in every session. */
  files: z.custom<FileSizes['files']>(areSizes, 'not a table of sizes'),
});

function areSizes(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (size: Partial<FileSizes['files'][string]> | null) =>
      typeof size === 'object' &&
      size !== null &&
      Number.isInteger(size.lines) &&
      Number.isInteger(size.session_added) &&
      Number.isInteger(size.lines_at_start),
  );
}

export const BASELINE_FILE = 'test_baseline.json';
export const SIZES_FILE = 'file_sizes.json';

type Ground = Pick<FlightPlace, 'platform' | 'shelf'>;

/** `writer`: this command will write the state, so an unreadable document may be set aside. */
export function readBaseline(place: Pick<Ground, 'shelf'>, options: { writer: boolean }): Promise<Baseline | null> {
  return readFrom(place.shelf, BASELINE_FILE, BaselineSchema, { setAside: options.writer });
}

type Measured = Omit<Baseline, 'schema_version' | 'harness_version' | 'timestamp'>;

export async function writeBaseline(place: Ground, baseline: Measured): Promise<void> {
  await writeTo(place.shelf, BASELINE_FILE, newBaseline(place.platform, baseline));
}

export function newBaseline({ clock }: Ground['platform'], baseline: Measured): Baseline {
  return { schema_version: 1, harness_version: HARNESS_VERSION, timestamp: isoNow(clock), ...baseline } as Baseline;
}

/** Damaged sizes are left alone and measured anew, because they only ever help. */
export async function readSizes(place: Pick<Ground, 'shelf'>): Promise<FileSizes | null> {
  return await readFrom(place.shelf, SIZES_FILE, SizesSchema, { setAside: false }).catch(() => null);
}

export async function writeSizes(place: Pick<Ground, 'shelf'>, measured: Pick<FileSizes, 'session' | 'tree' | 'files'>): Promise<void> {
  const sizes: FileSizes = { schema_version: 1, harness_version: HARNESS_VERSION, ...measured };
  await writeTo(place.shelf, SIZES_FILE, sizes, { compact: true });
}

/** The sizes of a tree's files, for whoever looks without landing anything. */
export async function sizesOf(
  { trees, config }: Pick<Place, 'trees' | 'config'>,
  tree: string,
  known: FileSizes | null,
): Promise<Pick<FileSizes, 'files' | 'session'>> {
  const session = known?.session ?? 0;
  const { max_file_lines: maxLines } = config.quality;
  const measured = await measureSizes(trees, tree, { session, previous: known?.files ?? {}, previousTree: known?.tree, maxLines });
  return { files: measured.files, session };
}
