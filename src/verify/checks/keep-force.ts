/**
 * Tests that counted before and of which no expectation could be changed: where the code that they come to is wrong, what fell on the code from
 * before falls on the new one as well. So what asserts for them, wherever it lies, is worth what it was.
 */
import type { Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { OpenCase } from '../case.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { runSuite } from '../run/suite.ts';
import { wrongnessOf } from './check-matter.ts';
import type { Wrongness } from './wrongness.ts';
import { notForEver, wrongEverywhere } from './wrong-everywhere.ts';

/** `spared`: what asserts for these tests, and is not to be made wrong. */
export async function keepForce(
  input: OpenCase,
  tree: string,
  files: readonly string[],
  spared: readonly string[] = [],
): Promise<Finding[]> {
  const { platform } = input;
  for (const wrongness of files.length === 0 ? [] : [{ ...wrongnessOf(platform, 'one'), offset: 1 }, wrongnessOf(platform, 'one')]) {
    const disarmed = await disarmedBy(input, { tree, files, spared, wrongness });
    if (disarmed.length === 0) continue;
    const message = 'accepted tests no longer fail when the code is wrong';
    return [{ check: 'controls', reason: 'tamper.tests', weight: 'ask', message, subjects: disarmed.slice(0, 50) }];
  }
  return [];
}

/** It called wrong code without end, until that no longer answered: such a test notices no value. */
function wasStopped({ message = '' }: TestResult, { word }: Wrongness): boolean {
  return message.split('\n').some((line) => /^(?:E\s+)?(?:[\w.]*Stopped|Error): /.test(line.trim()) && line.trim().endsWith(`: ${word}`));
}

async function disarmedBy(
  input: OpenCase,
  { tree, files, spared, wrongness }: { tree: string; files: readonly string[]; spared: readonly string[]; wrongness: Wrongness },
): Promise<string[]> {
  const { platform } = input;
  const run = async (whole: string, room: string): Promise<TestRun> => {
    const edits = await wrongEverywhere(input, whole, { files, wrongness, spared });
    const wrong = await input.trees.compose(whole, edits);
    return await runSuite(platform, {
      ...input,
      ...notForEver(input),
      tree: wrong,
      files: [...files],
      room,
      variant: { forceExit: true, alone: true },
      purpose: 'force',
      mixed: true,
    });
  };
  const now = await run(tree, 'judge');
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const held = now.tests.filter((test) => !isFailure(test) && baseline.has(test.id));
  if (held.length === 0) return [];
  const fell = (await run(input.base.tree, 'contract')).tests.filter(
    (test) => isFailure(test) && test.name !== WHOLE_FILE && test.failure !== 'import' && !wasStopped(test, wrongness),
  );
  return held.filter((test) => fell.some((one) => one.id === test.id)).map((test) => test.id);
}
