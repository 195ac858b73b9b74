/**
 * A test runner, whole: recognised in a command, planned as an argument list, read from its report, controlled, neutralised, and
 * known by what it keeps, leaves and prints. A new one is a file and a line in the registry; every member that it lacks is asked for.
 *
 * 1. `detect` and `parse` are pure; `plan` only names files, and `support` says which to write beforehand.
 * 2. The report is made by a reporter of the harness's own, in a directory outside the room, and sealed.
 * 3. `parse` never throws: a report is hostile input.
 */
import type { CheatFamily } from '../../domain/cheat-family.ts';
import type { Replaced, RunnerName, TestResult } from '../../domain/verdict.ts';

/** How a run differs from the plain one. */
export interface RunVariant {
  /** Tests in another order. */
  shuffleSeed?: number;
  /** Ends what a failed test left open, where the runner would wait for it. */
  forceExit?: boolean;
  /**
   * Without the marks by which code can tell that a test runner started it, as a person would start it: `keepNodeEnv` leaves NODE_ENV as the
   * runner sets it, and `keepTerminal` leaves the streams what they are: no terminal.
   */
  neutral?: { keepNodeEnv: boolean; keepTerminal?: boolean; guise?: Guise };
  /** Code of the project that ends the process fails the test that asked it to; for code that is wrong on purpose. */
  exitFails?: true;
  /** Another date: the clock that tests see is this far ahead. */
  clockShiftMs?: number;
  /** Random numbers from one end of their range alone. */
  chance?: 'low' | 'high';
  /**
   * Its results are compared with those of runs like it, and shown to nobody: a runner that only starts a process for each file may be left out for
   * one file, and failures need no more words than it takes to tell them apart.
   */
  alone?: true;
}

/** What the project's code finds in its process, in a run without marks. */
export interface Guise {
  env: Readonly<Record<string, string>>;
  /** Arguments of the program. */
  words: readonly string[];
}

export interface RunnerFacts {
  /** Every file of the tree, relative. */
  paths: readonly string[];
  /** node_modules of the harness's own install, or null. */
  dependencies: string | null;
  /** Interpreter that can import what the runner needs, or null. */
  python: string | null;
  /** The node program. */
  node: string;
}

export interface PlanRequest {
  /** Relative test files; null: the whole suite. */
  files: readonly string[] | null;
  room: string;
  reportPath: string;
  /** Holds the key of the report's seal until the reporter has read it. */
  keyPath: string;
  supportDirectory: string;
  temporary: string;
  /** Where Python finds the packages of the room. */
  pythonPath: readonly string[];
  variant: RunVariant;
  /** Names of the variables that runners set, as the inside of a pattern: a neutral run hides them. */
  marks: string;
}

export interface RunPlan {
  file: string;
  args: string[];
  env: Record<string, string>;
  support: { path: string; content: string }[];
  /** `file`: sealed, by a reporter of our own. */
  report: 'file' | 'stdout' | 'junit-files' | 'none';
  /** A single file without the runner around it: nobody else says what became of the file. */
  isAlone?: boolean;
}

/** The runner cannot be started here; the text says what is missing. */
export interface NoPlan {
  missing: string;
}

export interface RunnerMatch {
  /** Options for the interpreter in front of the runner. */
  interpreterArgs: string[];
  /** Options and paths for the runner. */
  args: string[];
  /** How the command was spelled, where it matters. */
  form?: 'module';
}

export interface RunnerOutput {
  report: string | null;
  stdout: string;
  stderr: string;
  code: number | null;
  room: string;
  files: readonly string[] | null;
  isAlone?: boolean;
}

export interface ParsedRun {
  tests: TestResult[];
  problems: string[];
  /** Where the report itself tells it. */
  replaced?: Replaced[];
}

interface AnyRunner {
  readonly name: RunnerName;
  /** Whether `testing.report` may ask for it; else it is only recognised. */
  readonly isReport: boolean;
  /** `packages`: names that package.json asks for; `nodeTests`: test files that run node's own tests when they are started as programs. */
  detect(words: readonly string[], packages: ReadonlySet<string>, nodeTests?: ReadonlySet<string>): RunnerMatch | null;
  plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan;
  parse(output: RunnerOutput): ParsedRun | Promise<ParsedRun>;
  /** The interpreter that it needs beside node. */
  readonly interpreter: 'python' | null;
  /** What that has to be able to import. */
  readonly pythonModule?: string;
  /** Lines, one at a time, by which a person sees how a run of it ended; null: it prints none of its own. */
  readonly summary: { passed: RegExp; failed: RegExp } | null;
  /** Folders that running it leaves beside the code. */
  readonly leavings: readonly string[];
  readonly files: RunnerFiles;
  readonly marks: RunnerMarks;
}

