/** Runs what the initializer left, before any of it is in the project: its stubs have to fail, and it needs a linter. */
import { pathSetOf } from '../../../domain/tree-index.ts';
import { HarnessError } from '../../../domain/errors.ts';
import type { TestRun } from '../../../domain/verdict.ts';
import { foundIn } from '../../../kernel/founding/new-settings.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import type { AgentChoice } from '../../../kernel/place-settings.ts';
import { openPlace } from '../../../kernel/place.ts';
import type { Project } from '../project.ts';
import { finalFiles } from './initializer-files.ts';
import type { InitializerWork } from './initializer-session.ts';
import { setUpProblems, type SetUpProblem } from './set-up-problems.ts';

/** `base`: the tree that the session started from. */
export async function lookAtSetUp(project: Project, base: string, work: InitializerWork, options: AgentChoice): Promise<SetUpProblem[]> {
  const { trees } = project;
  const edits = await finalFiles(project, work, options);
  const tree = await trees.compose(work.capture.tree, edits);
  const settings = edits.find((edit) => edit.path === '.harness.yaml')?.content;
  return setUpProblems({
    features: work.parsed.list!.features,
    before: await pathsOf(project, base),
    after: await pathsOf(project, tree),
    run: await suiteOf(project, tree, settings === undefined ? null : String(settings)),
    detected: await foundIn(project, tree),
  });
}

async function pathsOf({ trees }: Project, tree: string): Promise<ReadonlySet<string>> {
  return pathSetOf(await trees.list(tree));
}

/** What cannot be run, such as an install that fails, is told by the first look at the project. */
async function suiteOf({ platform, root }: Project, tree: string, configText: string | null): Promise<TestRun | null> {
  const asked = { emit: () => {}, journal: false as const, needs: 'project' as const, ...(configText === null ? {} : { configText }) };
  const place = await openPlace(platform, root, asked);
  try {
    return await runTests(place, { tree }, { noCache: false });
  } catch (error) {
    if (error instanceof HarnessError) return null;
    throw error;
  } finally {
    await place.rooms.dispose();
  }
}
