/**
 * The examiner's tests on the code from before the session and on the candidate, each in a file of its own beside the feature's.
 *
 * 1. Only tests that fail on base, or cannot be loaded there, say something about the feature; others are left out.
 * 2. Tests that fail on the candidate are a question, never a refusal. All of them pass: told.
 * 3. What the examiner did wrong counts for nobody: no reply, no test, a file that cannot be loaded for its own reasons, a run that
 *    cannot be believed. The verdict says then that the work was not examined, and why.
 */
import { counted } from '../../domain/counted.ts';
import { FeatureListSchema, type Feature } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import type { ExaminedTest, Finding, TestResult, TestRun } from '../../domain/verdict.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Case } from '../case.ts';
import type { CheckResult } from '../check.ts';
import type { ExaminerRequest, ExaminerTest } from '../examiner/contract.ts';
import { programFacts } from '../examiner/program.ts';
import { isFailure } from '../../domain/test-results.ts';
import { runSuite } from '../run/suite.ts';
import { commandSources } from '../run/command-sources.ts';
import { chooseCommand } from '../run/test-command.ts';
import { WHOLE_FILE } from '../runners/results.ts';
import { readSource } from '../source/read-source.ts';
import { languageOf } from '../source/source.ts';
import { twinOf } from './check-force.ts';
import { OF_RUNNERS } from './check-old-contract.ts';

export interface ExaminerCheck extends CheckResult {
  examined: ExaminedTest[];
}

export async function checkExaminer(input: Case): Promise<ExaminerCheck> {
  const [path] = testFilesOf(input.feature);
  const said = input.feature?.interface?.trim() ?? '';
  if (input.feature === null || path === undefined || languageOf(path) === null)
    return notExamined('the feature has no test file in a language that the harness can write');
  if (said === '') return notExamined('the feature has no `interface`');
  const { testing } = input.settings;
  const manifest = (await input.trees.read(input.base.tree, 'package.json'))?.toString('utf8') ?? null;
  const { runner } = chooseCommand(testing.full, testing.report, await commandSources(input.trees, input.base.tree, [testing.full]));
  if (runner.single === null) return notExamined('the test command does not report which tests ran');
  const program = await programFacts(input.trees, input.base.tree);
  const standsOn = interfacesBelow(input.features.trusted, input.feature);
  const answer = await input.examiner!.ask({
    feature: input.feature,
    interface: said,
    program,
    stands_on: standsOn,
    style: styleOf(runner.name, path, manifest),
    path: twinOf(path, 'examined'),
  });
  input.signal?.throwIfAborted();
  if ('why' in answer) return notExamined(answer.why);
  const known = [said, ...standsOn.map((one) => one.interface), ...program].join('\n');
  return examine(input, { path, said: known, ...answer });
}

/** Interfaces of what the feature stands on, from the trusted list: nearest first. */
export function interfacesBelow(list: string | null, feature: Feature): ExaminerRequest['stands_on'] {
  const features = new Map(featuresIn(list).map((one) => [one.id, one]));
  const ids = new Set(feature.depends_on ?? []);
  for (const id of ids) for (const other of features.get(id)?.depends_on ?? []) ids.add(other);
  return [...ids].slice(0, MOST_BELOW).flatMap((id) => {
    const { description, interface: said } = features.get(id) ?? {};
    return said === undefined || description === undefined ? [] : [{ id, description, interface: said }];
  });
}

const MOST_BELOW = 12;

function featuresIn(list: string | null): Feature[] {
  try {
    const parsed = FeatureListSchema.safeParse(JSON.parse(list ?? ''));
    return parsed.success ? parsed.data.features : [];
  } catch {
    return [];
  }
}

/** What a person who writes a test here has to know, without a look at the project. */
function styleOf(runner: string, path: string, manifest: string | null): string {
  if (languageOf(path) === 'python') return `${runner}, Python`;
  const isTyped = /\.[cm]?tsx?$/.test(path);
  const isModule = isTyped || path.endsWith('.mjs') || (!path.endsWith('.cjs') && /"type"\s*:\s*"module"/.test(manifest ?? ''));
  return `${runner}, ${isTyped ? 'TypeScript' : 'JavaScript'}, ${isModule ? 'ES modules (import)' : 'CommonJS (require)'}`;
}

const TIME_LIMIT_MS = 120_000;

interface Given {
  path: string;
  said: string;
  tests: readonly ExaminerTest[];
  leftOut: readonly string[];
}

