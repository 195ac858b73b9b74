/**
 * Both versions of a changed test file where everything they reach is wrong: what falls in the earlier one has to fall in the new one.
 *
 * The earlier version stands beside it under another name. Where something seems lost, the earlier version also runs in the place of the new one.
 */
import { isFailure } from '../../domain/test-results.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { fileOf, type Finding, type TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { runSuite } from '../run/suite.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { languageOf } from '../source/source.ts';
import { wrongnessOf } from './check-matter.ts';
import { notForEver, wrongEverywhere } from './wrong-everywhere.ts';
import { mustHave } from '../../domain/must-have.ts';

/** Runners in which a hook of one file runs around the tests of all: there the two versions never run together. */
const HAVE_HOOKS_FOR_ALL: ReadonlySet<string> = new Set(['mocha', 'jasmine', 'bun']);

/** Accepted tests that noticed wrong code, far off or off by one, before their file was changed, and do not any more. */
export async function checkForce(input: Case): Promise<Finding[]> {
  const { platform, judged } = input;
  const accepted = new Set((input.baseline?.passing_tests ?? []).map(fileOf));
  const twins = new Map<string, string>();
  const edits: TreeEdit[] = [];
  const earlier: TreeEdit[] = [];
  for (const change of judged.changes) {
    if (!judged.contract.includes(change.path) || !accepted.has(change.path) || change.from === null || languageOf(change.path) === null)
      continue;
    const twin = twinOf(change.path, platform.random.id(3));
    twins.set(change.path, twin);
    edits.push({ path: twin, kind: 'entry', entry: { ...change.from, path: twin } });
    earlier.push({ path: change.path, kind: 'entry', entry: { ...change.from, path: change.path } });
  }
  if (twins.size === 0) return [];
  const files = [...twins.keys()];
  const lost = new Set<string>();
  for (const wrongness of [wrongnessOf(platform, 'one'), { ...wrongnessOf(platform, 'one'), offset: 1 }]) {
    const wrong = await wrongEverywhere(input, judged.tree, { files, wrongness });
    if (wrong.length === 0) return [];
    const run = async (more: readonly TreeEdit[], some: readonly string[]): Promise<TestRun> =>
      await runSuite(platform, {
        ...input,
        ...notForEver(input),
        tree: await input.trees.compose(judged.tree, [...wrong, ...more]),
        files: [...some],
        room: 'contract',
        variant: { forceExit: true },
        purpose: 'force',
        mixed: true,
      });
    if (HAVE_HOOKS_FOR_ALL.has(input.baseline?.runner ?? '')) {
      const [now, then] = [await run([], files), await run(earlier, files)];
      for (const file of files) for (const id of disarmed(now, file, then, file)) lost.add(id);
    } else {
      const disarmedWith = async (more: readonly TreeEdit[]): Promise<string[]> => {
        const both = await run([...edits, ...more], [...files, ...twins.values()]);
        return files.flatMap((file) =>
          disarmed(both, file, both, mustHave(twins.get(file), 'each file has its earlier version next to it')),
        );
      };
      const found = await disarmedWith([]);
      // Files that share a process find there what others left: what the earlier version in the same place does not notice either is no loss.
      const anyhow = found.length === 0 ? [] : await disarmedWith(earlier);
      for (const id of found) if (!anyhow.includes(id)) lost.add(id);
    }
    if (lost.size > 0) break;
  }
  return lost.size === 0
    ? []
    : [
        {
          check: 'old-contract',
          reason: 'tamper.tests',
          weight: 'ask',
          message: 'accepted tests no longer fail when the code is wrong, since their file was changed',
          subjects: [...lost].slice(0, 50),
        },
      ];
}

/** What is skipped does not notice anything either, and nor does a test that is not there where no other of its file fell. */
function disarmed(run: TestRun, file: string, other: TestRun, earlier: string): string[] {
  const now = new Map(run.tests.filter((test) => test.file === file).map((test) => [test.name, test]));
  const isSilent = ![...now.values()].some(isFailure);
  const isHeld = (name: string): boolean => {
    const test = now.get(name);
    return test === undefined ? isSilent : !isFailure(test);
  };
  return other.tests
    .filter((test) => test.file === earlier && isFailure(test) && test.name !== WHOLE_FILE && isHeld(test.name))
    .map((test) => `${file}::${test.name}`);
}

/** Another name that the runner takes for a test in the same folder. */
export function twinOf(path: string, suffix: string): string {
  const at = path.lastIndexOf('/') + 1;
  const name = path.slice(at);
  const changed = name.endsWith('.py')
    ? name.replace(/(_test)?\.py$/, `_${suffix}$1.py`)
    : name.replace(/([._-](?:test|spec))?(\.[cm]?[jt]sx?)$/, `-${suffix}$1$2`);
  return `${path.slice(0, at)}${changed}`;
}