/** What in a project decides how it runs; patterns are globs. */
export interface RunnerFiles {
  /** What it would load in the place of its own modules. */
  modules: readonly string[];
  settings: readonly string[];
  /** Keys of package.json. */
  manifestKeys: readonly string[];
  /** Names of packages that it consists of, each as the inside of a pattern. */
  packages: readonly string[];
}

/** By what code could tell that it runs; each the inside of a pattern. */
export interface RunnerMarks {
  /** Variables that a neutral run takes away. */
  hidden: readonly string[];
  /** Variables that are worth a question in code. */
  variables: readonly string[];
  globals: readonly string[];
  /** Modules of it, as they stand in an import. */
  modules: readonly string[];
  /** Its name in a command line or a stack. */
  words: readonly string[];
}

/** The harness starts and reads single tests of it. */
export interface DeepRunner extends AnyRunner {
  readonly single: SingleTests;
}

/** A shell runs it. */
export interface BasicRunner extends AnyRunner {
  readonly single: null;
  /** It is recognised by its command and tells which tests ran, in words of its own; absent: the settings have to name it. */
  readonly isTold?: true;
  /** false: a version of a test file that must fail says nothing about the tests in it. */
  readonly takesControls?: false;
  /** Why single tests are not known, and kinds of cheating of which some can therefore get through. */
  readonly weakness: { readonly detail: string; readonly unheld: readonly CheatFamily[] };
}

export type Runner = DeepRunner | BasicRunner;

export interface SingleTests {
  readonly language: 'javascript' | 'python';
  /** As a person would type it, in front of a file. */
  readonly command: string;
  /** The same for a command with options that its files cannot do without; absent: it is always the same. */
  commandFor?(match: RunnerMatch): string;
  /** The same, as the inside of a pattern that finds it in what an agent ran. */
  readonly typed: string;
  /** The installed package that says that a project uses it; null: it is what the language has without one. */
  readonly installedAs: string | null;
  /** Another order: by a seed of its own, or by turning the file's text round. */
  readonly order: 'seeded' | 'reversed';
  /** Runs a file whatever it is called. */
  readonly takesAnyName: boolean;
  readonly setsNodeEnv: boolean;
  /** Without a runner's marks each file needs a process of its own. */
  readonly neutralOneByOne: boolean;
  /** A quiet run of it prints marks alone, and names neither file nor test. */
  readonly hasQuietRuns: boolean;
  /** What the command names to be run, files, folders, patterns; null: it finds its files by itself. */
  targets: ((match: RunnerMatch) => string[]) | null;
  /** Where a first test would lie that it picks up. */
  readonly firstTest: string;
  /** A variable that is set while it runs tests; null: there is none. */
  readonly variable: string | null;
  /** Statements after which no assertion fails: what a cheat would write. */
  readonly sabotage: string;
  /** null: another language. */
  readonly script: ScriptSpelling | null;
  /** Tests in Python are functions of a module, or methods of classes. */
  readonly pythonTests?: 'functions' | 'methods';
}

/** How tests of the harness's own are spelled in JavaScript. */
export interface ScriptSpelling {
  /** The function that makes tests has no name that every file knows. */
  readonly isImported?: true;
  readonly alwaysModules: boolean;
  /** The test function under another name, for a file that has none of its own. */
  testAs(name: string, isModule: boolean): string;
  /** Test function and assertions for a new file; `model` is the text of a test file of the project. */
  header(take: (names: string, from: string) => string, model: string | null): string;
  equal(left: string, right: string): string;
  /** What a test is handed to assert with; absent: assertions stand for themselves. */
  readonly parameter?: string;
  /** Ends a test that must pass, where one without an assertion of the runner's own fails; absent: it passes. */
  readonly passing?: string;
  /** A test that says itself that it has ended, for files without asynchronous tests: the runner may be one that waits for no promise. */
  ended?(body: string): string;
  /** Starts the tests of that function once they are written; absent: they start by themselves. */
  start?(name: string): string;
  /** Whether an import names the ending of the file. */
  readonly keepsEndings: boolean;
}
