// How long a run with four lanes takes against the bound that its longest chain and its number of lanes set. Agents wait, tests are short.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HARNESS } from './sources.mjs';
import { writeProject } from './written-project.mjs';

const LANES = 4;
const TARGET = 1.15;
/** Feature 3 waits for 2, and 4 for 3; the others are free. */
const WAITS = { 3: [2], 4: [3] };

export async function measure({ scratch, quick }) {
  const wait = quick ? 10 : 30;
  const count = quick ? 5 : 9;
  const one = await run(join(scratch, 'one-lane'), { wait, count, lanes: 1 });
  const many = await run(join(scratch, 'lanes'), { wait, count, lanes: LANES });
  const bound = boundOf(one.durations);
  const ratio = many.seconds / bound;
  return [
    {
      name: `${LANES} lanes, ${count - 1} features, agents wait ${wait} s`,
      figure: `${many.seconds.toFixed(0)} s against a bound of ${bound.toFixed(0)} s: ${ratio.toFixed(2)} x (one lane ${one.seconds.toFixed(0)} s)`,
      target: `at most ${TARGET} x`,
      met: ratio <= TARGET,
    },
  ];
}

/** The longest chain of what each feature took alone, or all of it shared out: whichever is longer. */
function boundOf(durations) {
  const chain = (id) => (durations.get(id) ?? 0) + Math.max(0, ...(WAITS[id] ?? []).map(chain));
  const all = [...durations.values()].reduce((sum, seconds) => sum + seconds, 0);
  return Math.max(all / LANES, ...[...durations.keys()].map(chain));
}

async function run(folder, { wait, count, lanes }) {
  const { project, env } = await writeProject(folder, filesOf(count, wait), { 'agent.mjs': AGENT });
  const harness = (...args) => promisify(execFile)(process.execPath, [HARNESS, ...args], { cwd: project, env, maxBuffer: 1 << 28 });
  await harness('init', '--features', 'features.json');
  await harness('doctor', '--verify');
  const begin = performance.now();
  const { stdout } = await harness('run', '--until-done', '--lanes', String(lanes), '--json');
  const seconds = (performance.now() - begin) / 1000;
  const ends = stdout.split('\n').flatMap((line) => (line.includes('"session.end"') ? [JSON.parse(line)] : []));
  return { seconds, durations: new Map(ends.map(({ feature, duration_ms }) => [feature, duration_ms / 1000])) };
}

function filesOf(count, wait) {
  const features = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    description: `A user gets ${at + 1} more`,
    test_file: `test/f${at + 1}.test.js`,
    passes: at === 0,
    ...(WAITS[at + 1] === undefined ? {} : { depends_on: WAITS[at + 1] }),
  }));
  return {
    'package.json': '{ "name": "lanes", "type": "module", "scripts": { "test": "node --test" } }\n',
    'features.json': JSON.stringify({ project: 'lanes', features }),
    'src/f1.js': 'export const f1 = (n) => n + 1;\n',
    'test/f1.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { f1 } from '../src/f1.js';\ntest('f1', () => assert.equal(f1(1), 2));\n",
    '.harness.yaml': `project:\n  name: lanes\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: node "$HOME/agent.mjs" ${wait}\nquality:\n  cleanup_interval: 0\n`,
  };
}

const AGENT = `import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
const id = Number(process.env.HARNESS_FEATURE_ID);
await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2]) * 1000));
writeFileSync('src/f' + id + '.js', 'export const f' + id + ' = (n) => n + ' + id + ';\\n');
writeFileSync('test/f' + id + '.test.js', "import { test } from 'node:test';\\nimport assert from 'node:assert/strict';\\nimport { f" + id + " } from '../src/f" + id + ".js';\\ntest('f" + id + "', () => assert.equal(f" + id + '(1), ' + (id + 1) + '));\\n');
console.log(spawnSync(process.execPath, ['--test', process.env.HARNESS_TEST_FILE], { encoding: 'utf8' }).stdout);
const list = JSON.parse(readFileSync('features.json', 'utf8'));
list.features.find((feature) => feature.id === id).passes = true;
writeFileSync('features.json', JSON.stringify(list));
`;
