/**
 * Ava, started from the dependencies that the harness installed, by its own command. What its processes tell is heard where ava itself counts it, in a
 * process that runs no code of the project but its settings; each file runs in a process of its own, whatever the settings say about threads.
 */
import avaEnding from '../../../assets/ava-ending.cjs';
import { join } from 'node:path';
import { firstItem } from '../../domain/items.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions, wordSet } from './options.ts';
import { requiredPreloads } from './preloads.ts';
import { parseProcessReport } from './process-report.ts';
import { WHOLE_FILE } from './results.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { sealSource } from './seal.ts';

export const avaRunner: DeepRunner = {
  name: 'ava',
  isReport: true,
  detect,
  plan,
  parse: (output) => parseProcessReport(output, 'ava'),
  interpreter: null,
  summary: { passed: /^\s*[1-9]\d* tests? passed\b/, failed: /^\s*[1-9]\d* (?:tests?|hooks?) failed\b/ },
  leavings: [],
  files: { modules: [], settings: ['ava.config.*'], manifestKeys: ['ava'], packages: ['^ava$', '^@ava/'] },
  marks: { hidden: ['AVA_.*'], variables: [String.raw`AVA_\w+`], globals: [], modules: ['ava', String.raw`ava\/[\w/-]+`], words: ['ava'] },
  single: {
    language: 'javascript',
    command: 'npx ava',
    typed: 'ava',
    installedAs: 'ava',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: true,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.js',
    variable: null,
    sabotage: `const { send } = process;
process.send = (message, ...rest) => send.call(process, message?.ava?.type === 'test-failed' ? { ava: { ...message.ava, type: 'test-passed' } } : message, ...rest);`,
    script: {
      isImported: true,
      alwaysModules: false,
      testAs: (name, isModule) => (isModule ? `import ${name} from 'ava';\n` : `const ${name} = require('ava');\n`),
      header: (take) => take('test', 'ava'),
      equal: (left, right) => `t.is(${left}, ${right});`,
      keepsEndings: true,
      parameter: 't',
      passing: 't.pass();',
    },
  },
};

function detect(words: readonly string[]): RunnerMatch | null {
  const at = words.findIndex((word, index) => PROGRAM.test(word) && (index === 0 || /(^|\/)node$/.test(firstItem(words))));
  if (at < 0 || at > 6 || /^(?:debug|reset-cache|--help|--version)$/.test(words[at + 1] ?? '')) return null;
  return { interpreterArgs: words.slice(1, at), args: words.slice(at + 1).filter((word) => !DROPPED.test(word)) };
}

const PROGRAM = /(^|\/)ava(\/entrypoints\/cli\.mjs|\/cli\.js)?$/;
const DROPPED = /^(?:-w|--watch|-t|--tap|-v|--verbose|--fail-fast|-u|--update-snapshots|--(?:no-)?colou?r|--no-worker-threads)$/;
const WITH_VALUE = wordSet('-m --match -c --concurrency -T --timeout --config --node-arguments');

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('ava');
  const starter = join(request.supportDirectory, 'starter.mjs');
  const preloads = requiredPreloads(request);
  const ending = join(request.supportDirectory, 'ending.cjs');
  const endings = request.variant.forceExit === true ? [{ path: ending, content: avaEnding }] : [];
  const options = [preloads.env['NODE_OPTIONS'], ...endings.map(({ path }) => `--require=${JSON.stringify(path)}`)]
    .filter(Boolean)
    .join(' ');
  const settings = {
    room: request.room,
    report: request.reportPath,
    files: request.files,
    args: request.files === null ? match.args : splitOptions(match.args, WITH_VALUE).options,
  };
  return {
    file: facts.node,
    args: [...match.interpreterArgs, starter],
    env: { CI: '1', ...(options === '' ? {} : { NODE_OPTIONS: options }) },
    support: [
      ...preloads.support,
      ...endings,
      { path: starter, content: `${sealSource(request.keyPath, 'module')}const settings = ${JSON.stringify(settings)};\n${STARTER}` },
    ],
    report: 'file',
  };
}

