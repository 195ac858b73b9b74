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

const WITHOUT_SINGLE_TESTS = ['control tests', 'a run outside the test runner', 'another order', 'another date'];

function worthOf(runner: Runner): string {
  if (runner.single !== null) return 'full (each test is tracked by name and must fail on the old code)';
  if (runner.takesControls === false) return 'by name (each test is tracked by name; a person confirms every acceptance)';
  return 'exit status only (the test command must fail without the feature; if that cannot be tried, a person decides)';
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
            says: `Not used when judging: ${without.join(', ')}`,
            because: 'coverage tools and environment managers add nothing to a verdict, or would have to download something',
          },
        ]),
    ...(checks.length === 0
      ? []
      : [
          {
            says: `Other checks in your test command: ${checks.join(', ')}`,
            because: 'each runs once for a verdict; work is rejected if one passed before the session and fails after it',
          },
        ]),
    ...(lacks.length === 0
      ? []
      : [
          {
            says: `Not available with this runner: ${lacks.join(', ')}`,
            because: 'the runner has no way to do it, so a verdict rests on the other checks',
          },
        ]),
    { says: `Verification level: ${worth}`, because: 'see "What is claimed, and what is not" in docs/trust.md' },
  ];
}

function howRead({ runner, reading, weakness }: TestGround): GroundLine {
  if (reading === 'controlled')
    return {
      says: `Tests: ${runner}, tracked one by one`,
      because: 'the harness runs the tests with its own reporter',
    };
  if (reading === 'named')
    return {
      says: `Tests: ${runner}: ${weakness ?? ''}`,
      because: 'results are compared by test name; whether a test can fail is not tried, so a person decides',
    };
  return {
    says: `Tests: ${runner}, not tracked one by one: ${weakness ?? ''}`,
    because: 'if a known runner runs these tests, set testing.full in .harness.yaml to its command (docs/runners.md lists them)',
  };
}
