/**
 * `harness verify`: the judge's eyes without its power. Runs tests, or shows an earlier verdict; writes no state and needs no lock.
 *
 * It works in rooms of its own, because a session may be judged at the same time.
 */
import { usageError } from '../../../domain/errors.ts';
import { asTestFile, testFilesOf } from '../../../domain/test-files.ts';
import { countTests, failuresIn } from '../../../domain/test-results.ts';
import type { TestRun, Verdict } from '../../../domain/verdict.ts';
import { describeVerdict } from '../../../prompts/describe-verdict.ts';
import { runFeature, type FeatureRun } from '../../../kernel/flight/check-feature.ts';
import { withOwnRoom } from '../../../kernel/flight/own-rooms.ts';
import { runTests } from '../../../kernel/flight/run-context.ts';
import { findFeature } from '../list/list-commit.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import type { Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';
import { readState } from '../state-files.ts';
import { firstItem } from '../../../domain/items.ts';

/** One set of rooms is enough to look. */
export const LOOK = 'look';

interface Options {
  noCache: boolean;
  signal: AbortSignal;
}

export interface FeatureLook extends FeatureRun {
  feature: number;
  description: string;
  test_file: string | string[];
  commit: string;
}

export async function lookAtFeature(project: Project, id: number, options: Options): Promise<FeatureLook> {
  const state = await readState(project, { writer: false });
  const { loaded, head } = await readTrusted(project, state, { anyCircle: true });
  const feature = findFeature(loaded, id);
  const file = asTestFile(testFilesOf(feature));
  if (file === null) throw usageError(`Feature #${id} names no test file.`, `A person has to look: harness manual-verify --feature ${id}`);
  const run = await withOwnRoom(project, LOOK, (rooms) => runFeature({ ...project, rooms }, feature, head.tree, options));
  return { feature: id, description: feature.description, test_file: file, commit: head.commit, ...run };
}

export interface TreeLook {
  revision: string;
  tree: string;
  passed: boolean;
  runner: string;
  command: string;
  passing: number;
  total: number;
  failing: { id: string; status: string; message: string | null }[];
  problems: string[];
}

export async function lookAtTree(project: Project, revision: string, options: Options): Promise<TreeLook> {
  const tree = await project.trees.of(revision);
  const run = await withOwnRoom(project, LOOK, (rooms) => runTests({ ...project, rooms }, { tree }, options));
  return { revision, tree, ...describeRun(run) };
}

function describeRun(run: TestRun): Omit<TreeLook, 'revision' | 'tree'> {
  const failing = failuresIn(run.tests);
  return {
    passed: run.consistent && run.exit_code === 0 && failing.length === 0,
    runner: run.runner,
    command: run.command.join(' '),
    passing: run.tests.filter((test) => test.status === 'passed').length,
    total: countTests(run.tests),
    failing: failing.map((test) => ({ id: test.id, status: test.status, message: test.message ?? null })),
    problems: run.problems,
  };
}

/** By its id or an unambiguous beginning of it. */
export async function lookAtVerdict(project: Pick<Project, 'shelf'>, id: string): Promise<{ verdict: Verdict; lines: string[] }> {
  const names = await project.shelf.in('verdicts').list();
  const matches = names.includes(id) ? [id] : names.filter((name) => id !== '' && name.startsWith(id));
  const verdict = matches.length === 1 ? await readVerdict(project, firstItem(matches)) : null;
  if (verdict === null) {
    const newest = names.toSorted().slice(-5);
    throw usageError(
      matches.length > 1 ? `"${id}" could be any of ${matches.slice(0, 10).join(', ')}.` : `There is no verdict "${id}".`,
      newest.length === 0 ? 'Nothing was judged here yet.' : `Some that are there: ${newest.join(', ')}`,
    );
  }
  return { verdict, lines: describeVerdict(verdict) };
}
