// A project with a night behind it, made by real runs: an agent that works, errs, asks and fails, in four lanes; and beside it a mission.
// Nothing is written by hand but the project and its agent.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = join(root, 'bin/harness.js');

/** name, what a user can do, what it needs, arguments, result, code */
const FEATURES = [
  ['total', 'A user sees the total of all entries', [], '[3, 4.5, 2]', '9.5', 'entries.reduce((sum, one) => sum + one, 0)'],
  ['largest', 'A user sees the largest entry', [], '[3, 4.5, 2]', '4.5', 'Math.max(...entries)'],
  ['average', 'A user sees the average of a month', [1], '[3, 4, 5]', '4', 'entries.reduce((sum, one) => sum + one, 0) / entries.length'],
  [
    'overdrawn',
    'A user is warned when the balance falls below zero',
    [1],
    '[3, -4]',
    'true',
    'entries.reduce((sum, one) => sum + one, 0) < 0',
  ],
  ['income', 'A user sees only what came in', [], '[3, -4, 2]', '5', 'entries.filter((one) => one > 0).reduce((sum, one) => sum + one, 0)'],
  [
    'spending',
    'A user sees only what went out',
    [],
    '[3, -4, -2]',
    '-6',
    'entries.filter((one) => one < 0).reduce((sum, one) => sum + one, 0)',
  ],
  ['savings', 'A user sees how much was saved in a month', [5, 6], '[10, -4, -2]', '4', 'entries.reduce((sum, one) => sum + one, 0)'],
  [
    'forecast',
    'A user sees a forecast for the end of the year',
    [3],
    '[1, 2, 3]',
    '24',
    'entries.reduce((sum, one) => sum + one, 0) / entries.length * 12',
  ],
  [
    'rounding',
    'Amounts are rounded to the cent',
    [],
    '[1.005, 2]',
    '3.01',
    'Math.round((entries.reduce((sum, one) => sum + one, 0) + 1e-9) * 100) / 100',
  ],
  ['history', 'A user sees how many entries there are', [], '[3, 4, 5]', '3', 'entries.length'],
  [
    'goal',
    'A user sees whether the goal of the year will be reached',
    [8],
    '[100, 100]',
    'true',
    'entries.reduce((sum, one) => sum + one, 0) >= 150',
  ],
  ['smallest', 'A user sees the smallest entry', [], '[3, 4.5, 2]', '2', 'Math.min(...entries)'],
  ['debts', 'A user sees how many entries are debts', [], '[3, -4, -1]', '2', 'entries.filter((one) => one < 0).length'],
  ['positive', 'A user can hide the debts', [], '[3, -4, 2]', '2', 'entries.filter((one) => one > 0).length'],
  ['spread', 'A user sees the distance between best and worst month', [2], '[3, 9, 5]', '6', 'Math.max(...entries) - Math.min(...entries)'],
];
/** Worked on while somebody looks. */
const LATE = new Set([12, 13, 14, 15]);

