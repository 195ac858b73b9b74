/**
 * Ava, started from the dependencies that the harness installed, by its own command. What its processes tell is heard where ava itself counts it, in a
 * process that runs no code of the project but its settings; each file runs in a process of its own, whatever the settings say about threads.
 */
import avaEnding from '../../../assets/ava-ending.cjs';
import avaStarter from '../../../assets/runners/ava-starter.mjs';
import { join } from 'node:path';
import { fill } from '../../domain/fill-program.ts';
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
      {
        path: starter,
        content: `${sealSource(request.keyPath, 'module')}const settings = ${JSON.stringify(settings)};\n${fill(avaStarter, { whole_file: JSON.stringify(WHOLE_FILE) })}`,
      },
    ],
    report: 'file',
  };
}
