/**
 * Jasmine, started from the dependencies that the harness installed, through its own functions: they read the project's settings, and our reporter
 * has read the key of the seal before any code of the project is loaded. Which file a spec stands in is known by what was loaded when it appeared.
 */
import showing from '../../../assets/parts/showing.mjs';
import jasmineStarter from '../../../assets/runners/jasmine-starter.mjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
import { firstItem } from '../../domain/items.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, valuesOf, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { parseProcessReport } from './process-report.ts';
import { WHOLE_FILE } from './results.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { sealSource } from './seal.ts';

export const jasmineRunner: DeepRunner = {
  name: 'jasmine',
  isReport: true,
  detect,
  plan,
  parse: (output) => parseProcessReport(output, 'jasmine'),
  interpreter: null,
  summary: { passed: /^[1-9]\d* specs?, 0 failures\b/, failed: /^\d+ specs?, [1-9]\d* failures?\b/ },
  leavings: [],
  files: {
    modules: [],
    settings: ['spec/support/**', 'jasmine.json', 'jasmine.{js,mjs,cjs}'],
    manifestKeys: ['jasmine'],
    packages: ['^jasmine'],
  },
  marks: {
    hidden: ['JASMINE_.*'],
    variables: [String.raw`JASMINE_\w+`],
    globals: [String.raw`(?:globalThis|global)\.jasmine\b`, String.raw`typeof\s+jasmine\b`],
    modules: [String.raw`jasmine[\w/-]*`],
    words: ['jasmine'],
  },
  single: {
    language: 'javascript',
    command: 'npx jasmine',
    typed: 'jasmine',
    installedAs: 'jasmine',
    order: 'seeded',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: true,
    targets: (match) => positionalOf(match),
    firstTest: 'spec/first.spec.js',
    variable: null,
    sabotage: "globalThis.expect = () => new Proxy({}, { get: (_, name, all) => (name === 'not' ? all : () => {}) });",
    script: {
      alwaysModules: false,
      testAs: (name) => `const ${name} = globalThis.it;\n`,
      header: () => 'const test = globalThis.it;\ntest.skip = globalThis.xit;\n',
      equal: (left, right) => `expect(${left}).toBe(${right});`,
      keepsEndings: true,
    },
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const at = words.findIndex((word, index) => /(^|\/)jasmine(\.js)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))));
  const args = words.slice(at + 1);
  if (at < 0 || at > 6 || args.some((word) => NO_TESTS.has(word))) return null;
  return { interpreterArgs: words.slice(1, at), args };
}

const NO_TESTS = wordSet('init examples help version enumerate -h -v');

function positionalOf({ args }: RunnerMatch): string[] {
  return splitOptions(args, new Set()).positional.filter((word) => !ASSIGNED.test(word));
}

const ASSIGNED = /^[A-Za-z_]\w*=/;

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('jasmine');
  const starter = join(request.supportDirectory, 'starter.mjs');
  const preloads = requiredPreloads(request);
  const one = (name: string): string | null => valuesOf(match.args, [name]).at(-1) ?? null;
  const named = positionalOf(match);
  const settings = {
    room: request.room,
    report: request.reportPath,
    files: request.files,
    named: named.length > 0 ? named : null,
    config: one('--config'),
    filter: one('--filter'),
    helpers: valuesOf(match.args, ['--helper']),
    requires: valuesOf(match.args, ['--require']),
    random: request.variant.shuffleSeed === undefined ? one('--random') : 'true',
    seed: String(request.variant.shuffleSeed ?? one('--seed') ?? STEADY),
  };
  return {
    file: facts.node,
    args: [...match.interpreterArgs, starter],
    env: { ...assigned(match), ...preloads.env },
    support: [
      ...preloads.support,
      {
        path: starter,
        content: `${sealSource(request.keyPath, 'module')}${showing}const settings = ${JSON.stringify(settings)};\n${fill(jasmineStarter, { whole_file: JSON.stringify(WHOLE_FILE) })}`,
      },
    ],
    report: 'file',
  };
}

/** Its usual order is another one each time. */
const STEADY = '4321';

function assigned({ args }: RunnerMatch): Record<string, string> {
  return Object.fromEntries(
    args.filter((word) => ASSIGNED.test(word)).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
}
