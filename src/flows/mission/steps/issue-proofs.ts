/**
 * What the proof of an issue says in the harness's own runs.
 *
 * 1. Only tests that the reporter cannot have made up count: files that are there, and of which a test runs and fails. Whoever reports an issue also
 *    writes its command, so that its exit status shows nothing.
 * 2. Work is held back only by what it broke: a file that fails on it, twice, and did not fail before it.
 */
import { pathSetOf } from '../../../domain/tree-index.ts';
import { isNamedTest, runProof } from '../../../kernel/flight/proofs.ts';
import type { Issue } from '../../../kernel/mission-schema.ts';
import type { MissionPlace } from '../contract.ts';

type Proved = Pick<Issue, 'proof'>;

/** Why an issue holds back the work; null: it does not. */
export async function brokenBy(place: MissionPlace, work: { tree: string; base: string }, { proof }: Proved): Promise<string | null> {
  const tests = await present(place, work.tree, proof?.tests ?? []);
  const failing = await failedOn(place, work.tree, tests);
  if (failing.length === 0) return null;
  const files = [...new Set(failing.map(({ file }) => file))];
  const old = await present(place, work.base, files);
  const before = new Set((await failedOn(place, work.base, old)).map(({ file }) => file));
  const suspects = files.filter((file) => !before.has(file) && (old.includes(file) || isNamedTest(file)));
  const again = suspects.length === 0 ? [] : await failedOn({ ...place, noCache: true }, work.tree, suspects);
  return again[0] === undefined ? null : `${again[0].test} fails`;
}

/** Why an issue is one of this tree today; null: no test shows it. */
export async function failingToday(place: MissionPlace, tree: string, { proof }: Proved): Promise<string | null> {
  const named = proof?.tests ?? [];
  if (named.length === 0 || !named.every(isNamedTest)) return null;
  const tests = await present(place, tree, named);
  const [first] = tests.length < named.length ? [] : await failedOn(place, tree, tests);
  return first === undefined ? null : `${first.test} fails`;
}

async function present(place: MissionPlace, tree: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const there = pathSetOf(await place.trees.list(tree));
  return paths.filter((path) => there.has(path));
}

async function failedOn(place: MissionPlace, tree: string, tests: string[]): Promise<{ file: string; test: string }[]> {
  if (tests.length === 0) return [];
  const { failed } = await runProof(place, tree, { tests, command: null, person: false });
  await place.rooms.dispose();
  return failed;
}
