/**
 * What the tests of a project can be held to here: which runner, whether its tests are read one by one, what cannot be done, and what an
 * acceptance is therefore worth. In lines for people, each with the reason behind it.
 */
import type { RunnerName } from '../../domain/verdict.ts';
import { commandSources } from '../../verify/run/command-sources.ts';
import { chooseCommand } from '../../verify/run/test-command.ts';
import type { Runner } from '../../verify/runners/runner.ts';
import type { Place } from '../place.ts';

export interface TestGround {
  runner: RunnerName;
  /** `controlled`: single tests, which the harness can make fail on purpose; `named`: single tests by their names alone. */
  reading: 'controlled' | 'named' | 'whole';
  /** Why single tests are not read, or not controlled; null: they are. */
  weakness: string | null;
  /** Programs around the tests that are not started. */
  without: string[];
  /** Steps of the command that are checks of the project's own. */
  checks: string[];
  /** What is done elsewhere to find out what a pass is worth, and cannot be done here. */
  lacks: string[];
  worth: string;
}

export async function testGround({ config, trees }: Pick<Place, 'config' | 'trees'>, tree: string): Promise<TestGround> {
  const { full, report } = config.testing;
  const { runner, resolved } = chooseCommand(full, report, await commandSources(trees, tree, [full]));
  return {
    runner: runner.name,
    reading: runner.single !== null ? 'controlled' : runner.takesControls === false ? 'named' : 'whole',
    weakness: runner.single === null ? runner.weakness.detail : null,
    without: resolved.without,
    checks: resolved.checks,
    lacks: runner.single === null ? WITHOUT_SINGLE_TESTS : [],
    worth: worthOf(runner),
  };
}

const WITHOUT_SINGLE_TESTS = ['planted tests', 'a run without the marks of a test runner', 'another order', 'another date'];

function worthOf(runner: Runner): string {
  if (runner.single !== null) return 'every test is compared by its name, and has to fail where it must';
  if (runner.takesControls === false) return 'tests are compared by their names, but an acceptance always asks a person';
  return 'the test command has to fail where the test file of the feature must; single tests are not compared, and where that cannot be tried a person is asked';
}

export interface GroundLine {
  says: string;
  /** What it means, for whoever asks. */
  because: string;
}

export function describeGround(ground: TestGround): GroundLine[] {
  const { without, checks, lacks, worth } = ground;
  return [
    howRead(ground),
    ...(without.length === 0
      ? []
      : [
          {
            says: `Not started around them: ${without.join(', ')}`,
            because: 'what measures coverage or makes environments would say nothing in the runs of a verdict, or would have to download',
          },
        ]),
    ...(checks.length === 0
      ? []
      : [
          {
            says: `Checks of your own in the test command: ${checks.join(', ')}`,
            because: 'each runs once for a verdict, and refuses work where it passed before the session and fails after it',
          },
        ]),
    ...(lacks.length === 0
      ? []
      : [
          {
            says: `Cannot be tried here: ${lacks.join(', ')}`,
            because: 'the runner gives no way to do it; a verdict rests on the other checks alone',
          },
        ]),
    { says: `What an acceptance is worth: ${worth}`, because: 'see "What is claimed, and what is not" in docs/trust.md' },
  ];
}

function howRead({ runner, reading, weakness }: TestGround): GroundLine {
  if (reading === 'controlled')
    return {
      says: `Tests: ${runner}, read one by one`,
      because: 'the harness starts the runner itself and hears of each test through a reporter of its own',
    };
  if (reading === 'named')
    return {
      says: `Tests: ${runner}: ${weakness ?? ''}`,
      because: 'results are compared by the names of the tests; that a test can fail is not tried, so a person is asked',
    };
  return {
    says: `Tests: ${runner}, not read one by one: ${weakness ?? ''}`,
    because:
      'set testing.full in .harness.yaml to a command that a known runner stands behind, where there is one (docs/runners.md lists them)',
  };
}
