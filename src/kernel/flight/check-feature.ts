/** One feature's own tests on one tree, in a clean room. */
import { pathSetOf } from '../../domain/tree-index.ts';
import type { Feature } from '../../domain/feature.ts';
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import type { TestResult } from '../../domain/verdict.ts';
import { runTests, type RunGround, type RunOptions } from './run-context.ts';

export interface FeatureRun {
  passed: boolean;
  command: string;
  tests: TestResult[];
  problems: string[];
  detail: string;
}

export async function runFeature(place: RunGround, feature: Feature, tree: string, options: RunOptions): Promise<FeatureRun> {
  const files = testFilesOf(feature);
  const present = pathSetOf(await place.trees.list(tree));
  const missing = files.filter((file) => !present.has(file));
  if (missing.length > 0)
    return {
      passed: false,
      command: '',
      tests: [],
      problems: missing.map((file) => `${file} does not exist in this tree`),
      detail: 'the test file does not exist',
    };
  const run = await runTests(place, { tree, files }, options);
  const green = run.tests.filter((test) => test.status === 'passed').length;
  const idle = run.tests.some((test) => files.includes(test.file))
    ? files.filter((file) => !run.tests.some((test) => test.file === file))
    : [];
  const passed = run.consistent && run.exit_code === 0 && green > 0 && green === run.tests.length && idle.length === 0;
  const detail =
    run.tests.length === 0
      ? (run.problems[0] ?? 'no test was run')
      : `${green} of ${run.tests.length} tests pass${idle.length === 0 ? '' : `, and no test of ${namesOfFiles(idle)} was run`}`;
  return { passed, command: run.command.join(' '), tests: run.tests, problems: run.problems, detail };
}
