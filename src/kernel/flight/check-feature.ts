/** One feature's own test on one tree, in a clean room. */
import type { Feature } from '../../domain/feature.ts';
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
  const file = feature.test_file!;
  if ((await place.trees.read(tree, file)) === null)
    return {
      passed: false,
      command: '',
      tests: [],
      problems: [`${file} does not exist in this tree`],
      detail: 'the test file does not exist',
    };
  const run = await runTests(place, { tree, files: [file] }, options);
  const green = run.tests.filter((test) => test.status === 'passed').length;
  const passed = run.consistent && run.exit_code === 0 && green > 0 && green === run.tests.length;
  const detail = run.tests.length === 0 ? (run.problems[0] ?? 'no test was run') : `${green} of ${run.tests.length} tests pass`;
  return { passed, command: run.command.join(' '), tests: run.tests, problems: run.problems, detail };
}
