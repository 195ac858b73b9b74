/**
 * Steps in front of the tests (`npm run build && mocha`, a `pretest` script), tried on a commit that no session has touched.
 *
 * A step that fails there would end every run before a test is asked. It is left out where the tests run without it.
 */
import { HarnessError } from '../../domain/errors.ts';
import type { TestRun } from '../../domain/verdict.ts';
import { commandSources } from '../../verify/run/command-sources.ts';
import { resolveCommand } from '../../verify/run/resolve-command.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { chooseCommand, type TestCommand } from '../../verify/run/test-command.ts';
import { runTests, type RunGround } from '../flight/run-context.ts';
import { tryCheck, type LeftOut } from './try-checks.ts';

interface Stepped {
  /** The test command without what was left out. */
  full: string;
  leftOut: LeftOut[];
  /** The suite with it; null: it could not be run at all, which the first look at the tests reports. */
  run: TestRun | null;
}

export async function withoutFailingSteps(place: RunGround, tree: string): Promise<Stepped> {
  const { full } = place.config.testing;
  try {
    const run = await runTests(place, { tree }, { noCache: false });
    const command = await chosenIn(place, tree);
    const failing = await failingSteps(place, tree, run, command);
    if (failing.length === 0) return { full, leftOut: [], run };
    const without = commandWithout(command, new Set(failing.map((one) => one.command)));
    const other = { ...place, config: { ...place.config, testing: { ...place.config.testing, full: without } } };
    const again = await runTests(other, { tree }, { noCache: false });
    return again.tests.length === 0 ? { full, leftOut: [], run } : { full: without, leftOut: failing, run: again };
  } catch (error) {
    if (error instanceof HarnessError) return { full, leftOut: [], run: null };
    throw error;
  }
}

/** Of these checks the ones that are steps of the test command as well, as `pnpm lint` is `npm run lint`: each verdict runs the step. */
export async function alreadySteps({ trees, config }: RunGround, tree: string, checks: readonly (string | null)[]): Promise<Set<string>> {
  const { full, report } = config.testing;
  const given = checks.filter((check) => check !== null);
  const sources = await commandSources(trees, tree, [full, ...given]);
  const spelledOut = (command: string): string => {
    const { before, checks: others, words, env } = resolveCommand(command, sources);
    return JSON.stringify([before, others, words ?? command, env]);
  };
  const steps = new Set(chooseCommand(full, report, sources).resolved.checks.map(spelledOut));
  return new Set(given.filter((check) => steps.has(spelledOut(check))));
}

async function chosenIn({ trees, config }: RunGround, tree: string): Promise<TestCommand> {
  const { full, report } = config.testing;
  return chooseCommand(full, report, await commandSources(trees, tree, [full]));
}

/** All of them where one failed; a run of the tests ends at the first. */
async function failingSteps(place: RunGround, tree: string, run: TestRun, { resolved }: TestCommand): Promise<LeftOut[]> {
  const [, , step] = run.command;
  const hasFailed = run.tests.length === 0 && run.exit_code !== 0 && step !== undefined && resolved.before.includes(step);
  if (!hasFailed) return [];
  const failing: LeftOut[] = [];
  for (const command of resolved.before) {
    const failed = await tryCheck(place, tree, { name: 'step', command });
    if (failed !== null) failing.push(failed);
  }
  return failing;
}

/** As one command again, spelled out. */
function commandWithout({ resolved }: TestCommand, failing: ReadonlySet<string>): string {
  const { before, checks, env, words } = resolved;
  const set = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`);
  const tests = [...set, ...(words ?? []).map(quoteWord)].join(' ');
  return [...before.filter((step) => !failing.has(step)), tests, ...checks].join(' && ');
}
