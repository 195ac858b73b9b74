/** What the harness says a claim is worth, and the facts it rests on. */
import type { Reason } from './reasons.ts';

/** `xfail`, `todo`, `skipped`, `retried`: none of these is a pass. */
export type TestStatus = 'passed' | 'failed' | 'skipped' | 'todo' | 'xfail' | 'retried' | 'error';

export interface TestResult {
  /** Stable id: `<file>::<name parts joined by ' > '>`; file relative to the project with forward slashes. */
  id: string;
  file: string;
  name: string;
  status: TestStatus;
  duration_ms?: number;
  /** First lines of the failure, cleaned of control characters. */
  message?: string;
  /** How a failure came about, where the runner tells. */
  failure?: 'assertion' | 'import' | 'timeout' | 'other';
}

export type RunnerName =
  | 'node:test'
  | 'vitest'
  | 'jest'
  | 'mocha'
  | 'tape'
  | 'node-tap'
  | 'ava'
  | 'uvu'
  | 'jasmine'
  | 'bun'
  | 'pytest'
  | 'unittest'
  | 'go'
  | 'cargo'
  | 'junit'
  | 'tap'
  | 'exit-code';

/** One run of a test command over one tree. */
export interface TestRun {
  runner: RunnerName;
  /** Argument list, or one shell string for runners the harness cannot start itself. */
  command: string[];
  /** Files asked for; empty means the whole suite. */
  files: string[];
  exit_code: number | null;
  timed_out: boolean;
  /** Exit status and report agree, and the report is complete. */
  consistent: boolean;
  problems: string[];
  tests: TestResult[];
  duration_ms: number;
  sandboxed: boolean;
  /** Tail of the combined output, cleaned, for messages. */
  output_tail: string;
  /** Files of the tree that were written while the tests ran, where that was looked at. */
  written?: string[];
  /** What the code put in the place of the language's own, where that was looked at. */
  replaced?: Replaced[];
  /** Programs that had the date and chance of the machine, in a run that has others. */
  unreached?: string[];
}

/** A member of a built-in object or of a module of the language. */
export interface Replaced {
  what: string;
  /** The file of the project whose code stands there now; empty: anybody else's. */
  by: string;
}

export type CheckName =
  | 'claim'
  | 'evidence'
  | 'protected'
  | 'dependencies'
  | 'feature-test'
  | 'regression'
  | 'red'
  | 'controls'
  | 'old-contract'
  | 'accepted'
  | 'repeat'
  | 'neutral'
  | 'quality'
  | 'people'
  | 'surroundings'
  | 'behaviour'
  | 'examiner'
  | 'checks'
  | 'visual'
  | 'capture';

export interface Finding {
  check: CheckName;
  reason: Reason;
  /** `reject` and `ask` decide the verdict; `warn` is recorded. */
  weight: 'reject' | 'ask' | 'warn';
  message: string;
  /** Paths, test ids or feature ids that the finding is about. */
  subjects: string[];
  /** The checks ran with the trusted versions of the files that it is about. */
  set_back?: true;
  /** What the tests said that it is about: their ids, and the whole of their assertions or first error lines. */
  failures?: TestFailure[];
}

export interface TestFailure {
  test: string;
  status: string;
  message: string;
}

/** A hidden test, in words: its code, its name and its output are no part of a verdict. */
export interface ExaminedTest {
  behaviour: string;
  passed: boolean;
  /** Whether the description requires it; absent: it passes, or the second call gave no answer. */
  ruling?: 'entailed' | 'plausible' | 'no';
  /** Why, in the words of the second call. */
  reason?: string;
}

/** A call of a function that was there before, and the beginning of what it gives on base and on the candidate. */
export interface ChangedResult {
  call: string;
  was: string;
  is: string;
  /** Whether the description accounts for it; absent: the second call was not made. */
  account?: 'yes' | 'no' | 'unclear';
}

/** A picture that the harness's own browser took; files are relative to the verdict's folder of pictures. */
export interface SeenPicture {
  name: string;
  file: string;
  /** Two visits show the same; false: it cannot stand for later ones. */
  steady: boolean;
  /** How far it differs from the accepted picture, where that is more than the feature allows. */
  changed?: { share: number; before: string; difference: string };
}

/** One page as the harness saw it. */
export interface SeenPage {
  feature: number;
  url: string;
  followed: number;
  /** Steps that were left to a person. */
  unread: string[];
  problems: string[];
  pictures: SeenPicture[];
}

/** A check that the feature names. `passed` null: it is one of the things that the tests show. */
export interface NamedCheck {
  check: string;
  by: 'command' | 'visit' | 'tests';
  passed: boolean | null;
  detail: string;
}

/** Earlier versions of accepted tests, by file and id. */
export interface EarlierVersions {
  ran: { file: string; id: string }[];
  /** Those that fail on the candidate and pass on base. */
  failed: { file: string; id: string }[];
  /** The same, where the feature may change the test. */
  released: { file: string; id: string }[];
  /** Ids of those that wait for the next verdict. */
  left: string[];
}

export interface Verdict {
  schema_version: 1;
  id: string;
  decision: 'accepted' | 'rejected' | 'needs_human';
  reasons: Reason[];
  findings: Finding[];
  feature: number | null;
  session: number;
  base_commit: string;
  /** The tree that was judged and that alone may be committed. */
  candidate_tree: string;
  /** Tests of the feature that passed, and those that went from red to green. */
  feature_tests: string[];
  red_to_green: string[];
  /** Baseline tests that stayed green. */
  kept_green: number;
  /** Ids of all tests that passed on the candidate: the next baseline. */
  passing_tests: string[];
  total_tests: number;
  sandboxed: boolean;
  runner: RunnerName;
  /** Weaknesses of this verdict that the reader should know, e.g. "unsandboxed", "network: host". */
  caveats: string[];
  /** Hidden tests that say something about the feature; absent: it was not examined. */
  examined?: ExaminedTest[];
  /** Some of the results that differ from base; absent: none is known. */
  changed_results?: ChangedResult[];
  /** Pages that the harness visited; absent: none. */
  seen?: SeenPage[];
  /** The lockfile that the harness made and kept for a project without one. */
  made_lock?: { path: string; sha256: string };
  /** Absent: none had to run. */
  earlier_versions?: EarlierVersions;
  /** What became of the feature's `automated_checks`; absent: it has none. */
  named_checks?: NamedCheck[];
  checks: CheckLine[];
  judged_at: string;
  duration_ms: number;
}

/** What one check found, in one line. */
export interface CheckLine {
  name: CheckName;
  /** For people; absent in old verdicts. */
  title?: string;
  state: 'passed' | 'failed' | 'skipped' | 'warned';
  detail: string;
  duration_ms: number;
}

/** The file of a test, by its id. */
export function fileOf(id: string): string {
  const at = id.indexOf('::');
  return at < 0 ? id : id.slice(0, at);
}

/** In one line: a sentence without the values below it would say nothing. */
export function describeTest(test: TestResult): string {
  const why = (test.message ?? '').replace(/\s+/g, ' ').trim().slice(0, 300);
  return why === '' ? `${test.id} (${test.status})` : `${test.id} (${test.status}): ${why}`;
}
