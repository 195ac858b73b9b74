/**
 * What changed for others: functions that were there before and are altered give other results than on base.
 *
 * 1. Base and candidate make the same calls: those of the tests, and some that differ from one in a single literal.
 * 2. Only what repeats counts: what differs between two runs of base, or of the candidate, is left out.
 * 3. It decides nothing by itself. The second call says whether the description accounts for the results; without it they are a note.
 * 4. Only in a sandbox: such a call may do anything.
 */
import { countChanges } from '../../domain/changed-results.ts';
import { counted } from '../../domain/counted.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { ChangedResult } from '../../domain/verdict.ts';
import { chosenSandbox } from '../../platform/sandbox.ts';
import type { Case } from '../case.ts';
import type { Check, CheckResult, Facts } from '../check.ts';
import { PROGRAM_ROOM } from '../checks/again.ts';
import { twinOf } from '../checks/check-force.ts';
import { collectedFiles, testSideOf } from '../checks/test-side.ts';
import { HIDDEN_ROOM, unwatched } from '../examine/hidden-runs.ts';
import { runSuite } from '../run/suite.ts';
import { singleTests } from '../runners/registry.ts';
import type { RunnerName, TestRun } from '../../domain/verdict.ts';
import { alteredFunctions } from './altered.ts';
import { askedFiles, type AskedFile } from './asked-calls.ts';
import { inputsFrom } from './inputs.ts';
import { questionText, resultsIn, type Numbered, type Result } from './question.ts';

export const BEHAVIOUR: Check = {
  id: 'behaviour',
  title: 'changed results',
  weight: 'ask',
  cost: 'trial',
  optional: true,
  applies: ({ judged }, { suite, feature }) => judged.changes.length > 0 && (suite !== null || feature !== null),
  run: checkBehaviour,
  doc: 'Functions that were there before give the results that they gave on base, or the description accounts for the others. Without `verification.examiner` other results are a note.',
};

const MOST_INPUTS = 200;
const TIME_LIMIT_MS = 60_000;
const MOST_SHOWN = 12;
const MOST_OF_ONE = 3;

async function checkBehaviour(judged: Case, facts: Facts): Promise<CheckResult> {
  const isOfTests = testSideOf(collectedFiles(judged, [facts.suite?.suite ?? null, facts.feature?.run ?? null]));
  const altered = await alteredFunctions(judged, isOfTests);
  if (altered.paths.size === 0) return nothing('no function of base is altered');
  const runner = facts.suite?.suite.runner ?? facts.feature?.run.runner ?? 'exit-code';
  if (singleTests(runner) === null) return nothing('the test command cannot run single files');
  if (!(await chosenSandbox(judged.platform, judged.settings.sandbox.mode)).hides) return nothing('there is no sandbox');
  const files = await askedFiles(judged, altered, isOfTests);
  const inputs = numbered(files);
  if (inputs.length === 0) return nothing('no test calls an altered function with literals');
  const compared = await compare({ judged: unwatched(judged), runner }, inputs);
  if (compared === null) return nothing('the calls could not be run');
  const { count, changed } = compared;
  const detail = `${changed.length} of ${counted(count, 'result')} ${changed.length === 1 ? 'differs' : 'differ'} from base`;
  if (changed.length === 0) return { findings: [], detail };
  const results = shownOf(changed);
  return {
    findings: [],
    detail,
    facts: { changedResults: results },
    ...(judged.examiner !== undefined && judged.mode === 'feature' ? {} : { caveats: [countChanges(changed.length)] }),
  };
}

function nothing(detail: string): CheckResult {
  return { findings: [], detail, skipped: true };
}

interface Asked extends Numbered {
  file: AskedFile;
}

