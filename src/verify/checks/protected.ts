/**
 * What the candidate changed of the things that decide its verdict, and what the judge runs in their place.
 *
 * 1. A difference never passes silently: it is harmless by a rule, a question, or a refusal.
 * 2. The judge runs with the trusted version of whatever is not harmless; what is newly there is left out.
 * 3. `contract` names test files that run in the candidate's version and must also hold in the trusted one; `helpers` what such tests rely on.
 */
import type { Reason } from '../../domain/reasons.ts';
import type { TreeChange, TreeEdit } from '../../domain/tree.ts';
import type { Finding } from '../../domain/verdict.ts';
import { hasTitlesElsewhere, isSameElsewhere } from './gone-tests.ts';
import { ASK_ALWAYS, mayAddDependencies, mayAddPackages, type DependencyRules } from './new-dependencies.ts';
import { classifyPackageChange, lockfileOnlyAdds } from './package-change.ts';
import { isTestFile, isTestPath, kindOf, reasonFor, type ProtectedKind } from './protected-paths.ts';
import { keepsOwnTests } from './own-tests.ts';
import { snapshotOnlyAdds } from './snapshot-change.ts';
import { addedMarks, holdsNoCode } from '../source/test-text.ts';

/** A change with the texts on both sides. */
export interface TextChange extends TreeChange {
  before: string | null;
  after: string | null;
  /** What is left of the tests and helpers that the file held, where it was read. */
  keeps?: { tests: boolean; assertions: boolean; calls: boolean; everything: boolean; differences?: string[] };
  /** Of a file that is gone: its tests stand in others, with all that they asserted. */
  stands?: boolean;
}

export interface ProtectionInput {
  changes: readonly TextChange[];
  /** Test files of accepted features, and those that hold tests of the baseline. */
  accepted: ReadonlySet<string>;
  /** Code that holds tests of the baseline. */
  holding: ReadonlySet<string>;
  /** Test files of features that are still open. */
  open: ReadonlySet<string>;
  /** The assigned feature's own test files. */
  assigned: ReadonlySet<string>;
  /** Whether the assigned feature is meant to change this test. */
  mayChange?: (path: string) => boolean;
  /** Which new dependencies need no person; absent: all need one. */
  dependencies?: DependencyRules;
  featuresPath: string;
  progressPath: string;
  stateDirectory: string;
  extra: readonly string[];
  commandFiles: ReadonlySet<string>;
  /** Files of tests that the command does not tell one by one; empty where it does. */
  byFile: ReadonlySet<string>;
  /** Every file of the trusted tree. */
  paths: ReadonlySet<string>;
  /** Added files that stand in the way of what trusted tests import, each with what would be found instead of what. */
  shadows: ReadonlyMap<string, string>;
  /** What changed links stand for, where that is protected. */
  linkKinds: ReadonlyMap<string, ProtectedKind>;
}

export interface Protection {
  findings: Finding[];
  edits: TreeEdit[];
  contract: string[];
  /** Tests that counted and that the feature was meant to change: their new version counts. */
  released: string[];
  /** Code that tests rely on, in the candidate's version: both versions have to be worth the same. */
  helpers: string[];
  /** Those of `contract` that do not say any more what they said: a person is asked about them already. */
  rewritten: string[];
}

interface Judgement {
  finding?: Finding;
  use: 'candidate' | 'trusted';
  contract?: boolean;
  released?: boolean;
  helper?: boolean;
  rewritten?: boolean;
}

const CANDIDATE: Judgement = { use: 'candidate' };

export function planProtection(input: ProtectionInput): Protection {
  const findings: Finding[] = [];
  const edits: TreeEdit[] = [];
  const contract: string[] = [];
  const released: string[] = [];
  const helpers: string[] = [];
  const rewritten: string[] = [];
  for (const change of input.changes) {
    const judgement = judgeChange(change, input);
    if (judgement.finding !== undefined)
      findings.push(judgement.use === 'trusted' ? { ...judgement.finding, set_back: true } : judgement.finding);
    if (judgement.contract === true) contract.push(change.path);
    if (judgement.released === true) released.push(change.path);
    if (judgement.helper === true) helpers.push(change.path);
    if (judgement.rewritten === true) rewritten.push(change.path);
    if (judgement.use === 'candidate') continue;
    edits.push(change.from === null ? { path: change.path, kind: 'delete' } : { path: change.path, kind: 'entry', entry: change.from });
  }
  return { findings: merge(findings), edits, contract, released, helpers, rewritten };
}

