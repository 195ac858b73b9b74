/** Tape: each test file is a program, and a listener of our own hears of its tests inside of it. A file that loads others tells of theirs. */
import tapeListener from '../../../assets/tape-listener.cjs';
import { nodeTargets } from './node-test-command.ts';
import { notInstalled } from './not-installed.ts';
import { splitOptions } from './options.ts';
import type { DeepRunner, NoPlan, PlanRequest, RunnerFacts, RunnerMatch, RunPlan } from './runner.ts';
import { parseScripts, planScripts } from './script-files.ts';
import { plainProgram } from './plain-program.ts';

export const tapeRunner: DeepRunner = {
  name: 'tape',
  isReport: true,
  detect,
  plan,
  parse: parseScripts,
  interpreter: null,
  summary: { passed: /^# pass\s+[1-9]\d*\s*$/, failed: /^# fail\s+[1-9]\d*\s*$/ },
  leavings: [],
  files: { modules: [], settings: [], manifestKeys: ['tape'], packages: ['tape$'] },
  marks: { hidden: ['NODE_TAPE_.*'], variables: [String.raw`NODE_TAPE_\w+`], globals: [], modules: ['tape'], words: ['tape'] },
  single: {
    language: 'javascript',
    command: 'npx tape',
    typed: 'tape',
    installedAs: 'tape',
    order: 'reversed',
    takesAnyName: true,
    setsNodeEnv: false,
    neutralOneByOne: false,
    hasQuietRuns: false,
    targets: (match) => splitOptions(match.args, WITH_VALUE).positional,
    firstTest: 'test/first.js',
    variable: null,
    sabotage: "import tape from 'tape';\ntape.Test.prototype._assert = () => {};",
    script: {
      isImported: true,
      alwaysModules: false,
      testAs: (name, isModule) => (isModule ? `import ${name} from 'tape';\n` : `const ${name} = require('tape');\n`),
      header: (take) => take('test', 'tape'),
      equal: (left, right) => `t.equal(${left}, ${right});`,
      keepsEndings: true,
      parameter: 't',
      ended: (body) => `try { ${body} } catch (error) { t.ifError(error); } t.end();`,
    },
  },
};

const WITH_VALUE = new Set(['-r', '--require', '-i', '--ignore', '--ignore-pattern']);

function detect(words: readonly string[], packages: ReadonlySet<string>): RunnerMatch | null {
  if (/(^|\/)tape$/.test(words[0] ?? '')) {
    const { options, positional } = splitOptions(words.slice(1), WITH_VALUE);
    const loaded = options.flatMap((option, at) => (option === '-r' || option === '--require' ? ['--require', options[at + 1] ?? ''] : []));
    return { interpreterArgs: loaded, args: positional };
  }
  return packages.has('tape') ? plainProgram(words) : null;
}

function plan(match: RunnerMatch, facts: RunnerFacts, request: PlanRequest): RunPlan | NoPlan {
  if (facts.dependencies === null) return notInstalled('tape');
  const files = request.files ?? nodeTargets(match.args, facts.paths);
  return planScripts(facts, request, { files, interpreterArgs: match.interpreterArgs, listener: tapeListener, sideBySide: 1 });
}
