/**
 * Layer 1: the harness runs the checks itself, in a clean room, on the candidate with the trusted tests and settings over it.
 *
 * 1. Tests of the base that are gone, skipped or weakened, and changed settings of runner, manifest or CI, fail the work by name; that is
 *    the judgement of the verifying core over a session that claims nothing.
 * 2. A test run of a known runner is judged by its report. Every failed test fails the work; those that failed before are named as such.
 * 3. The limits of the task are held against the captured difference.
 * 4. An implementer that left the code as it was has not done the task: that fails by itself, and nothing is run for it.
 * 5. What a person has accepted of that, in the version that they saw, belongs to the trusted side; what they may still accept is told apart.
 * 6. Tests that the approved spec names may change; what they said before is not held against the work.
 * 7. Nothing is believed that an agent said: no text of an agent reaches this file.
 */
import type { TreeChange } from '../../../domain/tree.ts';
import { countTests, failuresIn } from '../../../domain/test-results.ts';
import { describeTest, type Finding } from '../../../domain/verdict.ts';
import { judgeWork, type JudgedTests } from '../../../kernel/flight/judge-work.ts';
import { runInRoom } from '../../../kernel/ground/run-checks.ts';
import { scopeFilter } from '../../../kernel/ground/scope.ts';
import type { Place } from '../../../kernel/place.ts';
import { baseOf } from '../candidate.ts';
import { CHECK_NAMES, makeCheck, type Check, type CheckName, checkLimits, checkMarkers, newMarkers } from '../machine/check.ts';
import { readDocumentText } from '../documents.ts';
import { acceptedAmong, asksAbout, mayChangeIn } from '../machine/asks.ts';
import type { Asks } from '../contract.ts';
import type { Session } from '../session.ts';
import { firstItem } from '../../../domain/items.ts';

export interface Layer1 {
  checks: Check[];
  changes: TreeChange[];
  /** What a person is asked about; null: nothing. */
  asks: Asks | null;
  /** What the result does not say. */
  caveats: string[];
}

export async function runLayer1(place: Place, session: Session): Promise<Layer1> {
  const base = baseOf(session);
  const candidate = session.harness.candidate ?? { tree: base.tree, commit: base.commit, findings: [] };
  const changes = await place.trees.diff(base.tree, candidate.tree);
  if (session.harness.candidate !== null && changes.length === 0) return nothingChanged();
  const limits = checkLimits(changes, { maxFiles: session.max_files, scope: session.scope, inScope: scopeFilter(session.scope) });
  const mayChange = mayChangeIn((await readDocumentText(place, session, 'spec.md')) ?? '');
  const accepted = acceptedAmong(changes, session.harness.allowed);
  const trusted = accepted.length === 0 ? base : { ...base, tree: await place.trees.compose(base.tree, accepted) };
  const judged = await judgeWork(place, { base: trusted, candidate, testCommand: session.test_cmd, mayChange });
  const commands = await runCommands(place, session, judged.tree);
  const markers = checkMarkers(await findMarkers(place, changes), session.verify.todo_blocking);
  const test = judged.tests === null ? skipped('test') : testCheck(judged.tests);
  return {
    checks: [
      limits,
      integrityCheck(
        judged.findings,
        accepted.map((edit) => edit.path),
      ),
      commands.build,
      test,
      commands.lint,
      commands.typeCheck,
      markers,
    ],
    changes,
    asks: limits.state === 'failed' ? null : asksAbout(judged.findings, changes),
    caveats: judged.caveats,
  };
}

function nothingChanged(): Layer1 {
  const notRun = CHECK_NAMES.filter((name) => name !== 'limits').map((name) =>
    makeCheck(name, 'skipped', 'not run, because nothing was changed'),
  );
  return {
    checks: [makeCheck('limits', 'failed', 'nothing was changed: the code is as it was before the task'), ...notRun],
    changes: [],
    asks: null,
    caveats: [],
  };
}

