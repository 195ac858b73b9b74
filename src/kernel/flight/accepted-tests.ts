/**
 * The versions in which tests were accepted: `accepted/index.json`, and their files under one ref.
 *
 * 1. Files and ref are written before the index names them. Every write can be repeated, and the last one is the index.
 * 2. What passes on HEAD is a version too: it is added when the branch stands at a tree that no session of the harness left.
 * 3. A release is a decision: one that was not sealed on this machine does not count.
 */
import {
  AcceptedVersionSchema,
  withAccepted,
  withPresent,
  withReleased,
  type AcceptedFiles,
  type AcceptedVersion,
  type Release,
} from '../../domain/accepted.ts';
import type { Baseline } from '../../domain/session.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { z } from '../../domain/zod.ts';
import { isoNow } from '../../platform/platform.ts';
import { readFrom, writeTo } from '../../store/document.ts';
import type { AcceptedTests } from '../../verify/accepted/contract.ts';
import { acceptedTests } from '../../verify/accepted/find-versions.ts';
import { versionsIn, type TestVersion } from '../../verify/accepted/runs-with.ts';
import { supersedes } from '../../verify/accepted/supersede.ts';
import { collectedFiles, testSideOf } from '../../verify/checks/test-side.ts';
import { HARNESS_REFS } from '../../workspace/refs.ts';
import { setRef } from '../../workspace/set-ref.ts';
import { FOLDER, formatTree } from '../../workspace/tree-object.ts';
import { objectId, type NewObject } from '../../workspace/write-objects.ts';
import { inTurn } from './in-turn.ts';
import type { RunGround } from './run-context.ts';

const IndexSchema = z.looseObject({
  schema_version: z.literal(1),
  harness_version: z.string(),
  /** The tree in which the last version of each file is; null: not known. */
  tree: z.string().nullable(),
  files: z.record(z.string(), z.array(AcceptedVersionSchema)),
  /** Versions that found no place in the runs of the last verdict. */
  left: z.array(z.string()),
  seal: z.string().optional(),
});

export interface AcceptedIndex extends AcceptedTests {
  tree: string | null;
}

type Ground = Pick<RunGround, 'shelf'>;
type Place = Ground & Pick<RunGround, 'platform' | 'config' | 'trees' | 'home'>;

const EMPTY: AcceptedIndex = { tree: null, files: {}, left: [] };

const INDEX_FILE = 'index.json';

/** `writer`: one that cannot be understood is set aside, and the next run begins with what passes on HEAD. */
export async function readAccepted(place: Ground, { writer }: { writer: boolean }): Promise<AcceptedIndex> {
  const found = await readFrom(place.shelf.in('accepted'), INDEX_FILE, IndexSchema, { setAside: writer }).catch(() => null);
  if (found === null) return EMPTY;
  const { tree, files, left, seal } = found;
  const releases = releasesIn(files);
  const isSealed = releases.length === 0 || (await place.shelf.seal.fits(seal, 'accepted', releases));
  return { tree, left, files: isSealed ? files : withoutReleases(files) };
}

/** What the branch has. `baseline`: what passes on its tree. */
export async function rememberHead(place: Place, baseline: Pick<Baseline, 'session' | 'tree' | 'passing_tests'>): Promise<void> {
  await change(place, async (index) => {
    if (index.tree === baseline.tree) return null;
    const seen = await lookAt(place, baseline.tree, baseline.passing_tests);
    const files: Record<string, readonly AcceptedVersion[]> = { ...index.files };
    const objects: NewObject[] = [];
    for (const [file, tests] of seen.tests) {
      const version = await seen.in(file);
      if (version === null) continue;
      const stored = await storedVersion(place, version, { tests, session: baseline.session, feature: null });
      objects.push(...stored.objects);
      files[file] = withPresent(files[file] ?? [], stored.version);
    }
    return { index: { ...index, tree: baseline.tree, files }, objects };
  });
}

export interface AcceptedWork {
  session: number;
  feature: number | null;
  /** Commit or tree that the work stands on, and its own. */
  base: string;
  tree: string;
  /** Ids of the tests that pass with it. */
  passing: readonly string[];
  /** A run on exactly this tree shows what passes; false: HEAD is looked at again before the next session. */
  isExact: boolean;
  releases: readonly { by: Release['by']; versions: readonly { file: string; id: string }[] }[];
}

/** Work that has landed: its tests are the last versions, and what was released with it stops counting. */
export async function recordAccepted(place: Place, work: AcceptedWork): Promise<void> {
  const { base, tree, passing, isExact } = work;
  await change(place, async (index) => {
    if (index.tree === tree) return null;
    const ids = [...new Set([...passing, ...Object.values(index.files).flatMap((versions) => versions.at(-1)?.tests ?? [])])];
    const [before, after] = [await lookAt(place, base, ids), await lookAt(place, tree, ids)];
    const files: Record<string, readonly AcceptedVersion[]> = { ...index.files };
    const objects: NewObject[] = [];
    const store: Store = async (version, tests) => {
      const stored = await storedVersion(place, version, { tests, session: work.session, feature: work.feature });
      objects.push(...stored.objects);
      return stored.version;
    };
    for (const file of new Set([...Object.keys(files), ...before.tests.keys(), ...after.tests.keys()])) {
      const versions = await afterLanding(place, { file, before, after, store }, files[file] ?? []);
      if (versions.length > 0) files[file] = releasedIn(file, versions, work);
    }
    return { index: { ...index, tree: isExact ? tree : null, files }, objects };
  });
}

