/** Which commits broke which tests: each broken test file is followed back by halving, in clean rooms, along the branch's own line. */
import { fileOf } from '../../../domain/verdict.ts';
import { commitLine, type CommitName } from '../../../kernel/ground/commit-line.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import type { Project } from '../project.ts';
import { firstBroken } from './watch.ts';

export interface Culprit extends CommitName {
  tests: string[];
}

/** `good`: a commit on which all of them passed; null, or no ancestor: all that is known is that they fail now. */
export async function findCulprits(project: Project, good: string | null, bad: string, broken: readonly string[]): Promise<Culprit[]> {
  const line = good === null ? [] : await commitLine(project, good, bad);
  const names = new Map(line.map((entry) => [entry.commit, entry]));
  const found = new Map<string, Culprit>();
  for (const [file, tests] of byFile(broken)) {
    const commit = await firstBroken([...names.keys()], async (candidate) => isBrokenOn(project, candidate, file, tests));
    const name = commit === null ? undefined : names.get(commit);
    if (name === undefined) continue;
    const known = found.get(name.commit);
    found.set(name.commit, { ...name, tests: [...(known?.tests ?? []), ...tests] });
  }
  return [...found.values()];
}

function byFile(tests: readonly string[]): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const test of tests) files.set(fileOf(test), [...(files.get(fileOf(test)) ?? []), test]);
  return files;
}

async function isBrokenOn(project: Project, commit: string, file: string, tests: readonly string[]): Promise<boolean> {
  const tree = await project.trees.of(commit);
  if ((await project.trees.read(tree, file)) === null) return true;
  const run = await runTests(project, { tree, files: [file] }, project);
  const passed = new Set(run.tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
  return tests.some((test) => !passed.has(test));
}
