/**
 * Controls by file, where single tests are not known: the feature's test file in versions that must fail, one run each.
 *
 * 1. A version that cannot be run to its end, in whatever language: where the command still passes, it does not run the file, or does not tell.
 * 2. A version whose expected values are changed, where the file can be parsed: where the command still passes, the tests look at nothing, or
 *    something keeps their assertions from failing.
 * 3. Where neither could be made, a person is asked: a pass alone is worth nothing.
 * 4. Work without a feature of its own is tried with files of accepted features: what is wrong there was not made by it, and is asked about.
 */
import { pathSetOf } from '../../domain/tree-index.ts';
import { counted } from '../../domain/counted.ts';
import { FeatureListSchema } from '../../domain/feature.ts';
import { isFailure } from '../../domain/test-results.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Finding, TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import type { CheckResult } from '../check.ts';
import { runSuite } from '../run/suite.ts';
import { RUNNERS } from '../runners/registry.ts';
import { readSource } from '../source/read-source.ts';
import { make } from './again.ts';
import { mutateTests } from './mutate.ts';

export async function checkFileControls(input: Case, plain: TestRun): Promise<CheckResult> {
  const files = input.mode === 'feature' ? testFilesOf(input.feature) : await acceptedFiles(input);
  const caveats = ['no control tests: the harness cannot write tests for this runner'];
  if (files.length === 0) return { findings: [], detail: 'no test file that control tests can be planted in', skipped: true, caveats };
  const findings: Finding[] = [];
  let tried = 0;
  for (const file of files) {
    const versions = await versionsOf(input, plain, file);
    const wrong = await firstHeld(input, plain, file, versions);
    tried += versions.length;
    if (wrong !== null) findings.push(input.mode === 'feature' ? wrong : { ...wrong, weight: 'ask' });
    else if (versions.length === 0) findings.push(uncontrolled(file, plain));
  }
  const detail = `${counted(tried, 'altered version')} of ${counted(files.length, 'test file')}${findings.length === 0 ? ' failed as required' : ''}`;
  return { findings, detail, caveats };
}

const MOST_ACCEPTED = 2;

/** Work that claims no feature is held to tests of accepted ones: some of their files, never the same for certain. */
async function acceptedFiles({ platform, features, trees, judged: { tree } }: Case): Promise<string[]> {
  const present = pathSetOf(await trees.list(tree));
  const list = FeatureListSchema.safeParse(parsed(features.trusted)).data?.features ?? [];
  const files = new Set(list.filter(({ passes }) => passes).flatMap(testFilesOf));
  const left = [...files].filter((file) => present.has(file));
  const chosen: string[] = [];
  while (chosen.length < MOST_ACCEPTED && left.length > 0)
    chosen.push(...left.splice(Number.parseInt(platform.random.id(6), 16) % left.length, 1));
  return chosen;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Version {
  text: string;
  reason: Finding['reason'];
  /** What is to be said where the command passes with it. */
  held: string;
}

async function versionsOf(input: Case, plain: TestRun, file: string): Promise<Version[]> {
  const { platform, judged } = input;
  const runner = RUNNERS[plain.runner];
  const text = (await input.trees.read(judged.tree, file))?.toString('utf8');
  if (text === undefined || (runner.single === null && runner.takesControls === false)) return [];
  const broken = brokenVersion(file, text, platform.random.id(6));
  const reading = await readSource(platform, file, text);
  const difference = {
    word: platform.random.id(4).replaceAll(/\d/g, 'x'),
    offset: 1 + (Number.parseInt(platform.random.id(3), 16) % 5_000),
  };
  const changed = reading === null ? null : mutateTests(text, reading, difference);
  return [
    ...(broken === null
      ? []
      : [
          {
            text: broken,
            reason: 'test.none_ran' as const,
            held: `the test command passes with ${file} broken on purpose: it does not run that file, or does not report failures`,
          },
        ]),
    ...(changed === null || changed.count === 0
      ? []
      : [
          {
            text: changed.text,
            reason: 'test.not_red' as const,
            held: `the test command passes although the expected values in ${file} are changed, so its tests prove nothing`,
          },
        ]),
  ];
}

async function firstHeld(input: Case, plain: TestRun, file: string, versions: readonly Version[]): Promise<Finding | null> {
  const { platform, judged } = input;
  const timeoutMs = Math.min(input.timeoutMs ?? Number.MAX_SAFE_INTEGER, 30_000 + plain.duration_ms * 4);
  for (const { text, reason, held } of versions) {
    const tree = await input.trees.compose(judged.tree, [{ path: file, kind: 'write', content: text }]);
    const run = await runSuite(platform, { ...input, timeoutMs, tree, files: [file], purpose: 'controls', mixed: true });
    const fell = run.exit_code !== 0 || run.tests.some(isFailure);
    if (!fell) return make('controls', reason, 'reject', held, [file]);
  }
  return null;
}

function uncontrolled(file: string, { runner }: TestRun): Finding {
  const what = `nothing in ${file} could be made to fail on purpose (its tests are read by ${runner})`;
  return make('controls', 'tamper.toolchain', 'ask', `${what}, so a passing test command may mean nothing`, [file]);
}

/** A version of a test file that cannot pass wherever it is run or compiled. Pure. */

/** null for files that nobody runs: data, prose, pictures. `word`: something that no file holds. */
export function brokenVersion(path: string, text: string, word: string): string | null {
  const ending = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  if (DATA.test(ending)) return null;
  const made = WAYS.find(([endings]) => endings.test(ending));
  if (made !== undefined) return made[1](text, word);
  return text.startsWith('#!') ? afterFirstLine(text, 'exit 1') : `${text}\n%% ${word} is no statement of any language %%\n`;
}

const DATA = /^(?:json|ya?ml|toml|xml|csv|tsv|txt|md|rst|html?|snap|png|jpe?g|gif|svg|pdf|zip|gz)$/;

const WAYS: readonly (readonly [RegExp, (text: string, word: string) => string])[] = [
  [/^[cm]?[jt]sx?$/, (text, word) => `${text}\nthrow new Error('${word}');\n`],
  [/^py$/, (text, word) => `${text}\nraise RuntimeError('${word}')\n`],
  [/^rb$/, (text, word) => `${text}\nraise '${word}'\n`],
  [/^(?:pl|t)$/, (text, word) => afterFirstLine(text, `die '${word}';`)],
  [/^(?:sh|bash|zsh|ksh|bats)$/, (text) => afterFirstLine(text, 'exit 1')],
];

/** Behind a line that names the interpreter, else at the beginning. */
function afterFirstLine(text: string, line: string): string {
  const first = /^#![^\n]*\n?/.exec(text)?.[0] ?? '';
  return `${first}${first === '' || first.endsWith('\n') ? '' : '\n'}${line}\n${text.slice(first.length)}`;
}
