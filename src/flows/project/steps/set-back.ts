/**
 * Features that pass on paper and fail on the branch: set back to open, and repaired before anything else.
 *
 * 1. A test counts as failing only after it was run again as often as the settings say.
 * 2. The list is committed alone; what the features block is named.
 */
import { pathSetOf } from '../../../domain/tree-index.ts';
import { counted } from '../../../domain/counted.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import { fileOf, type TestRun } from '../../../domain/verdict.ts';
import { checkBaselineOnHead, renewBaseline } from '../../../kernel/flight/baseline.ts';
import { setPasses } from '../list/feature-text.ts';
import type { Head } from '../../../kernel/flight/contract.ts';
import { runTests, type RunOptions } from '../../../kernel/flight/run-context.ts';
import { commitList } from '../list/list-commit.ts';
import type { ProjectEvent } from '../machine/document.ts';
import { brokenFeatures } from '../machine/broken-features.ts';
import { blockedBy } from '../machine/next-feature.ts';
import type { LoadedList, Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';

export interface SetBack {
  changes: ProjectEvent[];
  features: number[];
}

export async function setBack(
  project: Project,
  state: ProjectState,
  loaded: LoadedList,
  { features, why }: { features: readonly number[]; why: string },
): Promise<SetBack> {
  if (features.length === 0) return { changes: [], features: [] };
  const names = features.map((id) => `#${id}`).join(', ');
  const text = features.reduce((list, id) => setPasses(list, id, false), loaded.text);
  await commitList(
    project,
    text,
    `Set feature ${names} back to open`,
    state.skipped.map((entry) => entry.feature),
  );
  project.emit({ type: 'decision', session: null, text: `feature ${names} set back: ${why}`, by: 'harness' });
  const open = loaded.list.features.map((feature) => (features.includes(feature.id) ? { ...feature, passes: false } : feature));
  for (const id of features) {
    const blocked = blockedBy(open, id).filter((other) => !features.includes(other));
    const waiting =
      blocked.length === 0
        ? 'It blocks nothing else.'
        : `This blocks: ${blocked
            .slice(0, 20)
            .map((other) => `#${other}`)
            .join(', ')}.`;
    project.emit({
      type: 'warning',
      message: `Feature #${id} fails on the current commit and is open again. ${waiting} The next session repairs it first.`,
    });
  }
  return { changes: [{ type: 'setback', features: [...features] }], features: [...features] };
}

/** Features marked as passing whose own tests do not pass on the tree. */
export async function falseClaims(project: Project, loaded: LoadedList, head: Pick<Head, 'tree'>, options: RunOptions): Promise<number[]> {
  const suite = await runTests(project, { tree: head.tree }, options);
  const present = pathSetOf(await project.trees.list(head.tree));
  const failing: number[] = [];
  for (const feature of loaded.list.features) {
    const files = feature.passes ? testFilesOf(feature).filter((file) => !passesIn(suite, file)) : [];
    if (files.length === 0) continue;
    if (files.some((file) => !present.has(file)) || !(await passAlone(project, head.tree, files, options))) failing.push(feature.id);
  }
  return failing;
}

function passesIn(run: TestRun, file: string): boolean {
  const tests = run.tests.filter((test) => test.file === file);
  return tests.length > 0 && tests.every((test) => test.status === 'passed');
}

async function passAlone(project: Project, tree: string, files: readonly string[], options: RunOptions): Promise<boolean> {
  for (let attempt = 0; attempt <= project.config.verification.flaky_reruns; attempt++) {
    const run = await runTests(project, { tree, files }, { ...options, noCache: true });
    if (run.consistent && run.exit_code === 0 && run.tests.length > 0 && run.tests.every((test) => test.status === 'passed')) return true;
  }
  return false;
}

/** After a broken baseline: the features whose tests broke are open again, and what passes now is the new baseline. */
export async function repairBaseline(project: Project, state: ProjectState, options: RunOptions): Promise<SetBack> {
  const { loaded, head } = await readTrusted(project, state);
  const { broken } = await checkBaselineOnHead(project, head, state.last_session, { ...options, noCache: true });
  const owners = brokenFeatures(loaded.list.features, broken).map(({ feature }) => feature);
  if (owners.length === 0) return { changes: [], features: [] };
  const owned = new Set(loaded.list.features.filter((feature) => owners.includes(feature.id)).flatMap(testFilesOf));
  const others = broken.filter((id) => !owned.has(fileOf(id)));
  if (others.length > 0)
    project.emit({
      type: 'warning',
      message: `${others.length} broken test${others.length === 1 ? '' : 's'} of no feature leave${others.length === 1 ? 's' : ''} the baseline: ${others.slice(0, 10).join(', ')}`,
    });
  const result = await setBack(project, state, loaded, {
    features: owners,
    why: `${counted(broken.length, 'test')} of the baseline ${broken.length === 1 ? 'fails' : 'fail'} on the current commit`,
  });
  await renewBaseline(project, (await readTrusted(project, state)).head, state.last_session, options);
  return result;
}