type Store = (version: TestVersion, tests: readonly string[]) => Promise<AcceptedVersion>;

async function afterLanding(
  { platform, trees }: Place,
  { file, before, after, store }: { file: string; before: Sight; after: Sight; store: Store },
  known: readonly AcceptedVersion[],
): Promise<readonly AcceptedVersion[]> {
  const [old, now] = [await before.in(file), await after.in(file)];
  let versions = known;
  if (old !== null) {
    const tests = known.find(({ id }) => id === old.id)?.tests ?? before.tests.get(file) ?? [];
    versions = withPresent(versions, await store(old, tests));
  }
  if (now === null || now.id === old?.id) return versions;
  const isCovered = old !== null && (await supersedes(platform, trees.readBlob, old, now));
  return withAccepted(versions, await store(now, after.tests.get(file) ?? []), isCovered);
}

/** What found no place in the runs of a verdict comes first in the next. */
export async function rememberLeft(place: Place, { earlier_versions: earlier }: Pick<Verdict, 'earlier_versions'>): Promise<void> {
  const left = earlier?.left ?? [];
  await change(place, async (index) => {
    const isSame = left.length === index.left.length && left.every((id) => index.left.includes(id));
    return isSame ? null : { index: { ...index, left }, objects: [] };
  });
}

function releasedIn(
  file: string,
  versions: readonly AcceptedVersion[],
  { session, feature, releases }: AcceptedWork,
): readonly AcceptedVersion[] {
  const since = versions.at(-1)?.id ?? '';
  return releases.reduce((all, { by, versions: released }) => {
    const ids = new Set(released.filter((one) => one.file === file).map(({ id }) => id));
    return withReleased(all, ids, { by, session, feature, since });
  }, versions);
}

interface Sight {
  tests: Map<string, string[]>;
  in: (file: string) => Promise<TestVersion | null>;
}

async function lookAt({ trees, config }: Place, tree: string, passing: readonly string[]): Promise<Sight> {
  const baseline = { passing_tests: [...passing] } as Baseline;
  const tests = acceptedTests({ baseline }, pathSetOf(await trees.list(tree)));
  const isOfTests = testSideOf(collectedFiles({ feature: null, baseline }));
  return { tests, in: await versionsIn({ trees, settings: config }, tree, isOfTests) };
}

async function storedVersion(
  { platform, trees }: Place,
  { id, blob, entries }: TestVersion,
  facts: { tests: readonly string[]; session: number; feature: number | null },
): Promise<{ version: AcceptedVersion; objects: NewObject[] }> {
  const empty = await trees.emptyTree();
  const { tree, objects } = await trees.plan(
    empty,
    entries.map((entry) => ({ path: entry.path, kind: 'entry', entry })),
  );
  const version = {
    ...facts,
    id,
    tree,
    blob,
    tests: [...facts.tests],
    at: isoNow(platform.clock),
    replaces: [],
    joined: 0,
    released: null,
  };
  return { version, objects };
}

async function change(
  place: Place,
  work: (index: AcceptedIndex) => Promise<{ index: AcceptedIndex; objects: readonly NewObject[] } | null>,
): Promise<void> {
  await inTurn(`accepted ${place.shelf.where()}`, async () => {
    const before = await readAccepted(place, { writer: true });
    const changed = await work(before);
    if (changed === null) return;
    await place.trees.write(changed.objects);
    await pin(place, [before.files, changed.index.files]);
    await write(place, changed.index);
  });
}

/** The versions of both lists: a crash before the index is written leaves those that it names. */
async function pin({ platform, trees, home }: Place, lists: readonly AcceptedFiles[]): Promise<void> {
  const ids = new Set(lists.flatMap((files) => Object.values(files).flatMap((versions) => versions.map(({ tree }) => tree))));
  const object: NewObject = { type: 'tree', content: formatTree([...ids].map((oid) => ({ name: oid, mode: FOLDER, oid }))) };
  await trees.write([object]);
  await setRef(platform, home, HARNESS_REFS.accepted, objectId(object, await trees.format()));
}

async function write({ shelf }: Ground, { tree, files, left }: AcceptedIndex): Promise<void> {
  const releases = releasesIn(files);
  const seal = releases.length === 0 ? {} : { seal: await shelf.seal.of('accepted', releases) };
  const document = { schema_version: 1, harness_version: HARNESS_VERSION, tree, left, files, ...seal };
  await writeTo(shelf.in('accepted'), INDEX_FILE, document);
}

function releasesIn(files: AcceptedFiles): unknown[] {
  return Object.entries(files).flatMap(([file, versions]) =>
    versions.flatMap(({ id, released }) => (released === null ? [] : [[file, id, released]])),
  );
}

function withoutReleases(files: AcceptedFiles): AcceptedFiles {
  return Object.fromEntries(Object.entries(files).map(([file, versions]) => [file, versions.map((one) => ({ ...one, released: null }))]));
}
