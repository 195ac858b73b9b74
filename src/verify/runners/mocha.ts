/**
 * Mocha, started from the dependencies that the harness installed, through a few lines of our own: they read the key of the seal before any
 * code of the project is loaded, and take the project's options as mocha itself reads them.
 */
import showing from '../../../assets/parts/showing.mjs';
import mochaOptions from '../../../assets/runners/mocha-options.cjs';
import mochaStarter from '../../../assets/runners/mocha-starter.cjs';
import { join } from 'node:path';
import { asScript } from '../../domain/fill-program.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { parseProcessReport } from './process-report.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { sealSource } from './seal.ts';
import { firstItem } from '../../domain/items.ts';

export const mochaRunner: DeepRunner = {
  name: 'mocha',
  isReport: true,
  detect,
  plan,
  parse: (output) => parseProcessReport(output, 'mocha'),
  interpreter: null,
  summary: { passed: /^\s*[1-9]\d* passing\b/, failed: /^\s*[1-9]\d* failing\b/ },
  leavings: [],
  files: {
    modules: [],
    settings: ['.mocharc*', 'mocha.opts', 'test/mocha.opts'],
    manifestKeys: ['mocha'],
    packages: ['mocha', 'chai$', '^chai-'],
  },
  marks: {
    hidden: ['MOCHA_.*'],
    variables: [String.raw`MOCHA_\w+`],
    globals: [String.raw`(?:globalThis|global)\.(?:mocha|Mocha|it|describe|specify|context)\b`],
    modules: [String.raw`mocha[\w/-]*`, 'chai'],
    words: ['mocha'],
  },
  single: {
    language: 'javascript',
    command: 'npx mocha',
    typed: '_?mocha',
    installedAs: 'mocha',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: (match) => splitOptions(match.args, WITH_VALUE).positional,
    firstTest: 'test/first.js',
    variable: null,
    sabotage: "import Mocha from 'mocha';\nMocha.Runner.prototype.fail = function () {};",
    script: {
      alwaysModules: false,
      testAs: (name) => `const ${name} = globalThis.it ?? globalThis.test;\n`,
      header: (take) => `${take('assert', 'node:assert/strict')}const test = globalThis.it ?? globalThis.test;\n`,
      equal: (left, right) => `assert.equal(${left}, ${right});`,
      keepsEndings: true,
    },
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const at = words.findIndex(
    (word, index) => /(^|\/)_?mocha(\.[cm]?js)?$/.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))),
  );
  if (at < 0 || at > 6) return null;
  return { interpreterArgs: words.slice(1, at), args: words.slice(at + 1) };
}

const WITH_VALUE = wordSet(
  '-r --require -R --reporter -O --reporter-option --reporter-options -t --timeout -s --slow -u --ui -g --grep -f --fgrep',
  '-j --jobs --retries --config --package --file --ignore --exclude --extension --spec --import --loader --global --globals',
  '-n --node-option',
);

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('mocha');
  const starter = join(request.supportDirectory, 'starter.cjs');
  const preloads = requiredPreloads(request);
  const settings = {
    mocha: join(request.room, 'node_modules/mocha'),
    report: request.reportPath,
    files: request.files,
    reporter: starter,
    forceExit: request.variant.forceExit === true,
  };
  return {
    file: facts.node,
    args: [...match.interpreterArgs, starter, ...match.args],
    env: preloads.env,
    support: [
      ...preloads.support,
      {
        path: starter,
        content: `'use strict';\nconst settings = ${JSON.stringify(settings)};\n${mochaOptions}${sealSource(request.keyPath, 'commonjs')}${asScript(showing)}${mochaStarter}`,
      },
    ],
    report: 'file',
  };
}
