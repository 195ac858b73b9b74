/**
 * Whether verification holds in this project's own test set-up: found out once for each set-up, before anything runs unattended.
 *
 * 1. A good result is kept under `$HARNESS_HOME/cache/self-check/` by the hash of the set-up; a bad one is always found out anew.
 * 2. `.harness/self_check.json` is what the last unattended run went by, and whether a person took the risk for exactly this set-up.
 * 3. The planted cheats may be judged beside the first session (`self-check-beside.ts`); an honest change is judged before it.
 * 4. Only a person lets an unattended run begin where a planted cheat passes: the question is non-negotiable.
 */
import { join } from 'node:path';
import type { Feature } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import { fileOf } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { readDocument, writeDocument } from '../../store/document.ts';
import { withoutSanity } from '../../verify/checks/check-sanity.ts';
import { runSelfCheck, type SelfCheck } from '../../verify/self-check/self-check.ts';
import { setUpHash } from '../../verify/self-check/set-up-hash.ts';
import { StoredCheckSchema, type StoredCheck } from '../documents/self-check-document.ts';
import type { FlightPlace } from '../flight/contract.ts';
import { readBaseline } from '../flight/memory-files.ts';
import { withOwnRooms } from '../flight/own-rooms.ts';
import { runContext } from '../flight/run-context.ts';
import { runnerIn } from './commands.ts';

const LANES = 2;
const MOST_TEXTS = 5;

/** What is trusted: a tree, and the tests that its list names. */
export interface Trusted {
  tree: string;
  features: readonly Pick<Feature, 'test_file'>[];
}

/**
 * What is known for this set-up: what a person accepted first, then a good result of this machine, then the last one of the project. A damaged
 * note is as good as none.
 */
export async function knownSelfCheck(place: FlightPlace, key: string): Promise<StoredCheck | null> {
  const own = await place.documents.read('self-check', { writer: false }).catch(() => null);
  if (own?.key === key && (own.accepted !== null || own.state === 'sound')) return own;
  const elsewhere = await readDocument(place.platform, cachePath(place, key), StoredCheckSchema, { setAside: false }).catch(() => null);
  if (elsewhere?.key === key) return elsewhere;
  return own?.key === key ? own : null;
}

function cachePath(place: Pick<FlightPlace, 'harnessHome'>, key: string): string {
  return join(place.harnessHome, 'cache', 'self-check', `${key}.json`);
}

export async function selfCheckKey(place: FlightPlace, tree: string): Promise<string> {
  return await setUpHash(place.platform, { settings: place.config, trees: place.trees, tree, runner: await runnerIn(place, tree) });
}

export async function performSelfCheck(
  place: FlightPlace,
  trusted: Trusted,
  options: { signal: AbortSignal; honestPassed?: () => void },
): Promise<{ check: SelfCheck; stored: StoredCheck }> {
  const { platform } = place;
  const { tree } = trusted;
  const key = await selfCheckKey(place, tree);
  const context = runContext(place, { noCache: true, signal: options.signal });
  const check = await withOwnRooms(place, { name: 'self-check', count: LANES }, async (lanes) =>
    runSelfCheck(platform, {
      ...context,
      settings: { ...context.settings, testing: withoutSanity(context.settings.testing) },
      ...(options.honestPassed === undefined ? {} : { honestPassed: options.honestPassed }),
      lanes,
      tree,
      runner: await runnerIn(place, tree),
      facts: await factsOf(place, trusted),
    }),
  );
  const stored = toStored(place, key, check);
  if (check.state === 'sound' || check.state === 'basic') {
    await platform.files.mkdir(join(place.harnessHome, 'cache', 'self-check'));
    await writeDocument(platform, cachePath(place, key), stored);
  }
  return { check, stored };
}

function toStored(place: FlightPlace, key: string, check: SelfCheck): StoredCheck {
  return {
    schema_version: 1,
    harness_version: HARNESS_VERSION,
    key,
    runner: check.runner,
    state: check.state,
    passing: check.results.flatMap((result) => (result.family === null || result.right ? [] : [result.family])),
    unheld: check.unheld,
    detail: check.detail,
    checked_at: place.now(),
    duration_ms: check.duration_ms,
    accepted: null,
  };
}

async function factsOf(place: FlightPlace, { features, tree }: Trusted) {
  const paths = (await place.trees.list(tree)).map((entry) => entry.path);
  const present = new Set(paths);
  const baseline = await readBaseline(place, { writer: false });
  const files = [...new Set((baseline?.passing_tests ?? []).map(fileOf))].filter((path) => present.has(path));
  const passing = files.map(async (path, at) => ({
    path,
    text: at < MOST_TEXTS ? ((await place.trees.read(tree, path))?.toString('utf8') ?? null) : null,
  }));
  return {
    paths,
    manifest: (await place.trees.read(tree, 'package.json'))?.toString('utf8') ?? null,
    passing: await Promise.all(passing),
    named: features.flatMap(testFilesOf),
    featuresPath: place.config.paths.features,
  };
}
