/**
 * Pytest, started through a few lines of our own.
 *
 * 1. Pytest is imported before the project's directory is on the path, so that no file of the project can stand in for it.
 * 2. The packages of the room come before those that are installed, also before an installation that leads to the project's own folder.
 * 3. The recorder sees each phase of each test: setup, call and teardown, expected failures and reruns.
 * 4. Coverage is not measured, whatever the settings say: of some files alone it says nothing.
 * 5. Code that takes the words of the command by default finds those of the project's own command, and none of ours.
 * 6. The last line carries the exit status; without it the report is not complete.
 */
import pytestProgram from '../../../assets/runners/pytest.py';
import type { TestStatus } from '../../domain/verdict.ts';
import { PYTHON_LOOKING, replacedIn } from './looking-python.ts';
import { elsewhereForPython } from './elsewhere.ts';
import { noReport } from './no-report.ts';
import { splitOptions } from './options.ts';
import { ordinaryPython } from './ordinary.ts';
import { PYTHON_ENVIRONMENT, PYTHON_RECORDER, pythonLiteral } from './python-boot.ts';
import { readLines, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';
import { itemAt } from '../../domain/items.ts';

export const pytestRunner: DeepRunner = {
  name: 'pytest',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: 'python',
  pythonModule: 'pytest',
  summary: { passed: /\b[1-9]\d* passed\b.* in [\d.:]+/, failed: /\b[1-9]\d* (?:failed|errors?)\b.* in [\d.:]+/ },
  leavings: ['.pytest_cache'],
  files: {
    modules: ['_pytest/**', 'pytest/**', 'pytest.py', '_pytest.py'],
    settings: ['pytest.ini', '.pytest.ini', 'pytest.toml', '.pytest.toml', 'conftest.py', 'tox.ini', 'setup.cfg', 'pyproject.toml'],
    manifestKeys: [],
    packages: [],
  },
  marks: {
    hidden: [],
    variables: ['PYTEST_CURRENT_TEST', 'PYTEST_VERSION', 'PYTEST_XDIST_WORKER'],
    globals: [],
    modules: [],
    words: ['pytest'],
  },
  single: {
    language: 'python',
    command: 'pytest',
    typed: 'pytest',
    installedAs: null,
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: true,
    targets: null,
    firstTest: 'tests/test_first.py',
    variable: 'PYTEST_CURRENT_TEST',
    sabotage: 'import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None',
    script: null,
    pythonTests: 'functions',
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const program = words[0] ?? '';
  if (/(^|\/)(pytest|py\.test)$/.test(program)) return { interpreterArgs: [], args: harmless(words.slice(1)) };
  if (!/(^|\/)python[0-9.]*$/.test(program)) return null;
  const at = words.indexOf('-m');
  if (at < 0 || words[at + 1] !== 'pytest') return null;
  return { interpreterArgs: words.slice(1, at), args: harmless(words.slice(at + 2)), form: 'module' };
}

/** Options that change where and how results are told, or end a run early; with the value that follows. */
const DROPPED_PAIRS = /^--(?:maxfail|tb|color|junit-?xml|cov(?:-report|-config|-fail-under|-context)?)$/;
const DROPPED =
  /^(-x|--exitfirst|--maxfail.*|--lf|--last-failed|--ff|--failed-first|--sw|--stepwise|-q|-qq|-v|-vv|-s|--junit.*|--tb=.*|--color=.*|--pdb|-p=.*|--cache-clear|--cov(?:-.*|=.*)?|--no-cov.*)$/;

function harmless(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = itemAt(words, at);
    if (DROPPED_PAIRS.test(word)) at += (words[at + 1] ?? '-').startsWith('-') ? 0 : 1;
    else if (!DROPPED.test(word)) kept.push(word);
  }
  return kept;
}

const WITH_VALUE = new Set([
  '-k',
  '-m',
  '-c',
  '-o',
  '-p',
  '-n',
  '-W',
  '--rootdir',
  '--confcutdir',
  '--ignore',
  '--deselect',
  '--import-mode',
  '--durations',
]);

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.python === null) return { missing: 'no Python that can import pytest was found on the PATH' };
  const options = request.files === null ? match.args : splitOptions(match.args, WITH_VALUE).options;
  const { variant } = request;
  const elsewhere = elsewhereForPython(request);
  const before = [
    ...(variant.neutral === undefined ? [] : [HIDDEN, ordinaryPython(request.room, variant.neutral.keepTerminal === true)]),
    ...elsewhere.before,
    ...(variant.neutral?.guise === undefined ? [] : [`_WORDS = ${pythonLiteral(variant.neutral.guise.words)}`]),
    ...(variant.neutral === undefined ? [] : [PYTHON_LOOKING, `_LOOKING = _Looking(${pythonLiteral(request.room)})`]),
  ];
  const directory = match.form === 'module' ? request.room : null;
  const settings = [request.reportPath, request.keyPath, directory, variant.shuffleSeed ?? null, request.pythonPath, match.args]
    .map(pythonLiteral)
    .join(', ');
  return {
    file: facts.python,
    args: [
      ...match.interpreterArgs,
      '-c',
      [BOOT, ...before, `main(${settings})`].join('\n'),
      '-p',
      'no:cacheprovider',
      '--color=no',
      ...rooted(options, request.room),
      '--maxfail=0',
      // With the text of a test around each failure, pytest reads the whole file again for every one of them.
      ...(variant.alone === true ? ['--tb=native'] : []),
      ...(variant.neutral === undefined ? [] : ['--capture=no']),
      ...(request.files ?? []),
    ],
    env: PYTHON_ENVIRONMENT,
    support: elsewhere.support,
    report: 'file',
  };
}

