/**
 * Hidden tests on disk, below `.harness/hidden/` and nowhere else: those of each verdict, and those of accepted features.
 *
 * 1. A verdict's tests are kept once its commit has landed, and only if its runs were sandboxed: else code under test could have read them.
 * 2. A test that failed in a verdict that landed all the same was released by a person.
 * 3. Everything here can be done again after a crash.
 */
import { dirname, join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { z } from '../../domain/zod.ts';
import type { Feature } from '../../domain/feature.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import { twinOf } from '../../verify/checks/check-force.ts';
import type { HiddenRecord, HiddenTests, KeptTest } from '../../verify/examine/hidden-test.ts';
import type { Place } from '../place.ts';

const KEPT_FILE = 'kept.json';
const MOST_KEPT = 400;

const RulingSchema = z.object({ ruling: z.enum(['entailed', 'plausible', 'no']), reason: z.string() });
const RecordSchema = z.object({
  behaviour: z.string(),
  code: z.string(),
  path: z.string(),
  passed: z.boolean(),
  proves: z.boolean(),
  message: z.string().nullable(),
  ruling: RulingSchema.nullable(),
  number: z.number().int().optional(),
});
const VerdictTestsSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  feature: z.number().int(),
  description: z.string(),
  tests: z.array(RecordSchema),
});
export type VerdictTests = z.infer<typeof VerdictTestsSchema>;

const KeptTestSchema = z.object({
  number: z.number().int(),
  feature: z.number().int(),
  description: z.string(),
  behaviour: z.string(),
  code: z.string(),
  path: z.string(),
  /** The verdict with which a person released it, or `adopted`; null: it runs with later work. */
  released: z.string().nullable(),
});
const KeptSchema = z.object({
  schema_version: z.literal(1),
  harness_version: z.string(),
  next: z.number().int(),
  tests: z.array(KeptTestSchema),
});
export type KeptTests = z.infer<typeof KeptSchema>;

type Shelves = Pick<Place, 'documents'>;

export async function writeHidden(
  { documents }: Shelves,
  verdict: string,
  feature: Feature | null,
  tests: readonly HiddenRecord[],
): Promise<void> {
  if (feature === null || tests.length === 0) return;
  const { id, description } = feature;
  const document: VerdictTests = { schema_version: 1, harness_version: HARNESS_VERSION, feature: id, description, tests: [...tests] };
  await writeTo(documents.folder('hidden'), `verdict-${verdict}.json`, document);
}

/** Null: no hidden test was written for it. */
export async function readHidden({ documents }: Shelves, verdict: string): Promise<VerdictTests | null> {
  return await readFrom(documents.folder('hidden'), `verdict-${verdict}.json`, VerdictTestsSchema, { setAside: false }).catch(() => null);
}

export async function readKept({ documents }: Shelves): Promise<KeptTests> {
  const found = await readFrom(documents.folder('hidden'), KEPT_FILE, KeptSchema, { setAside: false });
  return found ?? { schema_version: 1, harness_version: HARNESS_VERSION, next: 1, tests: [] };
}

/** For the judge: newest first. */
export function keptHidden(place: Shelves): HiddenTests {
  return {
    kept: async () => (await readKept(place)).tests.filter(({ released }) => released === null).toReversed(),
  };
}

/** The verdict's commit has landed. */
export async function adoptHidden(place: Shelves, verdict: Verdict): Promise<void> {
  const own = await readHidden(place, verdict.id);
  if (own === null) return;
  const before = await readKept(place);
  const released = new Set(own.tests.flatMap(({ number, passed }) => (number !== undefined && !passed ? [number] : [])));
  const tests = before.tests.map((test) => (released.has(test.number) ? { ...test, released: test.released ?? verdict.id } : test));
  let { next } = before;
  for (const test of verdict.sandboxed ? own.tests : []) {
    if (test.number !== undefined || !test.passed || tests.some((one) => one.code === test.code && one.feature === own.feature)) continue;
    tests.push(keptFrom(own, test, next));
    next += 1;
  }
  const document: KeptTests = { schema_version: 1, harness_version: HARNESS_VERSION, next, tests: tests.slice(-MOST_KEPT) };
  await writeTo(place.documents.folder('hidden'), KEPT_FILE, document);
}

function keptFrom(
  { feature, description }: VerdictTests,
  { behaviour, code, path }: HiddenRecord,
  number: number,
): KeptTest & { released: null } {
  return { number, feature, description, behaviour, code, path, released: null };
}

/** Released because a person made it a test of the project. */
const ADOPTED = 'adopted';

export interface AdoptedTest {
  number: number;
  feature: number;
  /** Where it was written, relative to the project. */
  file: string;
}

/** Written into the working tree, for the person to commit; nothing that exists is overwritten. From then on it is no hidden test. */
export async function adoptKept(place: Pick<Place, 'documents' | 'platform' | 'root'>, number: number): Promise<AdoptedTest> {
  const { platform, root } = place;
  const before = await readKept(place);
  const found = before.tests.find((one) => one.number === number);
  if (found === undefined) throw usageError(`There is no hidden test ${number} here.`, 'harness tests --hidden shows them all.');
  const file = twinOf(found.path, `hidden-${number}`);
  const path = join(root, file);
  if (await platform.files.exists(path)) throw usageError(`${file} exists. Move it away, then run the command again.`);
  await platform.files.mkdir(dirname(path));
  await platform.files.writeNew(path, Buffer.from(found.code), 0o644);
  const tests = before.tests.map((one) => (one === found ? { ...one, released: one.released ?? ADOPTED } : one));
  const document: KeptTests = { ...before, harness_version: HARNESS_VERSION, tests };
  await writeTo(place.documents.folder('hidden'), KEPT_FILE, document);
  return { number, feature: found.feature, file };
}

export function isAdopted({ released }: Pick<KeptTests['tests'][number], 'released'>): boolean {
  return released === ADOPTED;
}
