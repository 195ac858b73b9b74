/**
 * Runs of other mixtures of old and new: the feature's tests on the code from before, and the trusted tests on the new code.
 */
import type { TreeEdit } from '../../domain/tree.ts';
import type { Finding } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import { fileOf } from '../memory/baseline.ts';
import type { JudgedTree } from './check-protected.ts';
import { changedSources } from './check-reach.ts';
import { describeTest } from './check-tests.ts';
import type { JudgeInput } from '../contract.ts';
import type { CheckResult } from '../docket.ts';
import { hollowAddition, hollowModule } from './hollow.ts';
import type { Hollowness } from './hollowness.ts';
import { languageOf } from '../source/mask.ts';
import { mockedUnits } from './mocked-unit.ts';
import { isTestPath } from './protected-paths.ts';
import { compareRed } from './red.ts';
import { runSuite } from '../run/suite.ts';

/** New tests on old code: they must fail there, and not only because something new was missing. */
export async function checkRed(
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  green: readonly string[],
): Promise<{ result: CheckResult; redToGreen: string[] }> {
  const file = input.feature!.test_file!;
  const tests = testsOf(input, judged, file);
  const tree = await input.trees.compose(input.base.tree, tests);
  const before = await runSuite(platform, { ...input, tree, files: [file], room: 'base', purpose: 'red', mixed: true });
  const baseline = new Set(input.baseline?.passing_tests ?? []);
  const compared = compareRed({ green, before: before.tests, baseline });
  const request = { file, tests, wanted: compared.redToGreen };
  const { always, once } = await passOnHollow(platform, input, judged, request);
  const proved = compared.redToGreen.filter((id) => !always.includes(id));
  const empty = proved.length === 0 ? always : await passOnAnything(platform, input, judged, { ...request, wanted: always });
  const redToGreen = compared.redToGreen.filter((id) => !empty.includes(id));
  const make = (weight: Finding['weight'], message: string, subjects: readonly string[]): Finding => ({
    check: 'red',
    reason: 'test.not_red',
    weight,
    message,
    subjects: subjects.slice(0, 50),
  });
  const findings: Finding[] = [];
  if (redToGreen.length === 0 && empty.length > 0)
    findings.push(make('reject', `the tests of ${file} pass on code that does nothing, so they do not show what the feature does`, empty));
  else if (redToGreen.length === 0)
    findings.push(
      make(
        'reject',
        `no test of ${file} fails on the code from before the session, so it does not show that the feature was missing`,
        green,
      ),
    );
  else {
    if (redToGreen.every((id) => once.includes(id)))
      findings.push(make('ask', `each test of ${file} passes on code that gives nothing, or on code that gives anything`, redToGreen));
    if (empty.length > 0) findings.push(make('ask', `${empty.length} tests of ${file} pass on code that does nothing`, empty));
    if (compared.alreadyGreen.length > 0)
      findings.push(
        make(
          'warn',
          `${compared.alreadyGreen.length} tests of ${file} pass on the code from before the session as well`,
          compared.alreadyGreen,
        ),
      );
  }
  const mocked = await mockedHere(input, judged, file);
  if (mocked.length > 0) findings.push(make('ask', `${file} puts mocks in the place of what the session brought`, mocked));
  return { result: { findings, detail: `${redToGreen.length} of ${green.length} went from red to green` }, redToGreen };
}

async function mockedHere(input: JudgeInput, judged: JudgedTree, file: string): Promise<string[]> {
  const text = (await input.trees.read(judged.tree, file))?.toString('utf8') ?? '';
  return mockedUnits(text, file, new Set(changedSources(input, judged)));
}

interface HollowRequest {
  file: string;
  tests: TreeEdit[];
  /** Tests that failed on old code: it may mean only that something was missing, or that something was there to be found. */
  wanted: readonly string[];
}

interface HollowResult {
  /** Tests that pass whether hollow code gives nothing or something: what they look at is not there. */
  always: string[];
  /** Tests that pass on at least one of the two: they look at too little to prove anything alone. */
  once: string[];
}

async function passOnHollow(platform: Platform, input: JudgeInput, judged: JudgedTree, request: HollowRequest): Promise<HollowResult> {
  const nothing = await passOn('nothing', platform, input, judged, request);
  if (nothing === null) return { always: [], once: [] };
  const something = (await passOn('something', platform, input, judged, request)) ?? nothing;
  return {
    always: request.wanted.filter((id) => nothing.has(id) && something.has(id)),
    once: request.wanted.filter((id) => nothing.has(id) || something.has(id)),
  };
}

