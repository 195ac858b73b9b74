/**
 * Node's own test runner.
 *
 * 1. A file that ends early with status 0 is shown by node as one passed test named like the file. It is no test: it becomes an error.
 * 2. The reporter's last line carries the count of lines before it; without it the report is not complete.
 * 3. A single file whose results are only compared with those of runs like it is started by itself: what node's runner would say about the
 *    file as a whole is then said here.
 */
import nodeTestEnding from '../../../assets/node-test-ending.mjs';
import nodeTestReporter from '../../../assets/node-test-reporter.mjs';
import aloneEnding from '../../../assets/runners/node-test-alone-ending.mjs';
import nodeTestLooks from '../../../assets/runners/node-test-looks.mjs';
import { isAbsolute, join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import type { TestStatus } from '../../domain/verdict.ts';
import { noReport } from './no-report.ts';
import { sealSource } from './seal.ts';
import { elsewhereForNode } from './elsewhere.ts';
import { directPreload } from './neutral.ts';
import { detectNodeTest, nodeCommandFor, nodeTargets, splitNodeArguments } from './node-test-command.ts';
import { lookingSource } from './looking.ts';
import { plainProgram } from './plain-program.ts';
import { isRecord, readLines, relativeFile, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';
import { firstItem } from '../../domain/items.ts';
import { groupOf } from '../../domain/text-parts.ts';

export const nodeTestRunner: DeepRunner = {
  name: 'node:test',
  isReport: false,
  detect: (words, _packages, nodeTests) =>
    detectNodeTest(words) ?? (words.some((word) => nodeTests?.has(word) === true) ? plainProgram(words) : null),
  plan,
  parse,
  interpreter: null,
  summary: { passed: /^\s*(?:#|ℹ) pass [1-9]\d*\s*$/u, failed: /^\s*(?:#|ℹ) fail [1-9]\d*\s*$/u },
  leavings: [],
  files: { modules: [], settings: ['node.config.json'], manifestKeys: [], packages: [] },
  marks: {
    hidden: ['NODE_TEST_CONTEXT', 'NODE_TEST_WORKER_ID'],
    variables: ['NODE_TEST_CONTEXT'],
    globals: [],
    modules: ['node:test'],
    words: [],
  },
  single: {
    language: 'javascript',
    command: 'node --test',
    commandFor: nodeCommandFor,
    typed: String.raw`node\s+--test`,
    installedAs: null,
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: true,
    hasQuietRuns: false,
    targets: (match) => splitNodeArguments(match.args).positional,
    firstTest: 'test/first.test.js',
    variable: 'NODE_TEST_CONTEXT',
    sabotage:
      "import assert from 'node:assert/strict';\nfor (const name of ['equal', 'strictEqual', 'deepEqual', 'ok']) assert[name] = () => {};",
    script: {
      alwaysModules: false,
      testAs: (name, isModule) =>
        isModule ? `import { test as ${name} } from 'node:test';\n` : `const { test: ${name} } = require('node:test');\n`,
      header: (take) => take('assert', 'node:assert/strict') + take('{ test }', 'node:test'),
      equal: (left, right) => `assert.equal(${left}, ${right});`,
      keepsEndings: true,
    },
  },
};

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan {
  const { options, positional } = splitNodeArguments(match.args);
  const { variant } = request;
  const reporter = join(request.supportDirectory, 'reporter.mjs');
  const targets = request.files ?? nodeTargets(positional, facts.paths);
  const isNeutral = variant.neutral !== undefined;
  const isSingle = request.files?.length === 1 && !options.some((one) => ISOLATION.test(one));
  const isAlone = !isNeutral && variant.alone === true && isSingle && canBeAlone();
  const before = isNeutral ? `${directPreload(request)}${lookingSource(request)}${nodeTestLooks}` : isAlone ? ALONE : '';
  const support = [{ path: reporter, content: `${sealSource(request.keyPath, 'module')}${before}${nodeTestReporter}` }];
  const preloads: string[] = isNeutral || isAlone ? [`--import=${reporter}`] : [];
  const preload = (name: string, content: string): void => {
    const path = join(request.supportDirectory, name);
    support.push({ path, content });
    preloads.push(`--import=${path}`);
  };
  if (variant.forceExit === true)
    preload('ending.mjs', isAlone ? fill(aloneEnding, { report: JSON.stringify(request.reportPath) }) : nodeTestEnding);
  const elsewhere = elsewhereForNode(request);
  support.push(...elsewhere.support);
  preloads.push(...elsewhere.preload.map((path) => `--require=${path}`));
  return {
    file: facts.node,
    args: [
      ...(isNeutral || isAlone ? [] : ['--test']),
      ...preloads,
      ...match.interpreterArgs,
      ...options,
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${request.reportPath}`,
      ...targets,
    ],
    env: {},
    support,
    report: 'file',
    ...(isAlone ? { isAlone } : {}),
  };
}

const ISOLATION = /^--(?:experimental-)?test-isolation(?:=|$)/;

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null && output.isAlone !== true) return noReport(output);
  const { values, broken } = readLines(output.report ?? '');
  const last = values.at(-1);
  const complete = !broken && last?.['event'] === 'end' && last['lines'] === values.length - 1;
  const isTold = output.isAlone === true && output.code !== null;
  const problems = complete || isTold ? [] : ['the report is not complete'];
  const raw: RawResult[] = [];
  const stacks = new Map<string, string[]>();
  const errors = new Map<string, string>();
  for (const value of values) {
    const file = text(value['file']);
    const nesting = typeof value['nesting'] === 'number' ? value['nesting'] : 0;
    const stack = stacks.get(file) ?? [];
    stacks.set(file, stack);
    if (value['event'] === 'test:stderr') errors.set(file, `${errors.get(file) ?? ''}${text(value['message'])}`.slice(-8_000));
    if (value['event'] === 'test:start') stack.splice(nesting, stack.length, text(value['name']));
    if (value['event'] !== 'test:pass' && value['event'] !== 'test:fail') continue;
    const one = toRaw(value, [...stack.slice(0, nesting), text(value['name'])], output.room, errors.get(file) ?? '');
    if (one !== null) raw.push(one);
  }
  const all = output.isAlone === true ? withWholeFile(output, raw, complete) : raw;
  return { tests: toResults(all, output.room), problems: [...problems, ...countProblems(values, all)] };
}

function toRaw(value: Record<string, unknown>, name: string[], room: string, stderr: string): RawResult | null {
  const file = text(value['file']);
  const passed = value['event'] === 'test:pass';
  const message = text(value['message']);
  if (name.length === 1 && isFileName(firstItem(name), file, room)) {
    const why = passed ? 'the file ended without reporting a test' : `${message}\n${stderr}`;
    return { file, name: [WHOLE_FILE], status: 'error', message: why };
  }
  const duration = typeof value['duration'] === 'number' ? value['duration'] : undefined;
  if (value['kind'] === 'suite') {
    if (passed || value['failure'] === 'subtestsFailed') return null;
    return { file, name, status: 'error', duration, message };
  }
  return { file, name, status: statusOf(value, passed), duration, message };
}

function statusOf(value: Record<string, unknown>, passed: boolean): TestStatus {
  if (isSet(value['skip'])) return 'skipped';
  if (isSet(value['todo'])) return 'todo';
  return passed ? 'passed' : 'failed';
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

function isFileName(name: string, file: string, room: string): boolean {
  if (file === '') return isAbsolute(name);
  return name === file || relativeFile(name, room) === relativeFile(file, room);
}

/** Node's own totals must say what the events say. */
function countProblems(values: readonly Record<string, unknown>[], raw: readonly RawResult[]): string[] {
  const told = new Map<string, number>();
  for (const value of values) {
    if (!isRecord(value) || value['event'] !== 'test:diagnostic' || text(value['file']) !== '') continue;
    const match = /^(tests|pass|fail|cancelled|skipped|todo) (\d+)$/.exec(text(value['message']));
    if (match !== null) told.set(groupOf(match, 1), Number(match[2]));
  }
  const failed = (told.get('fail') ?? 0) + (told.get('cancelled') ?? 0);
  const seen = raw.filter(
    (one) => one.status === 'failed' || (one.status === 'error' && one.message !== 'the file ended without reporting a test'),
  ).length;
  return failed > 0 && seen === 0 ? [`node counted ${failed} failed tests that the report does not show`] : [];
}

/**
 * One file of node's own tests in a process of its own, without the runner that would only start that process and pass on what it says.
 *
 * 1. The file's process looks like one that the runner started: the variable is set, and the options of the report are not among its own.
 * 2. The reporter and its key are in place before any code of the project is loaded.
 * 3. What the runner would say about the file as a whole is made from how its process ended: a file that ended early, told of no test, or failed
 *    without a test that failed is an error, whatever its status.
 * 4. Versions of node that nobody has compared keep their runner.
 */
const LAST_KNOWN_NODE = 22;

/** In this version of node a file says by itself what it says under the runner. */
export function canBeAlone(version = process.versions.node): boolean {
  return Number.parseInt(version) <= LAST_KNOWN_NODE;
}

/**
 * In the reporter, loaded first: node reads its options, and only then does the process say whose child it is. Node 20 reads them as its tests are
 * loaded, later versions with the first thing that is asked of them.
 */
const ALONE = `import { after as afterAll } from 'node:test';
if (Number.parseInt(process.versions.node) > 20) afterAll(() => {});
process.env.NODE_TEST_CONTEXT = 'child-v8';
process.execArgv = process.execArgv.filter((word) => !word.startsWith('--test-reporter'));
`;

/** The tests and what became of the file. Of a report that was not brought to its end, what passed is not believed. */
function withWholeFile({ files, code, stderr }: RunnerOutput, told: readonly RawResult[], complete: boolean): RawResult[] {
  const tests = complete ? [...told] : told.filter((one) => one.status !== 'passed');
  const failed = tests.some((one) => one.status === 'failed' || one.status === 'error');
  if (code === null || (complete && (code === 0 ? tests.length > 0 : failed))) return tests;
  const message = code === 0 ? 'the file ended without reporting a test' : `test failed\n${stderr.slice(-8_000)}`;
  return [...tests, { file: files?.[0] ?? '', name: [WHOLE_FILE], status: 'error', message }];
}
