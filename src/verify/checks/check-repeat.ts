/**
 * Once more in a fresh directory, another order and at another date. Failing in a fresh directory: refused as flaky. Failing only in
 * another order or at another date: asked.
 */
import { namesOfFiles, testFilesOf } from '../../domain/test-files.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { JudgeInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';
import { runSuite } from '../run/suite.ts';
import { singleTests } from '../runners/registry.ts';
import type { RunVariant } from '../runners/runner.ts';
import { anotherDate, bounded, lostIn, make, orderOf } from './again.ts';
import type { JudgedTree } from './check-protected.ts';

export async function checkRepeat(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  green: readonly string[],
  plain: TestRun,
): Promise<CheckResult> {
  const files = testFilesOf(input.feature);
  const named = namesOfFiles(files);
  const single = singleTests(plain.runner);
  const { variant: shuffle, tree } = orderOf(platform, plain);
  const reversed = await tree(input, judged);
  const run = async (tree: string, variant: RunVariant | undefined): Promise<string[]> =>
    lostIn(
      await runSuite(platform, {
        ...input,
        ...bounded(input, plain),
        cache: undefined,
        tree,
        files,
        room: 'repeat',
        fresh: true,
        ...(variant === undefined ? {} : { variant }),
        purpose: 'repeat',
      }),
      green,
    );
  const first = await run(reversed, single !== null ? { ...shuffle, clockShiftMs: anotherDate(platform, 'near') } : undefined);
  const detail = `${green.length - first.length} of ${green.length} passed again`;
  if (first.length === 0) return { findings: [], detail };
  if (input.untilObjection === true)
    return { findings: [make('repeat', 'test.flaky', 'ask', `tests of ${named} do not pass again elsewhere`, first)], detail };
  const same = await run(judged.tree, undefined);
  if (same.length > 0)
    return {
      findings: [
        make(
          'repeat',
          'test.flaky',
          'reject',
          `tests of ${named} passed once and failed when they were run again in a fresh directory`,
          same,
        ),
      ],
      detail,
    };
  const ordered = await run(reversed, shuffle);
  const message = ordered.length > 0 ? `tests of ${named} pass in one order only` : `tests of ${named} pass at one date only`;
  return { findings: [make('repeat', 'test.flaky', 'ask', message, first)], detail };
}