/** One test has one result: where a second is told, the worse counts. What was chosen and never told has not ended. */
const STARTER = `import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
const home = realpathSync(join(settings.room, 'node_modules/ava'));
const part = (path) => pathToFileURL(join(home, path)).href;
// Version 3 wants to know its colours before anything of it is loaded, and its command would tell it a second time.
const { bin, version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
if (version.startsWith('3.') && existsSync(join(home, 'lib/chalk.js'))) {
  const colours = createRequire(import.meta.url)(join(home, 'lib/chalk.js'));
  if (colours.set !== undefined) {
    colours.set({ level: 0 });
    colours.set = () => colours.get();
  }
}
const { default: Api } = await import(part(existsSync(join(home, 'lib/api.js')) ? 'lib/api.js' : 'api.js'));
const rows = new Map();
const problems = [];
const messages = (error) => { try { return [(error.avaAssertionError || error.assertion ? 'AssertionError: ' : '') + String(error.message ?? ''), ...(error.formattedDetails ?? error.values ?? []).map((one) => [one.label, one.formatted].filter(Boolean).join('\\n')), String(error.stack ?? error.formattedError ?? '')].filter(Boolean).join('\\n').slice(0, 8000); } catch { return 'an error that cannot be shown'; } };
const row = (event, name) => {
  const key = event.testFile + '\\0' + name;
  if (!rows.has(key)) rows.set(key, { file: event.testFile, name: [name], status: 'skipped' });
  return rows.get(key);
};
const fail = (one, message) => { one.status = 'failed'; one.message ??= message; one.told = true; };
const broken = (event, message) => event.testFile ? fail(row(event, ${JSON.stringify(WHOLE_FILE)}), message) : problems.push(message);
const hear = (event) => {
  if (event.type === 'declared-test') row(event, event.title);
  else if (event.type === 'selected-test') row(event, event.title).status = event.skip ? 'skipped' : event.todo ? 'todo' : 'begun';
  else if (event.type === 'test-passed') {
    const one = row(event, event.title);
    if (one.told) fail(one, 'the test told more than one result');
    else Object.assign(one, { status: event.knownFailing ? 'xfail' : 'passed', duration: event.duration, told: true });
  } else if (event.type === 'test-failed') fail(row(event, event.title), messages(event.err ?? {}));
  else if (event.type === 'hook-failed') { const one = row(event, event.title); one.hook = true; fail(one, messages(event.err ?? {})); }
  else if (event.type === 'missing-ava-import') broken(event, 'the file ended without reporting a test');
  else if (event.type === 'process-exit') broken(event, 'the file left its process: ' + String(event.stack ?? ''));
  else if (event.type === 'worker-failed') broken(event, messages(event.err ?? { message: 'its process ended with ' + (event.nonZeroExitCode ?? event.signal) }));
  else if (/^(?:uncaught-exception|unhandled-rejection|internal-error|shared-worker-error|line-number-selection-error)$/.test(event.type)) broken(event, messages(event.err ?? {}));
  else if (event.type === 'timeout' || event.type === 'interrupt') problems.push('ava ended the run: ' + event.type);
};
const { run } = Api.prototype;
Api.prototype.run = async function (given = {}) {
  Object.assign(this.options, { workerThreads: false, failFast: false, updateSnapshots: false });
  let files = [];
  this.on('run', (event) => {
    const { status, files: chosen } = event.status === undefined ? event.data : event;
    files = chosen ?? [];
    const { emitStateChange } = status;
    status.emitStateChange = function (told) { hear(told); return emitStateChange.call(this, told); };
  });
  const status = await run.call(this, settings.files === null ? given : { ...given, filter: [], files: settings.files.map((file) => resolve(settings.room, file)) });
  for (const file of files) if (![...rows.values()].some((one) => one.file === file)) fail(row({ testFile: file }, ${JSON.stringify(WHOLE_FILE)}), 'the file ended without reporting a test');
  for (const one of rows.values()) if (one.status === 'begun') fail(one, 'the test did not end');
  const text = stringify({ tests: [...rows.values()], problems, failures: 0 }) + '\\n';
  writeFileSync(settings.report, text + seal(text));
  return status;
};
process.argv = [process.argv[0], join(home, typeof bin === 'string' ? bin : bin.ava), ...settings.args];
await import(part(typeof bin === 'string' ? bin : bin.ava));
`;
