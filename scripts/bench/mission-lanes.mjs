// How long the work of a mission takes with four lanes against the bound that its longest chain and the number of lanes set. Agents wait, tests are short.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HARNESS } from './sources.mjs';
import { writeProject } from './written-project.mjs';

const LANES = 4;
const TARGET = 1.15;
const COUNT = 12;
/** Which features wait for which: the longest chain has four. */
const WAITS = { 2: [1], 3: [1], 5: [4], 8: [2, 3], 12: [8, 5] };
const NUMBERS = Array.from({ length: COUNT }, (_, at) => at + 1);

export async function measure({ scratch, quick }) {
  const wait = quick ? 10 : 40;
  const alone = await run(join(scratch, 'mission-alone'), { wait, lanes: 1, decisions: quick ? 4 : 6 });
  const many = await run(join(scratch, 'mission-lanes'), { wait, lanes: LANES });
  const each = alone.durations.reduce((sum, seconds) => sum + seconds, 0) / alone.durations.length;
  const links = Math.max(...NUMBERS.map(chain), Math.ceil(COUNT / LANES));
  const ratio = many.working / (links * each);
  return [
    {
      name: `mission with ${LANES} lanes, ${COUNT} features in a longest chain of ${Math.max(...NUMBERS.map(chain))}, agents wait ${wait} s`,
      figure: `${many.working.toFixed(0)} s of work against a bound of ${(links * each).toFixed(0)} s (${links} x ${each.toFixed(1)} s alone): ${ratio.toFixed(2)} x`,
      target: `at most ${TARGET} x`,
      met: ratio <= TARGET,
    },
    { name: '  proofs that hold at the end', figure: `${many.proofs} of ${COUNT}`, target: `${COUNT}`, met: many.proofs === COUNT },
  ];
}

function chain(number) {
  return 1 + Math.max(0, ...(WAITS[number] ?? []).map(chain));
}

/** `decisions`: how many of them this command takes; what the first features take alone is known then. */
async function run(folder, { wait, lanes, decisions }) {
  const { project, env } = await writeProject(folder, filesOf(wait), { 'agent.mjs': AGENT, 'plan.json': JSON.stringify(plan()) });
  const limit = decisions === undefined ? [] : ['--max-iterations', String(decisions)];
  const args = [HARNESS, 'mission', 'run', '--lanes', String(lanes), '--json', ...limit];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project, env, maxBuffer: 1 << 28 }).catch((error) => {
    if (error.code === 10) return error;
    throw new Error(`the mission ended with ${error.code}: ${error.stderr}`);
  });
  const events = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  const at = (phase) => Date.parse(events.find((event) => event.type === 'flow.phase' && event.phase === phase)?.ts);
  return {
    durations: events.filter(({ type, outcome }) => type === 'session.end' && outcome === 'verified').map((end) => end.duration_ms / 1000),
    working: (at('proving') - at('working')) / 1000,
    proofs: events.filter(({ type, name, state }) => type === 'preflight.check' && name.startsWith('proof ') && state === 'passed').length,
  };
}

function plan() {
  const name = (number) => String(number).padStart(3, '0');
  return {
    features: NUMBERS.map((number) => ({
      id: `F-${name(number)}`,
      title: `A user gets ${number} more`,
      claims: [`VAL-SUM-${name(number)}`],
      depends_on: (WAITS[number] ?? []).map((other) => `F-${name(other)}`),
    })),
    claims: NUMBERS.map((number) => ({
      id: `VAL-SUM-${name(number)}`,
      text: `Number ${number} is right`,
      proof: { tests: [`test/f${number}.test.js`] },
    })),
  };
}

function filesOf(wait) {
  return {
    'package.json': '{ "name": "lanes", "type": "module", "scripts": { "test": "node --test" } }\n',
    'SPEC.md': '# Sums\n\nA user gets more.\n',
    '.gitignore': '.harness/\n',
    'src/base.js': 'export const base = 1;\n',
    'test/base.test.js':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
    '.harness.yaml': `project:\n  name: lanes\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: node "$HOME/agent.mjs" ${wait}\n`,
  };
}

const AGENT = `import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
const desk = dirname(new URL(import.meta.url).pathname);
const [role, id, output] = [process.env.HARNESS_ROLE, process.env.HARNESS_FEATURE_ID, process.env.HARNESS_OUTPUT];
const parts = {
  'mission/planner': () => { writeFileSync(output, readFileSync(desk + '/plan.json')); return 'PLAN: 12 features, 12 claims'; },
  'mission/plan-reviewer': () => { writeFileSync(output, 'Fine.'); return 'REVIEW: accept'; },
  'mission/validator': () => { writeFileSync(output, '{"claims":[],"issues":[]}'); return 'VERDICT: pass'; },
  'mission/curator': () => { writeFileSync(output, '{}'); return 'CURATED'; },
  'mission/worker': async () => {
    await new Promise((resolve) => setTimeout(resolve, Number(process.argv[2]) * 1000));
    const n = Number(id.slice(2));
    writeFileSync('src/f' + n + '.js', 'export const f' + n + ' = (a) => a + ' + n + ';\\n');
    writeFileSync(process.env.HARNESS_TEST_FILE, "import { test } from 'node:test';\\nimport assert from 'node:assert/strict';\\nimport { f" + n + " } from '../src/f" + n + ".js';\\ntest('f" + n + "', () => assert.equal(f" + n + '(1), ' + (n + 1) + '));\\n');
    console.log(spawnSync(process.execPath, ['--test', process.env.HARNESS_TEST_FILE], { encoding: 'utf8' }).stdout);
    return 'DONE ' + id;
  },
};
console.log(await parts[role]());
`;