function integrityCheck(findings: readonly Finding[], accepted: readonly string[]): Check {
  const deciding = findings.filter((finding) => finding.weight !== 'warn');
  const items = [
    ...findings.flatMap((finding) => [`${finding.reason}: ${finding.message}`, ...finding.subjects.map((subject) => `  ${subject}`)]),
    ...accepted.map((path) => `accepted by a person: ${path}`),
  ];
  const [first] = deciding;
  if (first !== undefined) {
    const about = first.subjects.length === 0 ? '' : `: ${first.subjects.slice(0, 3).join(', ')}`;
    return makeCheck('integrity', 'failed', `${first.message}${about}`, { items });
  }
  return makeCheck('integrity', items.length > 0 ? 'warned' : 'passed', items[0] ?? 'tests and settings are as they were', { items });
}

function testCheck({ command, suite, findings, baseline }: JudgedTests): Check {
  const known = new Set(baseline?.passing_tests ?? []);
  const failed = failuresIn(suite.tests);
  const items = failed.map(
    (test) => `${describeTest(test)}${baseline !== null && !known.has(test.id) ? ' [did not pass before either]' : ''}`,
  );
  const more = { command, items: [...items, ...suite.problems], output: suite.output_tail };
  if (failed.length > 0)
    return makeCheck('test', 'failed', `${failed.length} of ${countTests(suite.tests)} tests failed: ${firstItem(failed).id}`, more);
  const objection = findings.find((finding) => finding.weight !== 'warn');
  if (objection !== undefined)
    return makeCheck('test', 'failed', `${objection.message}: ${suite.problems[0] ?? `exit status ${suite.exit_code}`}`, more);
  if (!suite.consistent || suite.exit_code !== 0)
    return makeCheck('test', 'failed', `${suite.problems[0] ?? `exit status ${suite.exit_code}`}`, more);
  const passed = suite.tests.filter((test) => test.status === 'passed').length;
  return makeCheck('test', 'passed', `${passed} of ${countTests(suite.tests)} tests passed (${suite.runner})`, { command });
}

async function runCommands(place: Place, session: Session, tree: string): Promise<{ build: Check; lint: Check; typeCheck: Check }> {
  const wanted = [
    ['build', session.build_cmd],
    ['lint', session.lint_cmd],
    ['type-check', session.type_check_cmd],
  ] as const;
  const timeoutMs = place.config.testing.timeout_seconds * 1_000;
  const commands = wanted.flatMap(([name, command]) => (command === null ? [] : [{ name, command, timeoutMs }]));
  const results = commands.length === 0 ? [] : await runInRoom(place, { tree, commands });
  const checkOf = (name: CheckName): Check => {
    const command = commands.find((one) => one.name === name)?.command;
    const result = results.find((one) => one.name === name);
    if (command === undefined || result === undefined) return skipped(name);
    if (result.exitCode === 0) return makeCheck(name, 'passed', 'exit status 0', { command });
    const ended = result.timedOut ? 'did not end in time' : `exit status ${result.exitCode ?? 'none'}`;
    return makeCheck(name, 'failed', `${command}: ${ended}`, { command, output: result.output });
  };
  return { build: checkOf('build'), lint: checkOf('lint'), typeCheck: checkOf('type-check') };
}

function skipped(name: CheckName): Check {
  return makeCheck(name, 'skipped', 'there is no command for it');
}

const LARGEST_TEXT = 1_000_000;

async function findMarkers(place: Place, changes: readonly TreeChange[]): Promise<ReturnType<typeof newMarkers>> {
  const found: ReturnType<typeof newMarkers> = [];
  for (const { path, from, to } of changes) {
    if (to === null || to.mode === '120000') continue;
    const after = await place.trees.readBlob(to.oid);
    if (after.length > LARGEST_TEXT || after.includes(0)) continue;
    const before = from === null ? null : (await place.trees.readBlob(from.oid)).toString('utf8');
    found.push(...newMarkers(path, before, after.toString('utf8')));
  }
  return found;
}