function judgeChange(change: TextChange, input: ProtectionInput): Judgement {
  const { path } = change;
  if (path === input.featuresPath || path === input.progressPath) return change.to?.mode === '120000' ? link(change) : CANDIDATE;
  const shadow = input.shadows.get(path);
  if (shadow !== undefined)
    return { use: 'trusted', finding: make('tamper.tests', 'ask', 'a new file shadows one that tests import', [shadow]) };
  const linked = input.linkKinds.get(path);
  if (linked !== undefined && change.from === null)
    return {
      use: 'trusted',
      finding: make(reasonFor(linked), 'ask', 'a new symbolic link has the path of a protected file', [path]),
    };
  const kind = kindOf(path, { stateDirectory: input.stateDirectory, extra: input.extra, commandFiles: input.commandFiles });
  const isTest =
    input.accepted.has(path) || input.byFile.has(path) || input.assigned.has(path) || (change.from !== null && isTestPath(path));
  if (kind === null && !isTest) return input.holding.has(path) ? judgeHolding(change) : CANDIDATE;
  if (change.to?.mode === '120000' && change.from?.mode !== '120000') return link(change);
  if (kind !== null) return judgeNamed(change, kind, input);
  if (change.after !== null && change.before !== null && holdsNoCode(change.before)) return CANDIDATE;
  if (isMeant(change, input)) return judgeMeant(change);
  if (input.accepted.has(path)) return judgeAccepted(change, input);
  if (input.assigned.has(path)) return change.before === null || change.after === null ? CANDIDATE : { use: 'candidate', contract: true };
  if (input.byFile.has(path)) return judgeByFile(change);
  if (input.open.has(path) || isTestFile(path)) return judgeOther(change, input);
  return judgeHelper(change);
}

/** What tests rely on: free where it only gains; where its code can be read, running both versions decides. */
function judgeHelper(change: TextChange): Judgement {
  if (change.keeps?.everything === true) return CANDIDATE;
  return change.keeps === undefined
    ? ask(change, 'tamper.tests', 'a file that tests rely on was changed')
    : { use: 'candidate', helper: true };
}

/** A test that was there, that the feature may change, and that is still there. */
function isMeant({ path, before, after }: TextChange, input: ProtectionInput): boolean {
  return before !== null && after !== null && !input.assigned.has(path) && input.mayChange?.(path) === true;
}

/** Taking tests out of the run is no change of what they say. */
function judgeMeant(change: TextChange): Judgement {
  const marks = addedMarks(change.before ?? '', change.after ?? '');
  if (marks.length > 0)
    return {
      use: 'trusted',
      finding: make('tamper.tests', 'reject', 'accepted tests were excluded from the run', [`${change.path}: ${marks.join(', ')}`]),
    };
  const finding = make('tamper.tests', 'warn', 'tests that this feature may change were changed', [change.path]);
  return { use: 'candidate', released: true, finding };
}

function link(change: TextChange): Judgement {
  return { use: 'trusted', finding: make('tamper.symlink', 'reject', 'a protected file was replaced by a symbolic link', [change.path]) };
}

function judgeNamed(change: TextChange, kind: ProtectedKind, input: ProtectionInput): Judgement {
  if (kind === 'state')
    return { use: 'trusted', finding: make('tamper.harness_state', 'reject', "the harness's own state was written", [change.path]) };
  if (kind === 'package') return judgePackage(change, input);
  if (kind === 'lockfile') return judgeLockfile(change, input);
  if (kind === 'snapshot' && (change.from === null || snapshotOnlyAdds(change))) return CANDIDATE;
  return ask(change, reasonFor(kind), describeKind(kind, change));
}

function judgePackage(change: TextChange, input: ProtectionInput): Judgement {
  const what = classifyPackageChange(change.before, change.after, isNewScope(change, input));
  if (what.kind === 'harmless') return CANDIDATE;
  if (what.kind === 'dependencies') {
    const free = lockfilesOnlyAdd(input) && mayAddDependencies(input.dependencies ?? ASK_ALWAYS, change.before, change.after);
    const finding = make('dependencies.changed', free ? 'warn' : 'ask', 'dependencies were added', [
      `${change.path}: ${what.added.join(', ')}`,
    ]);
    return { use: lockfilesOnlyAdd(input) ? 'candidate' : 'trusted', finding };
  }
  const reason: Reason = what.kind === 'toolchain' ? 'tamper.toolchain' : 'tamper.test_config';
  return {
    use: 'trusted',
    finding: make(reason, 'ask', 'settings that tools read from package.json were changed', [`${change.path}: ${what.keys.join(', ')}`]),
  };
}

/** A package file below the root, in a folder whose files belonged to another one. */
function isNewScope(change: TextChange, input: ProtectionInput): boolean {
  const folder = change.path.replace(/[^/]+$/, '');
  return change.from === null && folder !== '' && [...input.paths].some((path) => path.startsWith(folder));
}

