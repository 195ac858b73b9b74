/**
 * Why fewer tests pass in a clean room than at a person's terminal: the suite again, in the same sandbox, with one thing varied at a time
 * (`variations.ts`).
 *
 * 1. What makes more tests pass is kept while the rest is tried, so that two causes are found one after the other.
 * 2. It counts only if the whole suite loses no test by it.
 * 3. A test that passes when nothing is varied the second time needs no explanation.
 * 4. Nothing runs outside of the sandbox, and all of it together is bounded in time.
 */
import { counted } from '../../domain/counted.ts';
import type { Emit } from '../../domain/event.ts';
import { pathSetOf } from '../../domain/tree-index.ts';
import { isFailure, passingIds } from '../../domain/test-results.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { runTests, type RunGround } from '../flight/run-context.ts';
import { PLAIN, together, variationsOf, type Surroundings } from './variations.ts';

/** For all trials of one project. */
const PATIENCE_MS = 120_000;

export interface Explanation {
  surroundings: Surroundings;
  /** How many more tests pass. */
  gained: number;
  /** The whole suite with them. */
  run: TestRun;
}

export interface Failing {
  run: TestRun;
  /** Test files of features that are still open: what fails there needs no explanation. */
  unwritten: ReadonlySet<string>;
}

/** null: nothing that is tried helps, or everything passes already. */
export async function explainFailures(
  place: RunGround & { emit: Emit },
  tree: string,
  { run, unwritten }: Failing,
): Promise<Explanation | null> {
  if (run.exit_code === 0 || run.timed_out) return null;
  const { clock, env } = place.platform;
  const deadline = clock.monotonic() + PATIENCE_MS;
  const trial = async (surroundings: Surroundings, files: readonly string[] | null, noCache = false): Promise<TestRun | null> => {
    const left = Math.floor((deadline - clock.monotonic()) / 1_000);
    if (left < 1) return null;
    const asked = { tree, ...(files === null ? {} : { files }) };
    return await runTests(placeWith(place, surroundings, left), asked, { noCache });
  };
  const before = passingIds(run.tests);
  let red = new Set(run.tests.filter((test) => isFailure(test) && !unwritten.has(test.file)).map(({ id }) => id));
  const present = pathSetOf(await place.trees.list(tree));
  const files = [...new Set(run.tests.flatMap(({ id, file }) => (red.has(id) && present.has(file) ? [file] : [])))];
  if (red.size > 0)
    place.emit({
      type: 'progress',
      message: `${counted(red.size, 'test')} ${red.size === 1 ? 'fails' : 'fail'} in the sandbox; looking for what would make ${red.size === 1 ? 'it' : 'them'} pass (2 minutes at most)`,
    });
  // What passes the second time is flaky: whatever is varied would seem to help.
  const again = red.size === 0 ? null : await trial(PLAIN, files.length === 0 ? null : files, true);
  if (again !== null) red = new Set([...red].filter((id) => !passingIds(again.tests).has(id)));
  let found = PLAIN;
  const { LANG = 'C.UTF-8', LC_ALL = '', TZ = '' } = env;
  for (const variation of variationsOf(env, { LANG, LC_ALL, TZ })) {
    if (red.size === 0) break;
    const tried = await trial(together(found, variation), files.length === 0 ? null : files);
    if (tried === null) break;
    const now = passingIds(tried.tests);
    const still = new Set([...red].filter((id) => !now.has(id)));
    if (still.size === red.size) continue;
    [found, red] = [together(found, variation), still];
  }
  if (found === PLAIN) return null;
  const whole = await runTests(placeWith(place, found, place.config.testing.timeout_seconds), { tree }, { noCache: false });
  const after = passingIds(whole.tests);
  const isWorse = [...before].some((id) => !after.has(id));
  return isWorse || after.size <= before.size ? null : { surroundings: found, gained: after.size - before.size, run: whole };
}

function placeWith(place: RunGround, { env, terminal }: Surroundings, seconds: number): RunGround {
  const { testing } = place.config;
  const timeout_seconds = Math.min(testing.timeout_seconds, seconds);
  const changed = { ...testing, env: { ...testing.env, ...env }, terminal: testing.terminal || terminal, timeout_seconds };
  return { ...place, config: { ...place.config, testing: changed } };
}
