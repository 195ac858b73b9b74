/**
 * Tests that counted before and of which no expectation could be changed: where the code that they come to is wrong, what fell on the code from
 * before falls on the new one as well. So what asserts for them, wherever it lies, is worth what it was.
 */
import type { Finding } from '../../domain/verdict.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { runSuite } from '../run/suite.ts';
import { wrongnessOf } from './check-matter.ts';
import { wrongEverywhere } from './wrong-everywhere.ts';

export async function keepForce(platform: Platform, input: JudgeInput, tree: string, files: readonly string[]): Promise<Finding[]> {
  if (files.length === 0) return [];
  const wrongness = wrongnessOf(platform, 'one');
  const run = async (whole: string, room: string) => {
    const edits = await wrongEverywhere(platform, input, whole, files, wrongness);
    const wrong = await input.trees.compose(whole, edits);
    return await runSuite(platform, {
      ...input,
      tree: wrong,
      files: [...files],
      room,
      variant: { forceExit: true },
      purpose: 'force',
      mixed: true,
    });
  };
  const now = await run(tree, 'judge');
  const held = now.tests.filter((test) => test.status === 'passed' && input.baseline?.passing_tests.includes(test.id) === true);
  if (held.length === 0) return [];
  const fell = (await run(input.base.tree, 'contract')).tests.filter(
    (test) => isFailure(test) && test.name !== WHOLE_FILE && test.failure !== 'import',
  );
  const disarmed = held.filter((test) => fell.some((one) => one.id === test.id)).map((test) => test.id);
  if (disarmed.length === 0) return [];
  const message = 'tests that already counted notice wrong code no longer';
  return [{ check: 'controls', reason: 'tamper.tests', weight: 'ask', message, subjects: disarmed.slice(0, 50) }];
}
