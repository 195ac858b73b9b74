/** Vitest, started from the dependencies that the harness installed; results through a reporter of our own that sees expected failures and retries. */
import vitestAnyName from '../../../assets/runners/vitest-any-name.mjs';
import vitestReporter from '../../../assets/vitest-reporter.mjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import type { TestStatus } from '../../domain/verdict.ts';
import { noReport } from './no-report.ts';
import { sealSource } from './seal.ts';
import { firstItem } from '../../domain/items.ts';
import { beforeFirst } from '../../domain/text-parts.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, withoutCoverage, withoutOptions, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { isRecord, parseObject, strings, text, toResults, WHOLE_FILE, type RawResult } from './results.ts';
import type { DeepRunner, NoPlan, ParsedRun, PlanRequest, RunnerFacts, RunnerMatch, RunnerOutput, RunPlan } from './runner.ts';

export const vitestRunner: DeepRunner = {
  name: 'vitest',
  isReport: true,
  detect,
  plan,
  parse,
  interpreter: null,
  summary: { passed: /^\s*Tests\s+(?:\d+ \w+ \| )*[1-9]\d* passed/, failed: /^\s*Tests\s+[1-9]\d* failed/ },
  leavings: [],
  files: {
    modules: [],
    settings: ['vitest.config.*', 'vitest.workspace.*', 'vitest.setup.*', 'vite.config.*'],
    manifestKeys: ['vitest'],
    packages: ['vitest', 'vite$'],
  },
  marks: {
    hidden: ['VITEST', 'VITEST_.*', 'TEST', 'MODE', 'PROD', 'DEV', 'SSR', 'BASE_URL'],
    variables: [String.raw`VITEST(?:_\w+)?`],
    globals: [String.raw`__vitest_\w+__`, String.raw`import\.meta\.vitest`, String.raw`globalThis\.vi\b`, String.raw`typeof\s+vi\b`],
    modules: ['vitest', String.raw`@vitest\/[\w-]+`],
    words: ['vitest'],
  },
  single: {
    language: 'javascript',
    command: 'npx vitest run',
    typed: 'vitest',
    installedAs: 'vitest',
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: true,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.test.js',
    variable: 'VITEST',
    sabotage:
      "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }), toEqual: () => ({ pass: true, message: () => '' }) });",
    script: {
      alwaysModules: true,
      testAs: (name) => `import { test as ${name} } from 'vitest';\n`,
      header: (take) => take('{ expect, test }', 'vitest'),
      equal: (left, right) => `expect(${left}).toBe(${right});`,
      keepsEndings: false,
    },
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const at = words.findIndex((word, index) => /(^|\/)vitest(\.mjs)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))));
  if (at < 0 || at > 4) return null;
  const dropped = /^--?(reporter|outputFile|watch|w|ui|run|no-watch|update|u|passWithNoTests|bail)\b/;
  const args = withoutOptions(withoutCoverage(words.slice(at + 1)), dropped, DROPPED_WITH_VALUE);
  return {
    interpreterArgs: words.slice(1, at),
    args: args[0] === 'run' || args[0] === 'watch' || args[0] === 'dev' ? args.slice(1) : args,
  };
}

const DROPPED_WITH_VALUE = wordSet('--reporter --outputFile --bail');

const WITH_VALUE = wordSet(
  '-c --config -r --root --dir --project -t --testNamePattern --environment --pool --mode --workspace --exclude --shard --retry --maxConcurrency',
  '--maxWorkers --minWorkers --testTimeout --hookTimeout --teardownTimeout --slowTestThreshold --diff --execArgv --tsconfig',
);

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('vitest');
  // Below this name vitest leaves a module to node. Else vite loads it, and some versions of vite load nothing that lies outside of the project.
  const reporter = join(request.supportDirectory, 'node_modules', 'reporter.mjs');
  const options = request.files === null ? match.args : splitOptions(match.args, WITH_VALUE).options;
  const preloads = requiredPreloads(request);
  const shuffle = request.variant.shuffleSeed === undefined ? [] : ['--sequence.shuffle', `--sequence.seed=${request.variant.shuffleSeed}`];
  const anyName = request.variant.neutral === undefined || request.files === null ? null : join(request.supportDirectory, 'any-name.mjs');
  return {
    file: facts.node,
    args: [
      ...match.interpreterArgs,
      anyName ?? join(request.room, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...options,
      ...shuffle,
      `--reporter=${reporter}`,
      // Before version 1, `=false` is the word "false", which counts as yes.
      '--no-coverage.enabled',
      '--no-allowOnly',
      '--bail=0',
      '--no-passWithNoTests',
      ...(request.files ?? []),
    ],
    env: { CI: '1', ...preloads.env },
    support: [
      {
        path: reporter,
        content: `${sealSource(request.keyPath, 'module')}${fill(vitestReporter, { report: JSON.stringify(request.reportPath) })}`,
      },
      ...(anyName === null ? [] : [{ path: anyName, content: anyNameSource(request) }]),
      ...preloads.support,
    ],
    report: 'file',
  };
}

function anyNameSource({ room, files }: PlanRequest): string {
  return fill(vitestAnyName, { manifest: JSON.stringify(join(room, 'package.json')), files: JSON.stringify(files) });
}

function parse(output: RunnerOutput): ParsedRun {
  if (output.report === null) return noReport(output);
  const report = parseObject(output.report);
  if (report === null || !Array.isArray(report['files'])) return { tests: [], problems: ['the report cannot be read'] };
  const raw: RawResult[] = [];
  const files = report['files']
    .filter(isRecord)
    .toSorted((a, b) => (projectOf(a) < projectOf(b) ? -1 : projectOf(a) > projectOf(b) ? 1 : 0));
  for (const file of files) walk(file, text(file['file']), [], raw);
  return {
    tests: toResults(raw, output.room),
    problems: strings(report['errors']).map((error) => `error outside the tests: ${beforeFirst(error.trim(), '\n').slice(0, 300)}`),
  };
}

/** A file that several projects run is told once for each, always in the same order. */
function projectOf(file: Record<string, unknown>): string {
  return text(file['project']);
}

function walk(task: Record<string, unknown>, file: string, name: readonly string[], raw: RawResult[]): void {
  const children = Array.isArray(task['tasks']) ? task['tasks'].filter(isRecord) : [];
  if (task['type'] === 'test') {
    raw.push({
      file,
      name,
      status: statusOf(task),
      duration: typeof task['duration'] === 'number' ? task['duration'] : undefined,
      message: text(task['message']),
    });
    return;
  }
  const ownFailure = task['state'] === 'fail' && (text(task['message']) !== '' || children.length === 0);
  if (ownFailure) raw.push({ file, name: name.length === 0 ? [WHOLE_FILE] : name, status: 'error', message: text(task['message']) });
  for (const child of children) walk(child, file, [...name, text(child['name'])], raw);
}

function statusOf(task: Record<string, unknown>): TestStatus {
  if (task['mode'] === 'todo') return 'todo';
  if (task['mode'] === 'skip' || task['state'] === 'skip') return 'skipped';
  if (task['state'] === 'fail') return 'failed';
  if (task['state'] !== 'pass') return 'skipped';
  if (task['fails'] === true) return 'xfail';
  return typeof task['retries'] === 'number' && task['retries'] > 0 ? 'retried' : 'passed';
}
