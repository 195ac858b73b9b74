/**
 * Whether hidden tests prove a feature whose own tests are weak.
 *
 * 1. At least three of them fail on base, pass on the candidate and fail on mutated code.
 * 2. Together they notice each exported function that the change adds or alters, when that function alone is mutated.
 */
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { Facts } from '../check.ts';
import { changedUnits, readChanges, type ReadChange } from '../checks/changed-code.ts';
import { wrongnessOf } from '../checks/check-matter.ts';
import { wrongText } from '../checks/make-wrong.ts';
import { collectedFiles, testSideOf } from '../checks/test-side.ts';
import type { WrongUnits } from '../checks/wrongness.ts';
import { isFailure } from '../../domain/test-results.ts';
import { makerOf, type InstrumentId } from '../instruments.ts';
import { languageOf } from '../source/source.ts';
import type { HiddenTest } from './hidden-test.ts';
import { editsOf, HIDDEN_ROOM, runHidden, unwatched } from './hidden-runs.ts';

/** Instruments that ask how strong the feature's own tests are. Where hidden tests prove the feature, they only warn. */
const OF_OWN_TESTS: ReadonlySet<InstrumentId> = new Set<InstrumentId>([
  'red',
  'matter',
  'red/touchy',
  'red/loose',
  'red/idle',
  'red/unreached',
  'red/own-expectations',
  'red/idle-files',
  'red/written-answers',
  'controls/copies',
  'controls/unproved',
]);

const LEAST_PROOFS = 3;
const MOST_FUNCTIONS = 8;

export function weakOwnTests(findings: readonly Finding[]): Finding[] {
  return findings.filter((one) => one.weight !== 'warn' && one.reason === 'test.not_red' && OF_OWN_TESTS.has(makerOf(one)));
}

/** Hidden tests prove the feature: weaknesses of its own tests become warnings. */
export function warnAboutOwnTests(findings: readonly Finding[]): void {
  for (const finding of weakOwnTests(findings)) {
    finding.weight = 'warn';
    finding.message = `${finding.message} (hidden tests prove the feature)`;
  }
}

export async function isProved(judged: Case, { proving, suite, feature }: Facts): Promise<boolean> {
  if (proving.length < LEAST_PROOFS) return false;
  const isOfTests = testSideOf(collectedFiles(judged, [suite?.suite ?? null, feature?.run ?? null]));
  const changes = judged.judged.changes.filter(({ path, to }) => to !== null && languageOf(path) !== null && !isOfTests(path));
  const exported = (await readChanges(judged.platform, judged.trees, changes)).flatMap(exportedUnits);
  if (exported.length > MOST_FUNCTIONS) return false;
  const quiet = unwatched(judged);
  for (const one of exported) if (!(await isNoticed(quiet, proving, one))) return false;
  return true;
}

interface ExportedUnits {
  change: ReadChange;
  units: WrongUnits;
}

/** Each exported function that is new or changed, with what is inside of it; a class counts as one. */
export function exportedUnits(change: ReadChange): ExportedUnits[] {
  const { after, before, reading, old } = change;
  const rootOf = (name: string): string => name.split('.')[0] ?? '';
  const declared = new Set([...reading.functions, ...reading.values].map(({ name }) => rootOf(name)));
  // What is handed out under another name may be any of them.
  const isOpen = reading.exports.some((name) => !declared.has(name));
  const byRoot = new Map<string, WrongUnits['functions'][number][]>();
  for (const one of changedUnits(after, reading, before, old).functions) {
    const root = rootOf(one.name);
    if (root === '' || (!isOpen && !reading.exports.includes(root))) continue;
    byRoot.set(root, [...(byRoot.get(root) ?? []), one]);
  }
  return [...byRoot.values()].map((functions) => ({ change, units: { functions, values: [], classes: [] } }));
}

async function isNoticed(quiet: Case, proving: readonly HiddenTest[], { change, units }: ExportedUnits): Promise<boolean> {
  const { path, mode, after, reading } = change;
  for (const kind of ['one', 'other', 'inside'] as const) {
    const content = wrongText({ text: after, path, reading }, units, {
      ...wrongnessOf(quiet.platform, kind),
      ...(kind === 'one' ? { offset: 1 } : {}),
    });
    const wrong: TreeEdit = { path, kind: 'write', content, mode };
    const tree = await quiet.trees.compose(quiet.judged.tree, [...editsOf(proving), wrong]);
    const run = await runHidden(quiet, { tree, files: proving.map(({ file }) => file), room: HIDDEN_ROOM });
    if (run.tests.some(isFailure)) return true;
  }
  return false;
}