const AGENT = `import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
const features = ${JSON.stringify(FEATURES)};
const id = Number(process.env.HARNESS_FEATURE_ID);
const [name, title, , input, result, code] = features[id - 1];
const prompt = readFileSync(0, 'utf8');
const told = prompt.includes('## Why the last attempt was not accepted');
const slow = existsSync(process.env.HOME + '/slow');
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const pause = () => wait(slow ? 2_000 + id * 90 : 20);
let step = 0;
const usage = () => {
  step += 1;
  console.log(JSON.stringify({ type: 'usage', input_tokens: 1_400, output_tokens: 420 + id * 10, cache_read_input_tokens: 18_000 + step * (slow ? 900 : 7_000) + id * 400, cost_usd: slow ? 0.01 : 0.04 + id / 500 }));
};
const tool = (tool, input) => { console.log(JSON.stringify({ type: 'tool', name: tool, input })); pause(); usage(); };
const say = (text) => { console.log(text); pause(); };
say('I will look at the project and at ' + process.env.HARNESS_TEST_FILE + ' first.');
tool('Read', { file_path: 'package.json' });
tool('Read', { file_path: 'src/total.js' });
say('The pattern is clear: one function a file, one test a function.');
const file = 'src/' + name + '.js';
if (slow) for (let at = 0; at < 120; at += 1) {
  tool(['Edit', 'Bash', 'Edit'][at % 3], [{ file_path: file }, { command: 'node --test ' + process.env.HARNESS_TEST_FILE }, { file_path: 'test/' + name + '.test.js' }][at % 3]);
  appendFileSync(file, '// ' + at + '\\n');
  say(['The helpers work on plain arrays, so ' + name + ' can too.', 'No rounding is needed here.', 'An empty list has to be thought about.'][at % 3]);
}
const wrong = (id === 2 && !told) || id === 8;
tool('Write', { file_path: file });
writeFileSync(file, 'export const ' + name + ' = (entries) => ' + (wrong ? '0' : code) + ';\\n');
if (id === 4 && !told) {
  say('total() should treat a missing entry as zero, so I change it as well.');
  tool('Edit', { file_path: 'src/total.js' });
  writeFileSync('src/total.js', 'export const total = (entries) => entries.length;\\n');
}
if (id === 6) appendFileSync('.gitignore', 'exports/\\n');
tool('Write', { file_path: 'test/' + name + '.test.js' });
writeFileSync('test/' + name + '.test.js', "import { test } from 'node:test';\\nimport assert from 'node:assert/strict';\\nimport { " + name + " } from '../src/" + name + ".js';\\ntest('" + title.replace(/'/g, '') + "', () => assert.equal(" + name + '(' + input + '), ' + result + '));\\n');
tool('Bash', { command: 'node --test ' + process.env.HARNESS_TEST_FILE });
const run = spawnSync(process.execPath, ['--test', process.env.HARNESS_TEST_FILE], { encoding: 'utf8' });
console.log(run.stdout);
say(wrong ? 'It works: # pass 1 # fail 0.' : 'The test passes. # pass 1 # fail 0');
if (wrong) console.log('# pass 1\\n# fail 0');
const list = JSON.parse(readFileSync('features.json', 'utf8'));
list.features.find((feature) => feature.id === id).passes = true;
writeFileSync('features.json', JSON.stringify(list, null, 2) + '\\n');
usage();
`;

const SETTINGS = `project:
  name: household
testing:
  full: npm test
agent:
  backend: command
  command: node "$HOME/agent.mjs"
verification:
  new_dependencies: ask
quality:
  cleanup_interval: 0
costs:
  total_project_usd: 25
  per_session_usd: 2
`;

/** The project before anything was built. */
export async function makeProject(folder, agent = AGENT, tell = () => {}) {
  const project = join(folder, 'household');
  const env = environment(folder);
  put(env.HOME, 'agent.mjs', agent);
  put(project, 'package.json', `${JSON.stringify({ name: 'household', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`);
  put(project, 'src/base.js', 'export const currency = "EUR";\n');
  put(
    project,
    'test/base.test.js',
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { currency } from '../src/base.js';\ntest('amounts have a currency', () => assert.equal(currency, 'EUR'));\n",
  );
  put(project, '.harness.yaml', SETTINGS);
  put(
    project,
    'features.json',
    listOf((id) => !LATE.has(id)),
  );
  begin(project, env);
  await harness(env, project, ['init', '--features', 'features.json', '--yes'], tell);
  return { project, env };
}

export async function makeNight(folder, tell = () => {}) {
  const { project, env } = await makeProject(folder, AGENT, tell);
  await harness(env, project, ['doctor', '--verify'], tell);
  await harness(env, project, ['run', '--until-done', '--lanes', '4', '--json'], tell);
  put(
    project,
    'features.json',
    listOf(() => true, JSON.parse(readFileSync(join(project, 'features.json'), 'utf8'))),
  );
  git(project, env, 'commit', '-qam', 'Plan the next features');
  return { project, env };
}

