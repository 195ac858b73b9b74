/**
 * Tests that ask for what a build makes (`dist/`), on a commit that nobody has built: the suite again, with the project's own build in front.
 *
 * It counts only if more tests pass by it and none is lost.
 */
import { counted } from '../../domain/counted.ts';
import type { Emit } from '../../domain/event.ts';
import { isFailure } from '../../domain/test-results.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { commandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import { runTests, type RunGround } from '../flight/run-context.ts';
import type { Failing } from './try-surroundings.ts';

export interface Built {
  full: string;
  run: TestRun;
}

/** `build`: the project's own command. Null: there is none, it is run already, or it does not help. */
export async function tryBuild(
  place: RunGround & { emit: Emit },
  tree: string,
  { build, run, unwritten }: Failing & { build: string | null },
): Promise<Built | null> {
  const red = run.tests.filter((test) => isFailure(test) && !unwritten.has(test.file));
  const isRed = run.exit_code !== 0 && !run.timed_out && (red.length > 0 || run.tests.length === 0);
  if (build === null || !isRed || (await isBuilt(place, tree, build))) return null;
  const { testing } = place.config;
  const full = `${build} && ${testing.full}`;
  place.emit({ type: 'progress', message: `tests fail in the sandbox; trying them after "${build}"` });
  const built = await runTests({ ...place, config: { ...place.config, testing: { ...testing, full } } }, { tree }, { noCache: false });
  const [before, after] = [passing(run), passing(built)];
  if (after.size <= before.size || [...before].some((id) => !after.has(id))) return null;
  const gained = counted(after.size - before.size, 'more test');
  place.emit({
    type: 'warning',
    message: `${gained} ${after.size - before.size === 1 ? 'passes' : 'pass'} after a build: .harness.yaml runs "${full}"`,
  });
  return { full, run: built };
}

/** The script by its name, or spelled out: steps are known by what they run. */
async function isBuilt({ trees, config }: RunGround, tree: string, build: string): Promise<boolean> {
  const { full, report } = config.testing;
  const sources = await commandSources(trees, tree, [full]);
  const { before } = chooseCommand(full, report, sources).resolved;
  return [full, ...before].some((step) => step.includes(build) || step === sources.scripts['build']);
}

function passing({ tests }: TestRun): Set<string> {
  return new Set(tests.filter(({ status }) => status === 'passed').map(({ id }) => id));
}