/** Of tests beside proved ones: those that pass on hollow code which breaks nowhere, too. The others expect an error that is the code's own. */
async function passOnAnything(platform: Platform, input: JudgeInput, judged: JudgedTree, request: HollowRequest): Promise<string[]> {
  const anything = await passOn('anything', platform, input, judged, request);
  return request.wanted.filter((id) => anything === null || anything.has(id));
}

/** Null where there is nothing to ask, or nothing to stand in for. */
async function passOn(
  kind: Hollowness,
  platform: Platform,
  input: JudgeInput,
  judged: JudgedTree,
  request: HollowRequest,
): Promise<ReadonlySet<string> | null> {
  const hollow = request.wanted.length === 0 ? [] : await hollowEdits(input, judged, kind);
  if (hollow.length === 0) return null;
  const tree = await input.trees.compose(input.base.tree, [...hollow, ...request.tests]);
  const timeoutMs = Math.min(input.timeoutMs ?? HOLLOW_TIMEOUT_MS, HOLLOW_TIMEOUT_MS);
  const run = await runSuite(platform, {
    ...input,
    timeoutMs,
    tree,
    files: [request.file],
    room: 'base',
    variant: { forceExit: true },
    purpose: 'hollow',
    mixed: true,
  });
  return new Set(run.tests.filter((test) => test.status === 'passed').map((test) => test.id));
}

const HOLLOW_TIMEOUT_MS = 60_000;

/** Stand-ins for the modules and exports that the session brought; data that they may need comes along. */
async function hollowEdits(input: JudgeInput, judged: JudgedTree, kind: Hollowness): Promise<TreeEdit[]> {
  const replaced = new Set(judged.edits.map((edit) => edit.path));
  const edits: TreeEdit[] = [];
  for (const change of judged.changes) {
    if (
      change.to === null ||
      change.to.mode === '120000' ||
      replaced.has(change.path) ||
      isTestPath(change.path) ||
      languageOf(change.path) === null
    )
      continue;
    const after = (await input.trees.readBlob(change.to.oid)).toString('utf8');
    const before = change.from === null ? null : (await input.trees.readBlob(change.from.oid)).toString('utf8');
    const content = before === null ? hollowModule(after, change.path, kind) : hollowAddition(before, after, change.path, kind);
    if (content !== null) edits.push({ path: change.path, kind: 'write', content });
  }
  return edits;
}

/** The feature's test file and what was added beside it for tests; and what the session said about itself, so that no test is red for want of it. */
function testsOf(input: JudgeInput, judged: JudgedTree, file: string): TreeEdit[] {
  const said = [input.settings.paths.features, input.settings.paths.progress];
  const left = new Set(judged.edits.map((edit) => edit.path));
  return judged.changes.flatMap((change): TreeEdit[] => {
    const wanted = change.path === file || said.includes(change.path) || (change.status === 'added' && isTestPath(change.path));
    return wanted && change.to !== null && !left.has(change.path) ? [{ path: change.path, kind: 'entry', entry: change.to }] : [];
  });
}

/** Trusted tests on new code, for files that run in the candidate's version otherwise. */
export async function checkOldContract(platform: Platform, input: JudgeInput, judged: JudgedTree): Promise<CheckResult> {
  const edits = judged.changes.flatMap((change): TreeEdit[] =>
    judged.contract.includes(change.path) && change.from !== null ? [{ path: change.path, kind: 'entry', entry: change.from }] : [],
  );
  const tree = await input.trees.compose(judged.tree, edits);
  const run = await runSuite(platform, { ...input, tree, files: judged.contract, room: 'contract', purpose: 'old-contract', mixed: true });
  const now = new Map(run.tests.map((test) => [test.id, test.status]));
  const expected = (input.baseline?.passing_tests ?? []).filter((id) => judged.contract.includes(fileOf(id)));
  const lost = expected.filter((id) => now.get(id) !== 'passed');
  const others = run.tests.filter((test) => test.status !== 'passed' && !expected.includes(test.id));
  const findings: Finding[] = [];
  if (lost.length > 0)
    findings.push({
      check: 'old-contract',
      reason: 'regression',
      weight: 'reject',
      message: `${lost.length} tests that passed before do not pass in their earlier version`,
      subjects: lost.slice(0, 50),
    });
  if (others.length > 0)
    findings.push({
      check: 'old-contract',
      reason: 'tamper.tests',
      weight: 'ask',
      message: "the feature's test was rewritten, and its earlier version does not pass on the new code",
      subjects: others.slice(0, 50).map(describeTest),
    });
  return {
    findings,
    detail: `${run.tests.length - lost.length - others.length} of ${run.tests.length} tests hold in their earlier version`,
  };
}
