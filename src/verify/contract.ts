/**
 * What the verify room takes and gives.
 *
 * 1. The room writes no project state: it returns values, and tells what it does through `emit`.
 * 2. Everything about the project comes from the trusted tree (`base`) and the trusted settings; the candidate is only judged.
 * 3. A verdict binds `candidate.tree`; what was run is that tree with trusted protected files over it.
 */
import type { SandboxView } from '../platform/sandbox.ts';
import type { Emit } from '../domain/event.ts';
import type { Feature } from '../domain/feature.ts';
import type { NewDependencies } from '../domain/new-dependencies.ts';
import type { Baseline } from '../domain/session.ts';
import type { CaptureFinding, CleanRooms, TreeStore } from '../domain/tree.ts';
import type { Finding, RunnerName, TestRun } from '../domain/verdict.ts';
import type { AcceptedTests } from './accepted/contract.ts';
import type { Examiner } from './examine/contract.ts';
import type { HiddenTests } from './examine/hidden-test.ts';
import type { InstrumentId } from './instruments.ts';
import type { Ledger } from './memory/ledger.ts';
import type { Spares } from './run/furnished.ts';
import type { RunVariant } from './runners/runner.ts';
import type { TakenPicture } from './visual/follow-steps.ts';

/** Sections of the project's config that decide verification; the whole config fits here. */
export interface JudgeSettings {
  testing: {
    full: string;
    feature: string | null;
    report: 'auto' | RunnerName;
    /** For every run, beside the variables of the room. */
    env?: Readonly<Record<string, string>>;
    /** Runs have a pseudo-terminal. */
    terminal?: boolean;
    /** Quick commands that a candidate must stand as well. */
    sanity?: Readonly<Record<'health' | 'lint' | 'type_check' | 'unit' | 'e2e', string | null>>;
    unit?: string | null;
    e2e?: string | null;
    /** false: only the tests of the command matter, not its other steps. */
    steps?: boolean;
  };
  verification: {
    require_evidence: boolean;
    harness_verify: boolean;
    regression_check: boolean;
    max_features_per_session: number;
    red_check: boolean;
    flaky_reruns: number;
    protected: readonly string[];
    network: 'loopback' | 'host';
    /** After so many minutes a warning names what is waited for; default 15. */
    max_minutes?: number;
    /** null or absent: a person is asked about each. */
    new_dependencies?: NewDependencies | null;
    listed_dependencies?: readonly string[];
  };
  quality: { lint_command: string | null; max_file_lines: number; warn_on_lint_errors: boolean };
  sandbox: { mode: 'auto' | 'on' | 'off' };
  /** Brought up beside test runs where both are set. */
  environment?: { init: string | null; health_check: string | null };
  paths: { features: string; progress: string; state_dir: string };
  logging?: { require_prefixes: boolean };
}

/** Where and how test runs happen; the same for a verdict and for a baseline. An abort rejects with the signal's reason. */
export interface RunContext {
  settings: JudgeSettings;
  trees: TreeStore;
  rooms: CleanRooms;
  /** Absolute path of a directory of the harness's own: homes, temporaries and reports of runs live and die below it. */
  scratch: string;
  /** The user's own checkout, in which environments lie that tests may run in; absent: none is used. */
  checkout?: string;
  /** What test runs must not see (credentials, home's `.git` and `.harness`, other workspaces), and what they see all the same. */
  view?: SandboxView;
  /** Folders that runs can use one after the other; absent: each run has its own. */
  spares?: Spares;
  /** Absent: every run is done anew. */
  cache?: ResultCache;
  signal?: AbortSignal;
  /** For the whole suite; single files get the same. Default ten minutes. */
  timeoutMs?: number;
  /** Is told of every run that was made or looked up. */
  observe?: (purpose: string, run: TestRun) => void;
}

