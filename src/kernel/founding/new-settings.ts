/** The settings file of a new project: what was detected in it, and the agent that was asked for. */
import { DEFAULT_BACKEND, isBackend } from '../../agents/registry.ts';
import { detectProject, type Detected } from '../../config/detect.ts';
import { lintOf, renderConfig, type FreshConfig } from '../../config/render-config.ts';
import { usageError } from '../../domain/errors.ts';
import type { Emit } from '../../domain/event.ts';
import type { TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { keepOutput } from '../flight/foreign-output.ts';
import { runTests, type RunGround } from '../flight/run-context.ts';
import { openPlace, type Place } from '../place.ts';
import { unread } from '../../verify/runners/no-report.ts';
import type { AgentChoice } from '../place-settings.ts';
import { lacksSummary } from './first-look.ts';
import { failingChecks, type LeftOut } from './try-checks.ts';
import { alreadySteps, withoutFailingSteps } from './try-steps.ts';
import { explainFailures, type Explanation, type Failing } from './try-surroundings.ts';
import { mustHave } from '../../domain/must-have.ts';
import { counted } from '../../domain/counted.ts';
import { isFailure, passingIds } from '../../domain/test-results.ts';
import { commandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import { ownValue } from '../../domain/items.ts';

type Found = Pick<Detected, 'test' | 'lint' | 'type_check'> &
  Pick<FreshConfig, 'surroundings' | 'leftOut' | 'withoutEvidence' | 'byExitStatus'>;

export function freshSettings(name: string, found: Found, options: AgentChoice): string {
  const backend = isBackend(options.agent) ? options.agent : DEFAULT_BACKEND;
  const { surroundings, leftOut, withoutEvidence, byExitStatus } = found;
  return renderConfig({
    name,
    testing: found.test ?? 'true',
    detected: found,
    agent: { backend, command: options.agentCommand },
    ...(surroundings === undefined ? {} : { surroundings }),
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(withoutEvidence === undefined ? {} : { withoutEvidence }),
    ...(byExitStatus === undefined ? {} : { byExitStatus }),
  });
}

export interface NewSettings {
  text: string;
  leftOut: LeftOut[];
  /** null: the tests need none. */
  explanation: Explanation | null;
  /** The suite with these settings; null: it could not be run. */
  run: TestRun | null;
}

/** Settings by what the files say; nothing was tried yet. */
export interface DraftSettings {
  name: string;
  found: Found;
  text: string;
}

export async function draftSettings(
  platform: Platform,
  root: string,
  name: string,
  options: AgentChoice & { testCommand?: string | null },
): Promise<DraftSettings> {
  const detected = await detectProject(platform, root);
  const found = { ...detected, test: options.testCommand ?? detected.test };
  if (found.test === null) {
    throw usageError(
      `No test command could be detected in ${root}.`,
      'Write a .harness.yaml first, with at least:',
      '  project:',
      `    name: ${name}`,
      '  testing:',
      '    full: <the command that runs all tests>',
    );
  }
  return { name, found, text: freshSettings(name, found, options) };
}

/** For a repository that is there: what fails on its commit is left out, and what its tests need in a clean room is set. */
export async function settingsForRepository(
  platform: Platform,
  root: string,
  { name, found: detected }: DraftSettings,
  options: AgentChoice & Pick<Failing, 'unwritten'> & { emit: Emit },
): Promise<NewSettings> {
  const { emit } = options;
  const within: Within = async (held, use) => {
    const configText = freshSettings(name, held, options);
    const place = await openPlace(platform, root, { emit: () => {}, journal: false, configText, needs: 'project' });
    try {
      return await use(place, await place.trees.of(mustHave(place.home.head, 'the project has a commit')));
    } finally {
      await place.rooms.dispose();
    }
  };
  const steps = await within(detected, (place, tree) => alreadySteps(place, tree, [lintOf(detected), detected.type_check]));
  const found = withoutCommands(detected, steps);
  if (lintOf(found) !== null || found.type_check !== null) emit({ type: 'progress', message: 'lint and type check' });
  const leftOut = await within(found, failingChecks);
  emit({ type: 'progress', message: 'tests, first run' });
  const stepped = await within(withoutChecks(found, leftOut), withoutFailingSteps);
  const all = [...leftOut, ...stepped.leftOut];
  const before: Found = { ...withoutChecks(found, all), test: stepped.full };
  const { kept, run } =
    stepped.run === null ? { kept: before, run: null } : await readable(within, before, { ...options, run: stepped.run });
  const failing = run === null ? null : { run, unwritten: options.unwritten };
  const explanation = failing === null ? null : await within(kept, (place, tree) => explainFailures({ ...place, emit }, tree, failing));
  const last = explanation?.run ?? run;
  const settled: Found = {
    ...kept,
    ...(explanation === null ? {} : { surroundings: explanation.surroundings }),
    ...(last !== null && lacksSummary(last) ? { withoutEvidence: true } : {}),
  };
  return { text: freshSettings(name, settled, options), leftOut: all, explanation, run: last };
}

type Within = <Result>(held: Found, use: (place: Place, tree: string) => Promise<Result>) => Promise<Result>;

/** Where tests ask for what a build makes, it runs before them; where single tests cannot be read, the exit status counts. */
async function readable(
  within: Within,
  held: Found,
  { run, unwritten, emit }: Failing & { emit: Emit },
): Promise<{ kept: Found; run: TestRun }> {
  const build = (found: Found, failing: TestRun) =>
    within(found, (place, tree) => tryBuild({ ...place, emit }, tree, { run: failing, unwritten }));
  const built = await build(held, run);
  if (built !== null) return { kept: { ...held, test: built.full }, run: built.run };
  const why = unread(run);
  if (why === null) return { kept: held, run };
  const byStatus: Found = { ...held, byExitStatus: true };
  const first = await within(byStatus, (place, tree) => runTests(place, { tree }, { noCache: false }));
  const other = first.exit_code === 0 ? null : await build(byStatus, first);
  if ((other?.run ?? first).exit_code !== 0) return { kept: held, run };
  emit({ type: 'warning', message: `only the exit status of the test command counts, because single tests cannot be read: ${why}` });
  return { kept: other === null ? byStatus : { ...byStatus, test: other.full }, run: other?.run ?? first };
}

function withoutChecks(found: Found, leftOut: readonly LeftOut[]): Found {
  const without = withoutCommands(found, new Set(leftOut.map(({ command }) => command)));
  return { ...without, ...(leftOut.length === 0 ? {} : { leftOut }) };
}

function withoutCommands(found: Found, commands: ReadonlySet<string>): Found {
  const has = (command: string | null): boolean => command !== null && commands.has(command);
  return { ...found, lint: has(lintOf(found)) ? null : found.lint, type_check: has(found.type_check) ? null : found.type_check };
}

/** For what an agent made: looked at in a clean room, before any of it is in the project. */
export async function settingsForTree(place: Place, tree: string, options: AgentChoice): Promise<string> {
  const found = await foundIn(place, tree);
  if (found.test === null)
    throw usageError(
      'No test command could be detected in what the initializer made; nothing was changed in the project.',
      'Write a .harness.yaml with testing.full first, then run harness init again.',
    );
  const { testing } = place.config;
  const sanity = { health: null, lint: lintOf(found), unit: null, e2e: null, type_check: found.type_check };
  const alone = { ...place, config: { ...place.config, testing: { ...testing, sanity, unit: null, e2e: null } } };
  const leftOut = await failingChecks(alone, tree);
  for (const { name, why, output } of leftOut)
    place.emit({ type: 'warning', message: `${name} is not enforced: ${why} (full output: ${await keepOutput(place, name, output)})` });
  return freshSettings(place.config.project.name, withoutChecks(found, leftOut), options);
}

/** Language and commands of a tree. */
export async function foundIn(place: Place, tree: string): Promise<Detected> {
  const room = await place.rooms.prepare(tree, { name: 'detect' });
  return await detectProject(place.platform, room.path);
}

/**
 * Tests that ask for what a build makes (`dist/`), on a commit that has not been built: the suite runs again, after the project's own build.
 *
 * It counts only if more tests pass by it and none is lost.
 */
interface Built {
  full: string;
  run: TestRun;
}

/** Null: nothing has to be built, it is built already, or it does not help. */
async function tryBuild(place: RunGround & { emit: Emit }, tree: string, { run, unwritten }: Failing): Promise<Built | null> {
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