async function examine(input: Case, given: Given): Promise<ExaminerCheck> {
  const { platform, judged } = input;
  const files = given.tests.map((test) => ({ ...test, file: twinOf(given.path, platform.random.id(4)) }));
  const edits = files.map(({ file, code }): TreeEdit => ({ path: file, kind: 'write', content: code }));
  const run = async (tree: string, room: string): Promise<TestRun> =>
    runSuite(platform, {
      ...input,
      cache: undefined,
      timeoutMs: Math.min(input.timeoutMs ?? TIME_LIMIT_MS, TIME_LIMIT_MS),
      tree: await input.trees.compose(tree, edits),
      files: files.map(({ file }) => file),
      room,
      variant: { forceExit: true },
      purpose: 'examiner',
      mixed: true,
    });
  const [before, now] = await Promise.all([run(input.base.tree, 'base'), run(judged.tree, 'judge')]);
  if (!now.consistent && !now.tests.some((test) => files.some(({ file }) => file === test.file)))
    return notExamined(`the examiner's tests could not be run: ${now.problems[0] ?? 'nothing was reported'}`);
  const leftOut = [...given.leftOut];
  const examined: ExaminedTest[] = [];
  let [idle, unloaded] = [0, 0];
  for (const one of files) {
    const result = resultOf(now, one.file);
    if (resultOf(before, one.file)?.status === 'passed') idle += 1;
    else if (result === null || (cannotLoad(result) && !(await importsOnly(platform, one, given.said)))) unloaded += 1;
    else examined.push({ behaviour: one.behaviour, code: one.code, passed: result.status === 'passed', message: result.message ?? null });
  }
  if (idle > 0) leftOut.push(`${counted(idle, 'test')} that ${idle === 1 ? 'passes' : 'pass'} without the feature`);
  if (unloaded > 0) leftOut.push(`${counted(unloaded, 'test')} that could not be run`);
  const rest = leftOut.length === 0 ? '' : ` (left out: ${leftOut.join(', ')})`;
  if (examined.length === 0) return notExamined(`none of the examiner's tests could be used${rest}`);
  const failing = examined.filter(({ passed }) => !passed);
  const findings = failing.length === 0 ? [] : [disagreement(failing, examined.length)];
  return {
    findings,
    examined,
    detail: `${examined.length - failing.length} of ${examined.length} tests that the examiner wrote without seeing the work pass${rest}`,
  };
}

/** The worst of a file, where it holds several tests: one that failed, else one that passed. Null: nothing that counts was reported. */
function resultOf(run: TestRun, file: string): TestResult | null {
  const tests = run.tests.filter((test) => test.file === file);
  return tests.find((test) => test.name === WHOLE_FILE) ?? tests.find(isFailure) ?? tests.find((test) => test.status === 'passed') ?? null;
}

function cannotLoad(test: TestResult): boolean {
  return test.name === WHOLE_FILE || test.failure === 'import';
}

/** Whether the test asks for nothing but what the interface names: then it is the work that does not have it. */
async function importsOnly(platform: Platform, { file, code }: { file: string; code: string }, said: string): Promise<boolean> {
  const reading = await readSource(platform, file, code);
  const names = (reading?.imports ?? [])
    .map(({ specifier }) => specifier)
    .filter((specifier) => !OF_RUNNERS.test(specifier) && !specifier.startsWith('node:'));
  return names.length > 0 && names.every((specifier) => said.includes(stemOf(specifier)));
}

/** `cart` of `../src/cart.js` and of `shop.cart`. */
function stemOf(specifier: string): string {
  const last = specifier.slice(specifier.lastIndexOf('/') + 1).replace(/\.[cm]?[jt]sx?$/, '');
  return last.slice(last.lastIndexOf('.') + 1);
}

function disagreement(failing: readonly ExaminedTest[], of: number): Finding {
  return {
    check: 'examiner',
    reason: 'examiner.disagrees',
    weight: 'ask',
    message: `${failing.length} of ${of} things that an examiner expects, who knows the description and the interface but not the work, ${failing.length === 1 ? 'is' : 'are'} not the case`,
    subjects: failing.map(({ behaviour }) => behaviour),
  };
}

function notExamined(why: string): ExaminerCheck {
  return { findings: [], examined: [], detail: `not examined because ${why}`, skipped: true, caveats: [`not examined because ${why}`] };
}
