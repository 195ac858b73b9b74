/** Node-tap (the package `tap`): each test file is a program, and a listener of our own hears of its tests from tap's own parser inside of it. */
import nodeTapListener from '../../../assets/node-tap-listener.cjs';
import { nodeTargets } from './node-test-command.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions } from './options.ts';
import { plainProgram } from './plain-program.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { parseScripts, planScripts } from './script-files.ts';

export const nodeTapRunner: DeepRunner = {
  name: 'node-tap',
  isReport: true,
  detect,
  plan,
  parse: parseScripts,
  interpreter: null,
  summary: {
    passed: /^# \{ total: [1-9]\d*, pass: [1-9]\d*|^\s*Asserts:\s+[1-9]\d* pass\s+0 fail/,
    failed: /^\s*Asserts:\s+\d+ pass\s+[1-9]\d* fail/,
  },
  leavings: ['.tap', '.nyc_output'],
  files: { modules: [], settings: ['.taprc', '.tap/**'], manifestKeys: ['tap'], packages: ['tap$', '@tapjs/'] },
  marks: {
    hidden: ['TAP', 'TAP_.*'],
    variables: [String.raw`TAP_\w+`, String.raw`process\.env\.TAP\b`],
    globals: [],
    modules: ['tap'],
    words: [],
  },
  single: {
    language: 'javascript',
    command: 'npx tap',
    typed: String.raw`npx\s+tap\b`,
    installedAs: 'tap',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: null,
    firstTest: 'test/first.js',
    variable: 'TAP',
    sabotage: "import tap from 'tap';\nObject.getPrototypeOf(Object.getPrototypeOf(tap)).printResult = () => true;",
    script: {
      isImported: true,
      alwaysModules: false,
      testAs: (name, isModule) => (isModule ? `import { test as ${name} } from 'tap';\n` : `const { test: ${name} } = require('tap');\n`),
      header: (take) => take('{ test }', 'tap'),
      equal: (left, right) => `t.equal(${left}, ${right});`,
      keepsEndings: true,
      parameter: 't',
    },
  },
};

const WITH_VALUE = new Set([
  '-R',
  '--reporter',
  '-j',
  '--jobs',
  '-t',
  '--timeout',
  '--node-arg',
  '--test-arg',
  '-g',
  '--grep',
  '-o',
  '--save',
  '-s',
]);

function detect(words: readonly string[], packages: ReadonlySet<string>): RunnerMatch | null {
  const [program = '', ...rest] = words;
  if (!/(^|\/)tap$/.test(program)) return packages.has('tap') && !packages.has('tape') ? plainProgram(words) : null;
  const { options, positional } = splitOptions(rest[0] === 'run' ? rest.slice(1) : rest, WITH_VALUE);
  const passed = options.flatMap((option, at) =>
    option === '--node-arg' ? (options[at + 1] ?? []) : option.startsWith('--node-arg=') ? option.slice('--node-arg='.length) : [],
  );
  return { interpreterArgs: passed, args: positional };
}

/** What it looks for where nothing is named. */
const USUAL = [
  '**/{test,tests,__tests__}/**/*.{js,cjs,mjs,ts,mts,cts}',
  '**/*.{test,tests,spec}.{js,cjs,mjs,ts,mts,cts}',
  '{test,tests,spec}.{js,cjs,mjs}',
];
const LEFT_OUT = ['!**/fixture/**', '!**/fixtures/**', '!tap-snapshots/**', '!dist/**', '!**/*.d.ts'];

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('tap');
  const named = match.args.flatMap((path) =>
    /\.[cm]?[jt]sx?$|[*?[{]/.test(path) ? path : `${path.replace(/\/$/, '')}/**/*.{js,cjs,mjs,ts,mts,cts}`,
  );
  const files = request.files ?? nodeTargets(named.length > 0 ? [...named, ...LEFT_OUT] : [...USUAL, ...LEFT_OUT], facts.paths);
  return planScripts(facts, request, { files, interpreterArgs: match.interpreterArgs, listener: nodeTapListener, sideBySide: 2 });
}