/** The four late features, in four lanes and slowly; give the returned process SIGTERM. */
export function startLate({ project, env }) {
  put(env.HOME, 'agent.mjs', AGENT);
  put(env.HOME, 'slow', '');
  return startHarness(env, project, ['run', '--until-done', '--lanes', '4', '--json']);
}

export async function makeMission(folder, tell = () => {}) {
  const project = join(folder, 'doubling');
  const env = environment(folder);
  const { MISSION_AGENT, planOf } = await missionAgent();
  const desk = join(env.HOME, 'mission');
  put(desk, 'agent.mjs', MISSION_AGENT);
  put(desk, 'plan.json', JSON.stringify(planOf(4, { 3: [1], 4: [2, 3] })));
  put(desk, 'lies.json', JSON.stringify({ 'worker F-002': 'broken' }));
  put(project, 'package.json', '{ "name": "doubling", "type": "module", "scripts": { "test": "node --test" } }\n');
  put(project, 'src/base.js', 'export const base = 1;\n');
  put(
    project,
    'test/base.test.js',
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
  );
  put(project, 'SPEC.md', '# Sums\n\nDouble and add.\n');
  put(project, '.gitignore', '.harness/\n');
  put(
    project,
    '.harness.yaml',
    'project:\n  name: doubling\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: node "$HOME/mission/agent.mjs"\n',
  );
  begin(project, env);
  await harness(env, project, ['doctor', '--verify'], tell);
  await harness(env, project, ['mission', 'run', '--lanes', '2', '--json', '--max-iterations', '14'], tell);
  return { project, env };
}

async function missionAgent() {
  const { code } = transformSync(readFileSync(join(root, 'tests/e2e/mission-agent.ts'), 'utf8'), { loader: 'ts', format: 'esm' });
  return await import(`data:text/javascript,${encodeURIComponent(code)}`);
}

function listOf(wanted, before = null) {
  const features = FEATURES.flatMap(([name, description, depends_on], at) => {
    const id = at + 1;
    if (!wanted(id)) return [];
    const known = before?.features.find((one) => one.id === id);
    return [
      known ?? { id, category: id < 8 ? 'balance' : 'outlook', description, test_file: `test/${name}.test.js`, depends_on, passes: false },
    ];
  });
  return `${JSON.stringify({ project: 'household', features }, null, 2)}\n`;
}

function environment(folder) {
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'user'),
    HARNESS_HOME: join(folder, 'harness-home'),
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
    TMPDIR: join(folder, 'tmp'),
  };
  for (const path of [env.HOME, env.HARNESS_HOME, env.TMPDIR]) mkdirSync(path, { recursive: true });
  return env;
}

function begin(project, env) {
  git(project, env, 'init', '-q', '-b', 'main');
  git(project, env, 'config', 'user.name', 'Ada');
  git(project, env, 'config', 'user.email', 'ada@example.org');
  git(project, env, 'add', '-A');
  git(project, env, 'commit', '-qm', 'Start');
}

function git(project, env, ...args) {
  execFileSync('git', args, { cwd: project, env });
}

function put(folder, name, text) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

export function startHarness(env, project, args) {
  return spawn(process.execPath, [program, ...args, '--cwd', project], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function harness(env, project, args, tell) {
  const child = startHarness(env, project, args);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', tell);
  const code = await new Promise((resolve) => child.once('close', resolve));
  tell(`harness ${args.join(' ')}: exit ${code}\n`);
  return code;
}

/** The page of this environment; resolves with its address. */
export async function startPage(env, project, args = []) {
  const child = startHarness(env, project, ['ui', '--port', '0', '--no-open', '--json', ...args]);
  const line = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', (code) => reject(new Error(`harness ui ended with ${code}`)));
  });
  return { child, ...JSON.parse(line) };
}
