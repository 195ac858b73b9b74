/**
 * A check of the judge: one object, in a file of its own under `checks/`, listed in `checks/table.ts`.
 *
 * 1. A check reads the case and the facts of the checks before it, and returns findings, facts and one line for the record. It changes nothing.
 * 2. Each fact is written by one check; the others read it.
 * 3. `after` names checks of the same stage; the stages themselves come one after the other.
 */
import type { ChangedResult, CheckName, EarlierVersions, ExaminedTest, Finding, NamedCheck, SeenPage, TestRun } from '../domain/verdict.ts';
import type { Case, JudgedTree } from './case.ts';
import type { Account } from './examine/contract.ts';
import type { HiddenRecord, HiddenTest } from './examine/hidden-test.ts';
import type { InstrumentId, StepId } from './instruments.ts';
import type { SuiteParts } from './run/suite-in-parts.ts';
import type { PictureFile } from './visual/see-page.ts';

/** A check, an instrument that follows other checks, or a step that only finds facts. */
export type CheckId = InstrumentId | StepId;

export interface Check {
  /** Also switches it off. */
  id: CheckId;
  /** Its name for people, in the record and in docs/trust.md; null: it is not listed. */
  title: string | null;
  /** The strongest that it may find. */
  weight: Finding['weight'];
  /** Checks of the same stage whose facts and findings it reads. */
  after?: readonly CheckId[];
  /** Text costs nothing; a trial runs tests, commands or pages; a model is paid for. */
  cost: 'text' | 'trial' | 'model';
  /** It is ended if it takes much longer than the suite; then a person decides. */
  ends?: true;
  /** Instruments that are not begun in time are left out, and the verdict names them. */
  optional?: true;
  /** Runs although the work is already rejected. */
  always?: true;
  /** true, or why not: the sentence is recorded, false is not. */
  applies?(judged: Case, facts: Facts): boolean | string | Promise<boolean | string>;
  run(judged: Case, facts: Facts): Promise<CheckResult> | CheckResult;
  early?: EarlyStart;
  /** What must hold: its line in docs/trust.md (`npm run docs`). */
  doc: string;
}

export interface CheckResult {
  findings: Finding[];
  detail: string;
  /** The check had nothing to look at. */
  skipped?: boolean;
  /** Weaknesses of the verdict that the check found out. */
  caveats?: string[];
  facts?: Partial<Facts>;
}

/** How a check begins while the suite still runs, with the facts of the new tests alone. */
export interface EarlyStart {
  applies(judged: Case, facts: Facts): Promise<boolean> | boolean;
  /** What the answer depends on: it counts only if this is the same once all facts are known. */
  key(judged: Case, facts: Facts): Promise<string>;
}

/** What was found out so far; in brackets the check that writes it. */
export interface Facts {
  /** In the order of the table, as far as all checks before are done. */
  findings: readonly Finding[];
  /** Only the new tests have run yet: the check was started early. */
  isEarly: boolean;
  /** What is run in the candidate's place (protected). */
  judged: JudgedTree | null;
  /** Null: the suite was not run (suite). */
  suite: SuiteParts | null;
  /** The feature's tests that passed, and the run in which they did (feature-test). */
  feature: { run: TestRun; green: readonly string[] } | null;
  /** Accepted tests that still pass, those that failed once, and renamed or moved ones from old id to new (regression). */
  regression: { kept: number; recovered: readonly string[]; moves: ReadonlyMap<string, string> } | null;
  /** Failures belong to the question about changed protected files, because tests pass together with those (second-opinion). */
  isHeldTogether: boolean;
  /** Earlier versions of accepted tests that ran; null: none had to (accepted). */
  earlier: EarlierVersions | null;
  /** Whether the feature's tests notice other code (red). */
  red: { redToGreen: readonly string[]; unmoved: readonly string[]; repeated: readonly string[] };
  /** Tests of the feature whose expectations could not be shown to matter (controls). */
  uncontrolled: readonly string[];
  /** What became of the commands that the feature names (checks). */
  named: readonly NamedCheck[];
  /** Pages that were visited, their pictures, and the named checks that they answer (visual). */
  seen: { pages: readonly SeenPage[]; pictures: readonly PictureFile[]; named: readonly NamedCheck[] };
  /** Results of altered functions that differ from base (behaviour). */
  changedResults: readonly ChangedResult[];
  /** Whether the description accounts for each of them; empty: not known (examiner). */
  accounts: readonly Account[];
  /** Hidden tests that say something about the feature (examiner). */
  examined: readonly ExaminedTest[];
  /** The same with their code, for the kernel alone (examiner). */
  hidden: readonly HiddenRecord[];
  /** Hidden tests of accepted features that were run again, and those of them that fail, in words (examiner/kept). */
  keptHidden: readonly HiddenRecord[];
  keptExamined: readonly ExaminedTest[];
  /** Those that fail on base and on mutated code, and pass on the candidate (examiner). */
  proving: readonly HiddenTest[];
  /** Hidden tests prove the feature, whatever its own tests are worth (hidden-proof). */
  isProvedByHidden: boolean;
}

export const NO_FACTS: Facts = {
  findings: [],
  isEarly: false,
  judged: null,
  suite: null,
  feature: null,
  regression: null,
  earlier: null,
  isHeldTogether: false,
  red: { redToGreen: [], unmoved: [], repeated: [] },
  uncontrolled: [],
  named: [],
  seen: { pages: [], pictures: [], named: [] },
  changedResults: [],
  accounts: [],
  examined: [],
  hidden: [],
  keptHidden: [],
  keptExamined: [],
  proving: [],
  isProvedByHidden: false,
};

export type ListedCheck = Check & { id: CheckName; title: string };

/** Whether the check has a line in the record. */
export function isListed(check: Check): check is ListedCheck {
  return check.title !== null;
}

export function hasRejection(findings: readonly Finding[]): boolean {
  return findings.some(({ weight }) => weight === 'reject');
}
