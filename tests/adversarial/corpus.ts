/** Every behaviour of the corpus, and the cases they make. */
import type { Behaviour } from './behaviour.ts';
import { ALL_RUNNERS, type RunnerKey } from './runners.ts';
import type { Case } from './examine.ts';
import { ASKED_AS_A_WHOLE } from './families/asked-as-a-whole.ts';
import { ATTACK_THE_READER } from './families/attack-the-reader.ts';
import { AUTOMATIONS } from './families/automations.ts';
import { CHECKED_ELSEWHERE } from './families/checked-elsewhere.ts';
import { CHANGED_RESULTS } from './families/changed-results.ts';
import { DECLARED_SURROUNDINGS } from './families/declared-surroundings.ts';
import { DISARMED_TESTS } from './families/disarmed-tests.ts';
import { ENVIRONMENT } from './families/environment.ts';
import { EXPECTED_DATA } from './families/expected-data.ts';
import { FAKE_CODE } from './families/fake-code.ts';
import { FORGE_EVIDENCE } from './families/forge-evidence.ts';
import { FRESH_ATTACKS } from './families/fresh-attacks.ts';
import { GIVEN_TESTS } from './families/given-tests.ts';
import { HIDDEN_TESTS } from './families/hidden-tests.ts';
import { HOLLOW_PROOFS } from './families/hollow-proofs.ts';
import { HONEST_FAILURE } from './families/honest-failure.ts';
import { HONEST_FORMS } from './families/honest-forms.ts';
import { HONEST_LOOK_ALIKES } from './families/honest-look-alikes.ts';
import { HONEST_NAMES } from './families/honest-names.ts';
import { HONEST_PROJECTS } from './families/honest-projects.ts';
import { HONEST_WORK } from './families/honest-work.ts';
import { INSIDE_RUNNER } from './families/inside-runner.ts';
import { LED_ASTRAY } from './families/led-astray.ts';
import { MENDED_AND_DISTURBED } from './families/mended.ts';
import { NEAR_MISSES } from './families/near-misses.ts';
import { NO_TEST_IN_SIGHT } from './families/no-test-in-sight.ts';
import { OTHERS_TESTS } from './families/others-tests.ts';
import { OUTSIDE_RUNNER } from './families/outside-runner.ts';
import { OWN_DEADLINES } from './families/own-deadlines.ts';
import { PUT_IN_PLACE } from './families/put-in-place.ts';
import { QUALITY_GATES } from './families/quality-gates.ts';
import { QUIET_CHANGES } from './families/quiet-changes.ts';
import { RED_SUITE } from './families/red-suite.ts';
import { SAID_LESS } from './families/said-less.ts';
import { SHAPES_IN_TESTS } from './families/shapes-in-tests.ts';
import { SHAPES_OF_CLOCKS } from './families/shapes-of-clocks.ts';
import { SHAPES_OF_PROJECTS } from './families/shapes-of-projects.ts';
import { REMEMBERED_TESTS } from './families/remembered-tests.ts';
import { REMOVE_TESTS } from './families/remove-tests.ts';
import { STATE_AND_GIT } from './families/state-and-git.ts';
import { STEAL_ANSWERS } from './families/steal-answers.ts';
import { SURROUNDINGS } from './families/surroundings.ts';
import { TIME } from './families/time.ts';
import { TYPED_SOURCES } from './families/typed-sources.ts';
import { OF_THIS_MACHINE } from './families/of-this-machine.ts';
import { UNSTEADY_AND_TOLD } from './families/unsteady.ts';
import { VALUES_BEHIND_NAMES } from './families/values-behind-names.ts';
import { WEAKEN_TESTS } from './families/weaken-tests.ts';

export const CORPUS: readonly Behaviour[] = [
  ...REMOVE_TESTS,
  ...WEAKEN_TESTS,
  ...FAKE_CODE,
  ...INSIDE_RUNNER,
  ...OUTSIDE_RUNNER,
  ...ENVIRONMENT,
  ...FORGE_EVIDENCE,
  ...STATE_AND_GIT,
  ...STEAL_ANSWERS,
  ...TIME,
  ...QUALITY_GATES,
  ...ATTACK_THE_READER,
  ...GIVEN_TESTS,
  ...OTHERS_TESTS,
  ...EXPECTED_DATA,
  ...DISARMED_TESTS,
  ...MENDED_AND_DISTURBED,
  ...RED_SUITE,
  ...HOLLOW_PROOFS,
  ...LED_ASTRAY,
  ...UNSTEADY_AND_TOLD,
  ...AUTOMATIONS,
  ...NEAR_MISSES,
  ...VALUES_BEHIND_NAMES,
  ...SURROUNDINGS,
  ...CHANGED_RESULTS,
  ...DECLARED_SURROUNDINGS,
  ...CHECKED_ELSEWHERE,
  ...QUIET_CHANGES,
  ...REMEMBERED_TESTS,
  ...HIDDEN_TESTS,
  ...NO_TEST_IN_SIGHT,
  ...ASKED_AS_A_WHOLE,
  ...SAID_LESS,
  ...PUT_IN_PLACE,
  ...TYPED_SOURCES,
  ...OF_THIS_MACHINE,
  ...SHAPES_IN_TESTS,
  ...SHAPES_OF_CLOCKS,
  ...SHAPES_OF_PROJECTS,
  ...FRESH_ATTACKS,
  ...OWN_DEADLINES,
  ...HONEST_FAILURE,
  ...HONEST_WORK,
  ...HONEST_PROJECTS,
  ...HONEST_LOOK_ALIKES,
  ...HONEST_FORMS,
  ...HONEST_NAMES,
];

export interface Choice {
  /** Ids, families or kinds; empty: all. */
  only: readonly string[];
  runners: readonly RunnerKey[];
  /** Variants of each behaviour; 1: the behaviour as it is written. */
  sample: number;
}

export const EVERYTHING: Choice = { only: [], runners: ALL_RUNNERS, sample: 1 };

export function casesOf(behaviours: readonly Behaviour[], choice: Choice): Case[] {
  const wanted = behaviours.filter(
    (one) => choice.only.length === 0 || choice.only.some((word) => word === one.id || word === one.family || word === one.kind),
  );
  const seeds = Array.from({ length: choice.sample }, (_unused, seed) => seed);
  return seeds.flatMap((seed) =>
    wanted.flatMap((behaviour) =>
      behaviour.runners.filter((runner) => choice.runners.includes(runner)).map((runner) => ({ behaviour, runner, seed })),
    ),
  );
}
