/**
 * Tests that ask for what a build makes (`dist/`), on a commit that nobody has built: the suite again, with the project's own build in front.
 *
 * It counts only if more tests pass by it and none is lost.
 */
import { counted } from '../../domain/counted.ts';
import type { Emit } from '../../domain/event.ts';
import { isFailure, passingIds } from '../../domain/test-results.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { commandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import { runTests, type RunGround } from '../flight/run-context.ts';
import type { Failing } from './try-surroundings.ts';
import { ownValue } from '../../domain/items.ts';

export interface Built {
  full: string;
  run: TestRun;
}

/** Null: nothing has to be built, it is built already, or it does not help. */
export async function tryBuild(place: RunGround & { emit: Emit }, tree: string, { run, unwritten }: Failing): Promise<Built | null> {
  const red = run.tests.filter((test) => isFailure(test) && !unwritten.has(test.file));
  if (run.exit_code === 0 || run.timed_out || (red.length === 0 && run.tests.length > 0)) return null;
  const { testing } = place.config;
  for (const build of await buildsOf(place, tree)) {
    const full = `${build} && ${testing.full}`;
    place.emit({ type: 'progress', message: `tests fail in the sandbox; trying them after "${build}"` });
    const built = await runTests({ ...place, config: { ...place.config, testing: { ...testing, full } } }, { tree }, { noCache: false });
    const [before, after] = [passingIds(run.tests), passingIds(built.tests)];
    if (after.size <= before.size || [...before].some((id) => !after.has(id))) continue;
    const gained = after.size - before.size;
    const message = `${counted(gained, 'more test')} ${gained === 1 ? 'passes' : 'pass'} after a build: .harness.yaml runs "${full}"`;
    place.emit({ type: 'warning', message });
    return { full, run: built };
  }
  return null;
}

/** What a person's install runs by itself comes last. Steps of the test command are known by what they run. */
async function buildsOf({ trees, config }: RunGround, tree: string): Promise<string[]> {
  const { full, report } = config.testing;
  const sources = await commandSources(trees, tree, [full]);
  const steps = [full, ...chooseCommand(full, report, sources).resolved.before];
  return ['build', 'prepare'].flatMap((name) => {
    const script = ownValue(sources.scripts, name) ?? '';
    const isRun = steps.some((step) => step === script || step.includes(`npm run ${name}`));
    return script === '' || isRun || /^husky\b/.test(script) ? [] : [`npm run ${name}`];
  });
}
