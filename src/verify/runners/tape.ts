/** Tape: each test file is a program, and a listener of our own hears of its tests inside of it. A file that loads others tells of theirs. */
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
  return planScripts(facts, request, { files, interpreterArgs: match.interpreterArgs, listener: LISTENER, sideBySide: 1 });
}

/** Results are told of by each test itself, and by those around it; what was never begun, or not ended, has not passed. */
const LISTENER = `const Results = fromRoom('tape/lib/results');
const push = Results.prototype.push;
const known = new Set();
const follow = (test, file, names) => {
  const name = [...names, String(test.name)];
  const one = { begun: false, ended: false, failed: null, skipped: 0, held: 0, inner: [] };
  const row = told(file, name, 'skipped', undefined);
  known.add(one);
  test.once('prerun', () => { one.begun = true; });
  test.on('result', (result) => {
    if (typeof result !== 'object' || result === null) return;
    if (result.skip) one.skipped += 1;
    else if (result.ok) one.held += 1;
    else if (!result.todo) one.failed ??= said(result);
  });
  test.on('end', () => { one.ended = true; });
  test.on('test', (inner) => one.inner.push(follow(inner, file, name)));
  atEnd(() => {
    const isPutOff = Boolean(test._skip) || (one.skipped > 0 && one.held === 0 && one.failed === null);
    const below = failureIn(one);
    if (below !== null) { row.status = 'failed'; row.message = one.failed ?? below; }
    else row.status = test._todo ? 'todo' : one.ended && !isPutOff ? 'passed' : 'skipped';
  });
  return one;
};
const failureIn = (one) => one.failed ?? (one.begun && !one.ended ? 'the test did not end' : one.inner.some((test) => failureIn(test) !== null) ? 'a test within it failed' : null);
const said = ({ operator, name, expected, actual, error }) => {
  const values = operator === 'fail' || operator === 'error' || operator === 'throws' ? '' : '\\nexpected: ' + shownValue(expected) + '\\nactual: ' + shownValue(actual);
  return 'AssertionError: ' + [operator, name].filter(Boolean).join(': ') + values + (error === undefined ? '' : '\\n' + shown(error));
};
Results.prototype.push = function (test) {
  follow(test, caller(), []);
  return push.call(this, test);
};
watch(() => known.size > 0 && [...known].every((one) => one.ended));
`;