/** Whatever lies above the room is not looked at. */
function rooted(options: readonly string[], room: string): string[] {
  const given = (name: string): boolean => options.some((option) => option === name || option.startsWith(`${name}=`));
  return [...options, ...(given('--rootdir') ? [] : [`--rootdir=${room}`]), ...(given('--confcutdir') ? [] : [`--confcutdir=${room}`])];
}

/** Nothing that a process could look at says that pytest runs, but pytest's modules themselves. */
const HIDDEN = `import _pytest.runner
_pytest.runner._update_current_test_var = lambda item, when: None
_NEUTRAL = True`;

const BOOT = `${PYTHON_RECORDER}${pytestProgram}`;

const NO_TESTS_COLLECTED = 5;

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const { values, broken } = readLines(output.report);
  const last = values.at(-1);
  const complete = !broken && last !== undefined && typeof last['end'] === 'number' && last['lines'] === values.length - 1;
  const problems = complete ? [] : ['the report is not complete'];
  if (complete && last['end'] !== output.code)
    problems.push(`pytest ended with ${String(last['end'])}, its process with ${String(output.code)}`);
  const phases = new Map<string, Record<string, unknown>[]>();
  for (const value of values) {
    const id = text(value['id']);
    if (typeof value['when'] !== 'string') continue;
    const known = phases.get(id);
    if (known === undefined) phases.set(id, [value]);
    else known.push(value);
  }
  const raw = [...phases].map(([id, reports]) => toRaw(id, reports));
  if (complete && last['end'] === NO_TESTS_COLLECTED && raw.length > 0)
    problems.push('pytest says that it collected nothing, and reports tests');
  return { tests: toResults(raw, output.room), problems, ...replacedIn(last) };
}

function toRaw(id: string, reports: readonly Record<string, unknown>[]): RawResult {
  const [file = '', ...name] = id.split('::');
  const message = reports.map((report) => text(report['message'])).find((one) => one !== '');
  const duration = reports.reduce((sum, report) => sum + (typeof report['duration'] === 'number' ? report['duration'] * 1_000 : 0), 0);
  return { file, name: name.length === 0 ? [WHOLE_FILE] : name, status: statusOf(reports), duration, message };
}

/** A subtest is a part of its test: it can only take a pass away. */
function statusOf(reports: readonly Record<string, unknown>[]): TestStatus {
  if (reports.some((report) => report['when'] === 'deselected')) return 'skipped';
  if (reports.some((report) => report['when'] === 'collect')) return 'error';
  if (reports.some((report) => report['outcome'] === 'failed' && report['when'] !== 'call')) return 'error';
  if (reports.some((report) => report['outcome'] === 'failed')) return 'failed';
  if (reports.some((report) => report['xfail'] === true)) return 'xfail';
  if (reports.some((report) => report['outcome'] === 'rerun')) return 'retried';
  if (reports.some((report) => report['outcome'] === 'skipped')) return 'skipped';
  const calls = reports.filter((report) => report['when'] === 'call' && report['part'] !== true);
  return calls.length === 1 && reports.some((report) => report['when'] === 'teardown') ? 'passed' : 'error';
}