export interface JudgeInput extends RunContext {
  session: number;
  /** A cleanup session claims nothing and is judged by regression alone. */
  mode: 'feature' | 'cleanup';
  /** The assigned feature as the trusted list has it; null in a cleanup. */
  feature: Feature | null;
  base: { commit: string; tree: string };
  candidate: { tree: string; findings: readonly CaptureFinding[] };
  /** Text of the feature list; `candidate` null: the file is gone. */
  features: { trusted: string; candidate: string | null };
  /** From `createEvidenceCollector`; null: nothing was collected. */
  evidence: EvidenceResult | null;
  /** Tests known to pass on base; null: none known. */
  baseline: Baseline | null;
  /** Tests that a person has let change beside those that the feature names. */
  mayChange?: readonly string[];
  /** What is known about single tests; absent: nothing yet. */
  ledger?: Ledger | null;
  emit?: Emit;
  /** Pictures of pages that were accepted with their features; absent: none are kept. */
  pictures?: AcceptedPictures;
  /** Versions in which tests were accepted; absent: only those on base are known. */
  accepted?: AcceptedTests;
  /** Writes hidden tests once the suite has passed; absent: there are none. */
  examiner?: Examiner;
  /** Hidden tests of accepted features; absent: none are kept. */
  hidden?: HiddenTests;
  /** What stands in the way of an acceptance and is still being found out; asked last. */
  objection?: () => Promise<Finding | null>;
  /** What earlier claims of the same feature were refused for; absent: nobody can mend the work, and a person is asked at first sight. */
  refused?: readonly Finding[];
  /** Switches single checks and instruments off, to show that each of them earns its place. */
  disabledChecks?: ReadonlySet<InstrumentId>;
  /** Every instrument is consulted, whatever was found before; for the corpus. */
  thorough?: true;
  /** Only whether it is accepted matters: the judgement ends where something stands against that. */
  untilObjection?: true;
}

export interface AcceptedPictures {
  /** Features of which there are any. */
  features(): Promise<number[]>;
  accepted(feature: number): Promise<TakenPicture[]>;
}

export interface SuiteInput extends RunContext {
  tree: string;
  /** Test files, relative to the project; absent: the whole suite. */
  files?: readonly string[];
  /** Room to run in, so that different trees do not take turns in one; default `judge`. */
  room?: string;
  /** What the run is for, in a word; default `suite`. */
  purpose?: string;
  /** The tree is one that nobody wrote: old and new together, or with something planted. */
  mixed?: true;
  /** The code is wrong on purpose: steps before the tests may notice that too, and the tests are asked all the same. */
  isWrong?: true;
  /** Whether the run is asked which files of the tree were written meanwhile. */
  watch?: boolean;
  /** Is told when the room is there and the run begins. */
  isReady?: (() => void) | undefined;
  /** A directory that no run has seen before. */
  fresh?: boolean;
  /** Absent: the plain run. A run with one is taken from the cache only where it is `compared`. */
  variant?: RunVariant;
  /** A run on the base, to compare with: kept for the tree and the variant, failures included. */
  compared?: true;
}

export interface EvidenceResult {
  /** The paths of all test files were named in commands, in output or in text. */
  mentionsTestFile: boolean;
  /** Of several test files, those that were not named. */
  unseenFiles?: string[] | undefined;
  /** Names of tests that were shown as passed. */
  testNames?: string[] | undefined;
  /** A passing run was shown whose runner named neither file nor test. */
  unnamedRun?: boolean | undefined;
  /** A passing summary of a known runner was shown; which. */
  passingSummary: string | null;
  /** A failing summary came after the last passing one. */
  endedFailing: boolean;
  shown: boolean;
  /** An action was marked with a prefix. */
  prefixed?: boolean | undefined;
}

/** Results by the hash of all their inputs; keeps passing, complete runs only. */
export interface ResultCache {
  /** It lives no longer than its user, so that runs which failed are kept as well. */
  keepsFailures?: true;
  get(key: string): Promise<TestRun | null>;
  put(key: string, run: TestRun): Promise<void>;
}

export const DEFAULT_TIMEOUT_MS = 10 * 60_000;
