/**
 * Whether the agent showed a run of each test file of the feature and a passing summary of a known runner.
 *
 * 1. It never counts for acceptance; its absence counts against it.
 * 2. Memory is bounded: text is read line by line, and a line is kept up to a limit.
 * 3. Path and summary need not stand together. Many runners print no path: the names of the tests that passed tell as well
 *    whose run it was (see `showsFeatureRun`), and a quiet run that names nothing is taken as it is.
 */
import { createCleaner } from '../../domain/clean-text.ts';
import type { EvidenceResult } from '../contract.ts';
import { ofAllRunners } from '../runners/registry.ts';
import { lastItem } from '../../domain/items.ts';

export interface EvidenceCollector {
  /** Any text of the session: what the agent said, the commands it ran, what they printed. Each call ends a line. */
  add(text: string): void;
  result(): EvidenceResult;
}

const MAX_LINE = 2_000;
const MAX_NAMES = 1_000;

/** `testFiles`: each of them has to be seen; none where the work has no test of its own. */
export function createEvidenceCollector(testFiles: readonly string[]): EvidenceCollector {
  const unseen = new Map(testFiles.map((file) => [file, namesOf(file)]));
  const state: State = {
    passing: null,
    endedFailing: false,
    unittestRan: false,
    tapPassed: false,
    tapFailed: false,
    names: new Set(),
    quietProgress: false,
    unnamed: false,
    prefixed: false,
  };
  return {
    add: (text) => {
      for (const [file, names] of unseen) if (names.some((name) => text.includes(name))) unseen.delete(file);
      const cleaner = createCleaner();
      for (const line of linesOf(text)) readLine(state, cleaner.push(`${line}\n`).trimEnd());
    },
    result: () => ({
      mentionsTestFile: unseen.size === 0,
      ...(testFiles.length > 1 ? { unseenFiles: [...unseen.keys()] } : {}),
      passingSummary: state.passing,
      endedFailing: state.endedFailing,
      shown: unseen.size === 0 && state.passing !== null,
      testNames: [...state.names],
      unnamedRun: state.unnamed && state.names.size === 0,
      prefixed: state.prefixed,
    }),
  };
}

/** Whether a passing run in which the path of the test file never stood was one of this file: by the names of its tests. */
export function showsFeatureRun(evidence: EvidenceResult, testText: string): boolean {
  if (evidence.passingSummary === null) return false;
  const quoted = (name: string): boolean => ["'", '"', '`'].some((quote) => testText.includes(`${quote}${name}${quote}`));
  return evidence.unnamedRun === true || (evidence.testNames ?? []).some(quoted);
}

/** The last line that reads like the result of a test run, whichever it is. */
export function lastSummaryIn(lines: readonly string[]): string | null {
  return lines.findLast((line) => SUMMARIES.some(({ passed, failed }) => passed.test(line) || failed.test(line))) ?? null;
}

function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, Math.min(stop, at + MAX_LINE));
    at = stop + 1;
  }
}

/** The path as it may be written: whole, with backslashes, or its last two parts. */
function namesOf(testFile: string): string[] {
  const clean = testFile.replaceAll('\\', '/').replace(/^\.\//, '');
  const parts = clean.split('/');
  return [clean, clean.replaceAll('/', '\\'), parts.slice(-2).join('/'), lastItem(parts)];
}

interface State {
  passing: string | null;
  endedFailing: boolean;
  unittestRan: boolean;
  tapPassed: boolean;
  tapFailed: boolean;
  /** Names of single tests that were reported as passed. */
  names: Set<string>;
  quietProgress: boolean;
  /** A run passed whose runner printed neither file nor test. */
  unnamed: boolean;
  /** An action was marked as the prompt asks. */
  prefixed: boolean;
}

/** Each pattern looks at one line. After the runners that the harness knows, some that it only knows by sight. */
const SUMMARIES: readonly { runner: string; passed: RegExp; failed: RegExp; isQuiet?: boolean }[] = [
  ...ofAllRunners(({ name, summary, single }) =>
    summary === null ? [] : [{ runner: name, ...summary, isQuiet: single?.hasQuietRuns === true }],
  ),
  {
    runner: 'maven',
    passed: /Tests run: [1-9]\d*, Failures: 0, Errors: 0/,
    failed: /Tests run: \d+, Failures: (?:[1-9]\d*|0, Errors: [1-9]\d*)/,
  },
  { runner: 'dotnet', passed: /^\s*Passed!\s+- Failed:\s+0, Passed:\s+[1-9]/, failed: /^\s*Failed!\s+- Failed:\s+[1-9]/ },
  { runner: 'gradle', passed: /^BUILD SUCCESSFUL in /, failed: /^BUILD FAILED/ },
  { runner: 'rspec', passed: /^[1-9]\d* examples?, 0 failures/, failed: /^\d+ examples?, [1-9]\d* failures?/ },
];

const PREFIX = /^\s*\[(?:FILE:(?:READ|WRITE)|CMD:(?:RUN|EXIT)|VERIFY:(?:START|PASS|FAIL)|VISUAL:(?:SCREENSHOT|VERIFY)|DECISION)\]/;

function readLine(state: State, line: string): void {
  state.prefixed ||= PREFIX.test(line);
  readName(state, line);
  for (const { runner, passed, failed, isQuiet } of SUMMARIES) {
    if (failed.test(line)) return void (state.endedFailing = true);
    if (passed.test(line)) {
      state.unnamed ||= isQuiet === true && state.quietProgress;
      return settle(state, runner);
    }
  }
  state.quietProgress ||= /^(?:[.sxX]+\s+\[\s*\d+%\]|[.*]+)$/.test(line);
  readUnittest(state, line);
  readTap(state, line);
}

/** Tape writes the name of a test as a comment before its results. */
const TITLE = /^# (?!(?:tests?|suites|pass(?:ing)?|fail(?:ing)?|cancelled|skip(?:ped)?|todo|ok|duration_ms|time)\b|\{)(.+)$/;

function readName(state: State, line: string): void {
  const name =
    /^\s*ok \d+ (?:- )?(.+?)(?: # .*)?$/.exec(line)?.[1] ??
    TITLE.exec(line)?.[1] ??
    /^\s*[✔✓√] (.+?)(?: \([\d.]+ ?m?s\))?$/u.exec(line)?.[1];
  if (name !== undefined && state.names.size < MAX_NAMES) state.names.add(name.slice(0, 200));
}

function settle(state: State, runner: string): void {
  state.passing = runner;
  state.endedFailing = false;
}

/** The count comes first, the word two lines later. */
function readUnittest(state: State, line: string): void {
  if (/^Ran [1-9]\d* tests? in [\d.]+s/.test(line)) state.unittestRan = true;
  else if (state.unittestRan && /^OK\b/.test(line)) {
    state.unnamed = true;
    settle(state, 'unittest');
  } else if (state.unittestRan && line.startsWith('FAILED (')) state.endedFailing = true;
  if (/^(?:OK\b|FAILED \()/.test(line)) state.unittestRan = false;
}

/** Bare TAP has no summary: a plan together with results, none of them `not ok`. */
function readTap(state: State, line: string): void {
  if (/^TAP version 1[34]/.test(line)) {
    state.tapPassed = false;
    state.tapFailed = false;
  } else if (/^ok \d+/.test(line)) state.tapPassed = true;
  else if (/^not ok \d+/.test(line)) {
    state.tapFailed = true;
    state.endedFailing = true;
  } else if (/^1\.\.[1-9]\d*/.test(line) && state.tapPassed && !state.tapFailed) settle(state, 'tap');
}
