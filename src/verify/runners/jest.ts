/** Jest, started from the dependencies that the harness installed; results through a reporter of our own that sees expected failures and retries. */
import jestReporter from '../../../assets/jest-reporter.cjs';
import jestAnyName from '../../../assets/runners/jest-any-name.cjs';
import jestShuffled from '../../../assets/runners/jest-shuffled.cjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import type { TestStatus } from '../../domain/verdict.ts';
import { noReport } from './no-report.ts';
import { sealSource } from './seal.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, withoutCoverage, withoutOptions, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { isRecord, parseObject, strings, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';
import { firstItem } from '../../domain/items.ts';

export const jestRunner: DeepRunner = {
  name: 'jest',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: null,
  summary: { passed: /^\s*Tests:\s+(?:\d+ \w+, )*[1-9]\d* passed/, failed: /^\s*Tests:\s+[1-9]\d* failed/ },
  leavings: [],
  files: {
    modules: [],
    settings: ['jest.config.*', 'jest.setup.*', 'jest-preset.*', 'babel.config.*', '.babelrc*', '__mocks__/**'],
    manifestKeys: ['jest'],
    packages: ['jest', 'babel'],
  },
  marks: {
    hidden: ['JEST_WORKER_ID'],
    variables: ['JEST_WORKER_ID'],
    globals: [String.raw`(?:globalThis|global)\.jest\b`, String.raw`typeof\s+jest\b`],
    modules: [String.raw`@?jest[\w/-]*`],
    words: ['jest'],
  },
  single: {
    language: 'javascript',
    command: 'npx jest',
    typed: 'jest',
    installedAs: 'jest',
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: true,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.test.js',
    variable: 'JEST_WORKER_ID',
    sabotage:
      "globalThis.expect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });",
    script: {
      alwaysModules: false,
      testAs: (name) => `const ${name} = globalThis.test;\n`,
      header: (take, model) => (model?.includes('@jest/globals') === true ? take('{ expect, test }', '@jest/globals') : ''),
      equal: (left, right) => `expect(${left}).toBe(${right});`,
      keepsEndings: false,
    },
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const at = words.findIndex((word, index) => /(^|\/)jest(\.js)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))));
  if (at < 0 || at > 4) return null;
  const dropped =
    /^--?(reporters|json|outputFile|watch|watchAll|w|u|updateSnapshot|bail|b|passWithNoTests|onlyChanged|o|ci|notify|testResultsProcessor|silent)\b/;
  const args = withoutOptions(withoutCoverage(words.slice(at + 1)), dropped, DROPPED_WITH_VALUE);
  return { interpreterArgs: words.slice(1, at), args };
}

const DROPPED_WITH_VALUE = wordSet('--reporters --outputFile --testResultsProcessor');

const WITH_VALUE = wordSet(
  '-c --config --rootDir --roots --projects --selectProjects --ignoreProjects -t --testNamePattern -w --maxWorkers --testTimeout --env',
  '--testEnvironment --testEnvironmentOptions --preset --runner --testRunner --resolver --transform --transformIgnorePatterns --globals',
  '--globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --moduleDirectories --moduleFileExtensions --moduleNameMapper --modulePaths',
  '--modulePathIgnorePatterns --testMatch --testRegex --testPathPattern --testPathPatterns --testPathIgnorePatterns --testSequencer',
  '--snapshotSerializers --maxConcurrency --workerIdleMemoryLimit --shard --seed --filter --changedSince --openHandlesTimeout',
);

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('jest');
  const reporter = join(request.supportDirectory, 'reporter.cjs');
  const options = request.files === null ? match.args : splitOptions(match.args, WITH_VALUE).options;
  const preloads = requiredPreloads(request);
  const jest = join(request.room, 'node_modules/jest');
  const seed = request.variant.shuffleSeed;
  const anyNamed = request.variant.neutral === undefined ? null : request.files;
  const start = seed !== undefined ? shuffled(jest, seed) : anyNamed === null ? null : takingAnyName(jest, anyNamed);
  const starter = start === null ? null : { path: join(request.supportDirectory, 'start.cjs'), content: start };
  const files = request.files === null ? [] : ['--runTestsByPath', ...request.files];
  return {
    file: facts.node,
    args: [
      ...match.interpreterArgs,
      starter?.path ?? join(jest, 'bin/jest.js'),
      ...options,
      ...(request.variant.forceExit === true ? ['--forceExit'] : []),
      '--coverage=false',
      '--ci',
      '--bail=0',
      '--watchman=false',
      `--cacheDirectory=${join(request.temporary, 'jest')}`,
      `--reporters=${reporter}`,
      ...files,
    ],
    env: { CI: '1', ...preloads.env },
    support: [
      {
        path: reporter,
        content: `${sealSource(request.keyPath, 'commonjs')}${fill(jestReporter, { report: JSON.stringify(request.reportPath) })}`,
      },
      ...(starter === null ? [] : [starter]),
      ...preloads.support,
    ],
    report: 'file',
  };
}

function shuffled(jest: string, seed: number): string {
  return fill(jestShuffled, {
    manifest: JSON.stringify(join(jest, 'package.json')),
    program: JSON.stringify(join(jest, 'bin/jest.js')),
    seed: String(seed),
  });
}

function takingAnyName(jest: string, files: readonly string[]): string {
  const pattern = `(^|/)(${files.map((file) => file.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|')})$`;
  return fill(jestAnyName, {
    program: JSON.stringify(join(jest, 'bin/jest.js')),
    patterns: JSON.stringify([`--testRegex=${pattern}`]),
    globs: JSON.stringify(files.map((file) => `--testMatch=**/${file}`)),
  });
}

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const report = parseObject(output.report);
  if (report === null || !Array.isArray(report['files'])) return { tests: [], problems: ['the report cannot be read'] };
  const raw: RawResult[] = [];
  for (const file of report['files'].filter(isRecord)) collect(file, raw);
  const tests = toResults(raw, output.room);
  const problems: string[] = [];
  if (report['interrupted'] === true) problems.push('the run was interrupted');
  if (text(report['runError']) !== '') problems.push(`error outside the tests: ${text(report['runError']).slice(0, 300)}`);
  const counted = raw.filter((one) => one.name[0] !== WHOLE_FILE).length;
  if (typeof report['total'] === 'number' && report['total'] !== counted)
    problems.push(`jest counted ${report['total']} tests, its results hold ${counted}`);
  return { tests, problems };
}

function collect(file: Record<string, unknown>, raw: RawResult[]): void {
  const path = text(file['file']);
  const error = text(file['error']) || text(file['failure']);
  if (error !== '') raw.push({ file: path, name: [WHOLE_FILE], status: 'error', message: error });
  const tests = Array.isArray(file['tests']) ? file['tests'].filter(isRecord) : [];
  for (const test of tests) {
    const duration = typeof test['duration'] === 'number' ? test['duration'] : undefined;
    raw.push({ file: path, name: strings(test['name']), status: statusOf(test), duration, message: text(test['message']) });
  }
}

function statusOf(test: Record<string, unknown>): TestStatus {
  if (test['status'] === 'failed') return 'failed';
  if (test['status'] === 'todo') return 'todo';
  if (test['status'] !== 'passed') return 'skipped';
  if (test['failing'] === true) return 'xfail';
  return typeof test['invocations'] === 'number' && test['invocations'] > 1 ? 'retried' : 'passed';
}
