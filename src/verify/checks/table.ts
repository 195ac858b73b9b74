/** All checks, in stages and in the order of the record. To add one: its object in a file beside this one, and a line here. */
import type { Check } from '../check.ts';
import { ACCEPTED } from '../accepted/check-accepted.ts';
import { BEHAVIOUR } from '../behaviour/check-behaviour.ts';
import { CAPTURE } from './check-capture.ts';
import { CLAIM } from './check-claim.ts';
import { CONTROLS, UNPROVED } from './check-controls.ts';
import { DEPENDENCIES } from './check-dependencies.ts';
import { EVIDENCE } from './check-evidence.ts';
import { EXAMINER, HIDDEN_PROOF, KEPT_HIDDEN } from './check-examiner.ts';
import { FEATURE_TEST } from './check-feature-test.ts';
import { NAMED } from './check-named.ts';
import { NEUTRAL } from './check-neutral.ts';
import { OLD_CONTRACT } from './check-old-contract.ts';
import { PEOPLE } from './check-people.ts';
import { PROTECTED } from './check-protected.ts';
import { QUALITY } from './check-quality.ts';
import { RED } from './check-red.ts';
import { REGRESSION } from './check-regression.ts';
import { REPEAT } from './check-repeat.ts';
import { SUITE } from './check-suite.ts';
import { VISUAL } from './check-visual.ts';
import { SURROUNDINGS } from '../surroundings/check-surroundings.ts';
import { SECOND_OPINION } from './second-opinion.ts';
import { TESTS_ELSEWHERE } from './tests-elsewhere.ts';

/** A rejection in one stage ends the judgement before the next. The first reads text, and everything in it is read. */
export const STAGES: readonly [readonly Check[], ...(readonly Check[])[]] = [
  [CAPTURE, CLAIM, EVIDENCE, PROTECTED],
  [DEPENDENCIES],
  [SUITE, FEATURE_TEST, ACCEPTED, REGRESSION, TESTS_ELSEWHERE, SECOND_OPINION, OLD_CONTRACT],
  [RED, REPEAT, CONTROLS, NEUTRAL, SURROUNDINGS, BEHAVIOUR, UNPROVED, EXAMINER, KEPT_HIDDEN, HIDDEN_PROOF],
  [QUALITY],
  [NAMED],
  [VISUAL],
  [PEOPLE],
];
