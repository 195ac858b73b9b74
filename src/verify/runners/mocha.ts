/**
 * Mocha, started from the dependencies that the harness installed, through a few lines of our own: they read the key of the seal before any
 * code of the project is loaded, and take the project's options as mocha itself reads them.
 */
import { join } from 'node:path';
import { notInstalled } from './not-installed.ts';
import { splitOptions, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { parseProcessReport, SHOWING } from './process-report.ts';
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
      { path: starter, content: `${REPORTING}const settings = ${JSON.stringify(settings)};\n${keyed(request.keyPath)}${STARTER}` },
    ],
    report: 'file',
  };
}

/** Options that node has to be given come first: then the same module starts itself once more, and the first process never reads the key. */
const REPORTING = `'use strict';
const { writeFileSync } = require('node:fs');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const part = (path) => ['.js', '.cjs'].map((ending) => join(settings.mocha, 'lib', path + ending)).find((one) => existsSync(one));
`;

function keyed(keyPath: string): string {
  return `if (part('cli/options') === undefined) throw new Error('this version of mocha is too old to be read test by test; version 6 is the first that can be');
const { loadOptions } = require(part('cli/options'));
const { isNodeFlag } = require(part('cli/node-flags'));
const options = loadOptions(process.argv.slice(2));
const listed = [options['node-option'] ?? []].flat().map((one) => '--' + one);
const flags = Object.keys(options).filter((name) => isNodeFlag(name)).flatMap((name) => [options[name]].flat().map((value) => value === true ? '--' + name : '--' + name + '=' + value));
if (process.env.HARNESS_MOCHA_FLAGS === undefined && listed.length + flags.length > 0) {
  const { spawnSync } = require('node:child_process');
  const again = spawnSync(process.execPath, [...process.execArgv, ...listed, ...flags, __filename, ...process.argv.slice(2)], { stdio: 'inherit', env: { ...process.env, HARNESS_MOCHA_FLAGS: '1' } });
  process.exit(again.status ?? 1);
}
delete process.env.HARNESS_MOCHA_FLAGS;
${sealSource(keyPath, 'commonjs')}`;
}

const STARTER = `for (const name of ['node-option', ...Object.keys(options).filter((one) => isNodeFlag(one))]) delete options[name];
for (const name of ['reporter', 'R', 'reporter-option', 'reporterOption', 'reporter-options', 'reporterOptions', 'O', 'bail', 'b', 'watch', 'w', 'dry-run', 'dryRun', 'parallel', 'p', 'config', 'package', 'fail-zero', 'failZero', 'pass-on-failing-test-suite', 'passOnFailingTestSuite', 'allow-uncaught', 'allowUncaught']) delete options[name];
Object.assign(options, { reporter: settings.reporter, color: false, diff: false, config: false, package: false, opts: false });
if (settings.forceExit) options.exit = true;
if (settings.files !== null) { options._ = [...settings.files]; delete options.spec; delete options.file; }
const { inspect } = require('node:util');
${SHOWING}const fileOf = (one) => { for (let at = one; at; at = at.parent) if (at.file) return at.file; return ''; };
const namesOf = (one) => { const names = []; for (let at = one; at && !at.root; at = at.parent) names.unshift(String(at.title)); return names; };
const results = new Map();
const note = (test, status, error) => {
  const known = results.get(test) ?? { file: fileOf(test), name: namesOf(test), status, hook: test.type === 'hook' || undefined, duration: test.duration, retries: test.type === 'hook' ? 0 : test.currentRetry?.() ?? 0, message: undefined };
  if (status === 'failed') { known.status = 'failed'; known.message = messages(error); }
  results.set(test, known);
};
module.exports = class Reporter {
  constructor(runner) {
    runner.on('pass', (test) => note(test, 'passed'));
    runner.on('fail', (test, error) => note(test, 'failed', error));
    runner.on('pending', (test) => note(test, 'skipped'));
    runner.once('end', () => {
      const text = stringify({ tests: [...results.values()], failures: runner.failures, total: runner.total }) + '\\n';
      writeFileSync(settings.report, text + seal(text));
    });
  }
};
// A file that cannot be loaded fails alone.
const failing = (error) => {
  const define = globalThis.it ?? globalThis.test;
  if (typeof define !== 'function') throw error;
  define('(file)', () => { throw error; });
  return {};
};
const guarded = (load) => async (...given) => {
  try {
    return await load(...given);
  } catch (error) {
    return failing(error);
  }
};
const newer = part('nodejs/esm-utils');
const older = part('esm-utils');
const loader = newer ?? older ? require(newer ?? older) : {};
if (loader.requireOrImport) loader.requireOrImport = guarded(loader.requireOrImport);
else {
  // Before mocha 8 nothing can be put around the loading of one file.
  const take = guarded(async (file) => file.endsWith('.mjs') ? import(require('node:url').pathToFileURL(file).href) : require(file));
  loader.loadFilesAsync = async (files, before, after) => {
    for (const file of files) {
      before(file);
      after(file, await take(file));
    }
  };
  require(part('mocha')).prototype.loadFiles = function (done) {
    for (const file of this.files.map((one) => require('node:path').resolve(one))) {
      this.suite.emit('pre-require', globalThis, file, this);
      let result;
      try { result = require(file); } catch (error) { result = failing(error); }
      this.suite.emit('require', result, file, this);
      this.suite.emit('post-require', globalThis, file, this);
    }
    done?.();
  };
}
// Up to mocha 8 options cannot be handed over.
if (!newer) require(part('cli/options')).loadOptions = () => options;
process.argv.length = 2;
import(require('node:url').pathToFileURL(part('cli/cli')).href).then(({ main, default: whole }) => (main ?? whole.main)([], options));
`;