/** A lockfile may follow a package.json that only added dependencies. */
function judgeLockfile(change: TextChange, input: ProtectionInput): Judgement {
  const manifest = input.changes.find((one) => one.path === change.path.replace(/[^/]+$/, 'package.json'));
  const follows = manifest !== undefined && classifyPackageChange(manifest.before, manifest.after).kind === 'dependencies';
  if (follows && lockfileOnlyAdds(change.before, change.after)) {
    const rules = input.dependencies ?? ASK_ALWAYS;
    const free = mayAddDependencies(rules, manifest.before, manifest.after) && mayAddPackages(rules, change.before, change.after);
    return { use: 'candidate', finding: make('dependencies.changed', free ? 'warn' : 'ask', 'dependencies were added', [change.path]) };
  }
  return ask(change, 'tamper.toolchain', 'the lockfile was changed');
}

function lockfilesOnlyAdd(input: ProtectionInput): boolean {
  return input.changes
    .filter((one) => /(^|\/)(package-lock|npm-shrinkwrap)\.json$/.test(one.path))
    .every((one) => lockfileOnlyAdds(one.before, one.after));
}

function judgeAccepted(change: TextChange, input: ProtectionInput): Judgement {
  const { path, before, after } = change;
  if (before === null)
    return input.assigned.has(path) ? CANDIDATE : ask(change, 'tamper.tests', 'a test file of an accepted feature was recreated');
  if (after === null) return judgeRemoved(change, input);
  const isKept = input.byFile.has(path) ? change.keeps?.calls : change.keeps?.assertions;
  if (isKept === true) return { use: 'candidate', contract: true };
  const judgement = ask(change, 'tamper.tests', 'accepted tests were changed', change.keeps?.differences);
  return input.assigned.has(path) ? { ...judgement, use: 'candidate', contract: true, rewritten: true } : judgement;
}

/** It has to run as it is: it is the code. */
function judgeHolding(change: TextChange): Judgement {
  const { path, before, after } = change;
  if (before === null || (after !== null && keepsOwnTests(path, before, after))) return CANDIDATE;
  const done = after === null ? 'was removed together with the tests in it' : 'was changed together with the tests in it';
  return { use: 'candidate', finding: make('tamper.tests', 'ask', `a source file ${done}`, [path]) };
}

/** Gone, or gone elsewhere: with all that its tests asserted, or by their titles alone. */
function judgeRemoved(change: TextChange, input: ProtectionInput): Judgement {
  const isMoved = isSameElsewhere(change, input.changes) || change.stands === true;
  if (isMoved || hasTitlesElsewhere(change, input.changes))
    return ask(
      change,
      'tamper.tests',
      `an accepted test file ${isMoved ? 'was moved' : 'was removed, and its test titles appear in other files'}`,
    );
  return { use: 'trusted', finding: make('tamper.tests', 'reject', 'accepted tests were removed', [change.path]) };
}

/** Tests that were there and count for nobody yet: of other features, or of nobody, green or red. */
function judgeOther(change: TextChange, input: ProtectionInput): Judgement {
  const { before, after } = change;
  if (before === null) return CANDIDATE;
  if (after === null)
    return isSameElsewhere(change, input.changes) || change.stands === true
      ? CANDIDATE
      : ask(change, 'tamper.tests', 'an existing test was removed');
  return change.keeps?.tests === true ? CANDIDATE : ask(change, 'tamper.tests', 'existing tests were changed');
}

/** Whether it counted nobody can tell: it does. */
function judgeByFile(change: TextChange): Judgement {
  const { after } = change;
  if (change.keeps?.calls === true) return { use: 'candidate', contract: true };
  const done = after === null ? 'removed' : 'changed';
  return ask(change, 'tamper.tests', `a test file was ${done}, and the test command does not report which tests ran`);
}

function ask(change: TextChange, reason: Reason, message: string, details: readonly string[] = []): Judgement {
  return { use: 'trusted', finding: make(reason, 'ask', message, [change.path, ...details.map((one) => `${change.path}::${one}`)]) };
}

function describeKind(kind: ProtectedKind, change: TextChange): string {
  const done = change.status === 'added' ? 'was added' : change.status === 'deleted' ? 'was removed' : 'was changed';
  const what: Record<ProtectedKind, string> = {
    'runner-config': 'the configuration of the test run',
    toolchain: 'the configuration of a tool',
    package: 'package.json',
    lockfile: 'the lockfile',
    harness: 'a file that the harness relies on',
    state: "the harness's state",
    hooks: 'a git hook',
    modules: 'an installed package or start-up file',
    snapshot: 'a stored snapshot',
    custom: 'a file protected by the settings',
  };
  return `${what[kind]} ${done}`;
}

function make(reason: Reason, weight: Finding['weight'], message: string, subjects: string[]): Finding {
  return { check: 'protected', reason, weight, message, subjects };
}

/** One finding for each reason and message, with all its subjects. */
function merge(findings: readonly Finding[]): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${finding.reason}|${finding.weight}|${finding.message}|${finding.set_back === true}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? finding : { ...known, subjects: [...known.subjects, ...finding.subjects] });
  }
  return [...merged.values()];
}