/** Each file has its share, and those with few calls leave theirs to the others. */
function numbered(files: readonly AskedFile[]): Asked[] {
  const found: Asked[] = [];
  for (const [at, file] of files.toSorted((a, b) => a.calls.length - b.calls.length).entries()) {
    const share = Math.floor((MOST_INPUTS - found.length) / (files.length - at));
    for (const one of inputsFrom(file.calls, share)) found.push({ ...one, file, number: found.length });
  }
  return found;
}

interface Side {
  judged: Case;
  runner: RunnerName;
}

interface Difference {
  input: Asked;
  was: Result;
  is: Result;
}

/** null: no call gave anything on both sides. */
async function compare(side: Side, inputs: readonly Asked[]): Promise<{ count: number; changed: Difference[] } | null> {
  const first = await onBoth(side, inputs);
  // A call of the harness's own making may never end: then only those of the tests are made.
  const both =
    first ??
    (await onBoth(
      side,
      inputs.filter(({ isOwn }) => isOwn),
    ));
  if (both === null || both.length === 0) return null;
  const different = both.filter(({ was, is }) => was.digest !== is.digest);
  if (different.length === 0) return { count: both.length, changed: [] };
  const again = await onBoth(
    side,
    different.map(({ input }) => input),
  );
  const isSame = ({ input, was, is }: Difference): boolean =>
    again?.some((one) => one.input === input && one.was.digest === was.digest && one.is.digest === is.digest) === true;
  const unsteady = different.filter((one) => !isSame(one)).length;
  return { count: both.length - unsteady, changed: different.filter(isSame) };
}

/** What is called is not there on base: that is no other result. */
const NOT_THERE =
  /^(?:throws (?:TypeError: .* is not a (?:function|constructor)|ReferenceError: )|raises (?:AttributeError: (?:partially initialized )?module |NameError: |TypeError: 'NoneType' object is not callable))/;

/** null: a run did not come to an end. */
async function onBoth({ judged, runner }: Side, inputs: readonly Asked[]): Promise<Difference[] | null> {
  const word = judged.platform.random.id(6);
  const files = [...new Set(inputs.map(({ file }) => file))];
  const edits = files.map((file): TreeEdit & { path: string } => ({
    path: twinOf(file.path, judged.platform.random.id(4)),
    kind: 'write',
    content: questionText(
      { ...file, runner },
      inputs.filter((one) => one.file === file),
      word,
    ),
  }));
  const run = async (tree: string, room: string): Promise<TestRun> =>
    await runSuite(judged.platform, {
      ...judged,
      timeoutMs: TIME_LIMIT_MS,
      tree: await judged.trees.compose(tree, edits),
      files: edits.map(({ path }) => path),
      room,
      variant: { forceExit: true },
      purpose: 'behaviour',
      mixed: true,
    });
  const [base, candidate] = await Promise.all([run(judged.base.tree, PROGRAM_ROOM), run(judged.judged.tree, HIDDEN_ROOM)]);
  if (base.timed_out || candidate.timed_out) return null;
  const [then, now] = [resultsIn(base, word), resultsIn(candidate, word)];
  return inputs.flatMap((input) => {
    const [was, is] = [then.get(input.number), now.get(input.number)];
    return was === undefined || is === undefined || NOT_THERE.test(was.shown) ? [] : [{ input, was, is }];
  });
}

/** Calls of the tests first, and few of each function. */
function shownOf(changed: readonly Difference[]): ChangedResult[] {
  const counts = new Map<string, number>();
  const chosen = changed
    .toSorted((a, b) => Number(b.input.isOwn) - Number(a.input.isOwn) || a.input.text.length - b.input.text.length)
    .filter(({ input: { called } }) => {
      const count = (counts.get(called) ?? 0) + 1;
      counts.set(called, count);
      return count <= MOST_OF_ONE;
    });
  return chosen.slice(0, MOST_SHOWN).map(({ input, was, is }) => ({ call: lineOf(input.text), was: was.shown, is: is.shown }));
}

const LONGEST_CALL = 160;

function lineOf(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_CALL ? `${line.slice(0, LONGEST_CALL)}…` : line;
}
