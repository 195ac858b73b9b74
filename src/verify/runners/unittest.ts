/**
 * Python's own unittest, started through a few lines of our own.
 *
 * 1. It is imported before the project's directory is on the path, so that no file of the project can stand in for it.
 * 2. The recorder hears of each test once it is over: what failed in it, in a part of it or in what cleans up after it takes its pass away.
 * 3. Files are loaded under the names that discovery would give them.
 * 4. The last line carries how the run ended; without it the report is not complete.
 */
import unittestProgram from '../../../assets/runners/unittest.py';
import type { TestStatus } from '../../domain/verdict.ts';
import { PYTHON_LOOKING, replacedIn } from './looking-python.ts';
import { elsewhereForPython } from './elsewhere.ts';
import { noReport } from './no-report.ts';
import { ordinaryPython } from './ordinary.ts';
import { PYTHON_ENVIRONMENT, PYTHON_RECORDER, pythonLiteral } from './python-boot.ts';
import { readLines, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';

export const unittestRunner: DeepRunner = {
  name: 'unittest',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: 'python',
  pythonModule: 'unittest',
  summary: null,
  leavings: [],
  files: { modules: ['unittest/**', 'unittest.py'], settings: [], manifestKeys: [], packages: [] },
  marks: { hidden: [], variables: [], globals: [], modules: [], words: ['unittest'] },
  single: {
    language: 'python',
    command: 'python3 -m unittest',
    typed: String.raw`unittest`,
    installedAs: null,
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: true,
    targets: null,
    firstTest: 'tests/test_first.py',
    variable: null,
    sabotage: 'import unittest\n\nunittest.TestCase._callTestMethod = lambda self, method: None',
    script: null,
    pythonTests: 'methods',
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  if (!/(^|\/)python[0-9.]*$/.test(words[0] ?? '')) return null;
  const at = words.indexOf('-m');
  if (at < 0 || words[at + 1] !== 'unittest') return null;
  const args = words
    .slice(at + 2)
    .filter((word) => !/^(?:-v|-q|-f|-b|-c|--verbose|--quiet|--failfast|--buffer|--catch|--locals)$/.test(word));
  return { interpreterArgs: words.slice(1, at), args };
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.python === null) return { missing: 'no Python was found on the PATH' };
  const { variant } = request;
  const elsewhere = elsewhereForPython(request);
  const before = [
    ...(variant.neutral === undefined ? [] : [ordinaryPython(request.room, variant.neutral.keepTerminal === true)]),
    ...elsewhere.before,
    ...(variant.neutral?.guise === undefined ? [] : [`_WORDS = ${pythonLiteral(variant.neutral.guise.words)}`]),
    ...(variant.neutral === undefined ? [] : [PYTHON_LOOKING, `_LOOKING = _Looking(${pythonLiteral(request.room)})`]),
  ];
  const settings = [request.reportPath, request.keyPath, request.room, variant.shuffleSeed, request.pythonPath, match.args, request.files];
  return {
    file: facts.python,
    args: [...match.interpreterArgs, '-c', [BOOT, ...before, `main(${settings.map(pythonLiteral).join(', ')})`].join('\n')],
    env: PYTHON_ENVIRONMENT,
    support: elsewhere.support,
    report: 'file',
  };
}

const BOOT = `${PYTHON_RECORDER}${unittestProgram}`;

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const { values, broken } = readLines(output.report);
  const last = values.at(-1);
  const complete = !broken && last !== undefined && typeof last['end'] === 'number' && last['lines'] === values.length - 1;
  const problems = complete ? [] : ['the report is not complete'];
  if (complete && last['end'] !== output.code)
    problems.push(`unittest ended with ${String(last['end'])}, its process with ${String(output.code)}`);
  const raw = values.filter((value) => Array.isArray(value['events'])).map((value) => toRaw(value));
  return { tests: toResults(raw, output.room), problems, ...replacedIn(last) };
}

function toRaw(value: Record<string, unknown>): RawResult {
  const events = (value['events'] as unknown[]).filter((one): one is unknown[] => Array.isArray(one));
  const kinds = events.map(([kind]) => text(kind));
  const message = events.map((one) => text(one[1])).find((one) => one !== '');
  const duration = typeof value['duration'] === 'number' ? value['duration'] * 1_000 : 0;
  const name = Array.isArray(value['name']) ? value['name'].map(text) : [WHOLE_FILE];
  const file = text(value['file']) || `${text(value['module']).replaceAll('.', '/')}.py`;
  return { file, name, status: name[0] === WHOLE_FILE ? 'error' : statusOf(kinds), duration, message };
}

/** Passed is what said so and nothing else. */
function statusOf(kinds: readonly string[]): TestStatus {
  for (const status of ['error', 'failed', 'xfail', 'skipped'] as const) if (kinds.includes(status)) return status;
  return kinds.length === 1 && kinds[0] === 'passed' ? 'passed' : 'error';
}
