// How much of what a mission sends is read from the provider's cache, by role, with the built-in loop on the Claude API; a server on loopback accounts
// prefixes as the provider does. The share follows from how long sessions are, and nobody has measured how long those of real agents are: the lengths
// here are an assumption, stand in the table, and are scaled with BENCH_SESSION_LENGTH (0.5: half as long).
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HARNESS } from './sources.mjs';
import { writeProject } from './written-project.mjs';

const KEY = 'key-of-the-bench';
const TARGET = 0.97;
const LENGTH = Number(process.env.BENCH_SESSION_LENGTH ?? 1);
if (!(LENGTH > 0 && LENGTH <= 10)) throw new Error('BENCH_SESSION_LENGTH has to be a number above 0, at most 10');
/** Requests with which each role looks around before it acts. */
const LOOKS = Object.fromEntries(
  Object.entries({ planner: 60, 'plan-reviewer': 40, worker: 90, validator: 40, curator: 20 }).map(([role, count]) => [
    role,
    Math.ceil(count * LENGTH),
  ]),
);
/** The file that tells a role by its prompt; a worker has none. */
const OUTPUTS = { planner: 'plan.json', 'plan-reviewer': 'review.md', validator: 'validation.json', curator: 'memory.json' };

export async function measure({ scratch, quick, sources }) {
  const count = quick ? 2 : 6;
  const model = sources.scriptedModel({ conversations: conversationsOf(planOf(count)) });
  const server = await sources.startScriptedServer(sources.nodePlatform({}), model, { apiKey: KEY });
  try {
    const events = await runMission(join(scratch, 'mission-cache'), server.url);
    const roles = usageByRole(events);
    const prefixes = prefixesByRole(server.requests);
    const all = [...roles.values()].flatMap(({ usages }) => usages);
    return [
      {
        name: `cached share of input over a mission of ${count} features, ${server.requests.length} requests, all roles, sessions that look around ${Math.min(...Object.values(LOOKS))} to ${Math.max(...Object.values(LOOKS))} times`,
        figure: percent(share(all)),
        target: `at least ${percent(TARGET)}`,
        met: share(all) >= TARGET,
      },
      ...[...roles].map(([role, { usages, sessions }]) => ({
        name: `  ${role}: ${sessions} session${sessions === 1 ? '' : 's'}, ${prefixes.get(role).requests} requests`,
        figure: `${percent(share(usages))}, ${prefixes.get(role).texts.size} beginning`,
        target: '1 beginning, byte for byte',
        met: prefixes.get(role).texts.size === 1,
      })),
    ];
  } finally {
    await server.close();
  }
}

async function runMission(folder, url) {
  const { project, env } = await writeProject(folder, FILES);
  const args = [HARNESS, 'mission', 'run', '--lanes', '2', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: project,
    env: { ...env, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url },
    maxBuffer: 1 << 28,
  });
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

function usageByRole(events) {
  const names = new Map(events.filter(({ type }) => type === 'session.start').map(({ session, prompt }) => [session, prompt]));
  const roles = new Map();
  for (const { session, usage } of events.filter(({ type }) => type === 'session.end')) {
    const role = names.get(session);
    const known = roles.get(role) ?? { usages: [], sessions: 0 };
    roles.set(role, { usages: [...known.usages, usage], sessions: known.sessions + 1 });
  }
  return roles;
}

/** Tools and system text of every request, as they were sent. */
function prefixesByRole(requests) {
  const roles = new Map();
  for (const { body } of requests) {
    const prompt = JSON.stringify(body.messages[0]);
    const role = Object.keys(OUTPUTS).find((name) => prompt.includes(`output/${OUTPUTS[name]}`)) ?? 'worker';
    const known = roles.get(role) ?? { texts: new Set(), requests: 0 };
    known.texts.add(JSON.stringify([body.model, body.tools, body.system]));
    known.requests += 1;
    roles.set(role, known);
  }
  return roles;
}

function share(usages) {
  const sum = (key) => usages.reduce((total, usage) => total + usage[key], 0);
  const read = sum('cache_read_input_tokens');
  return read / (read + sum('input_tokens') + sum('cache_creation_input_tokens'));
}

function percent(value) {
  return `${(value * 100).toFixed(1)} %`;
}

const numbered = (number) => String(number).padStart(3, '0');
const shell = (command) => ({ name: 'shell', input: { command } });
const file = (path, content) => ({ name: 'write_file', input: { path, content } });
const looks = (role) =>
  Array.from({ length: LOOKS[role] }, (_, at) => ({ text: 'I look around.', tools: [shell(`sed -n 1,15p src/part/file-${at}.js`)] }));

function planOf(count) {
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  return {
    features: numbers.map((number) => ({
      id: `F-${numbered(number)}`,
      title: `A user gets ${number} more`,
      claims: [`VAL-SUM-${numbered(number)}`],
      depends_on: [],
    })),
    claims: numbers.map((number) => ({
      id: `VAL-SUM-${numbered(number)}`,
      text: `Number ${number} is right`,
      proof: { tests: [`test/f${number}.test.js`] },
      notes: `one gives ${number + 1}`,
    })),
  };
}

function conversationsOf(plan) {
  const writes = (role, content, reply, contains) => ({
    when: { contains: contains ?? `output/${OUTPUTS[role]}` },
    steps: [...looks(role), { tools: [file(`.harness/output/${OUTPUTS[role]}`, content)] }, { text: reply }],
  });
  return [
    writes('planner', JSON.stringify(plan), `PLAN: ${plan.features.length} features, ${plan.claims.length} claims`),
    writes('plan-reviewer', 'Fine.', 'REVIEW: accept'),
    ...plan.features.map(({ id, claims: [claim] }) => {
      const passed = { id: claim, pass: true, quote: `passed test/f${Number(id.slice(2))}.test.js` };
      return writes(
        'validator',
        JSON.stringify({ claims: [passed], issues: [] }),
        'VERDICT: pass',
        `output/validation.json.\n\nFEATURE_ID=${id}\n`,
      );
    }),
    writes('curator', '{"summary":"All of it is there."}', 'CURATED'),
    ...plan.features.map(({ id }) => worker(id, Number(id.slice(2)))),
  ];
}

function worker(id, number) {
  const path = `test/f${number}.test.js`;
  const test = `import { equal } from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { f${number} } from '../src/f${number}.js';\ntest('f${number} gives', () => equal(f${number}(1), ${number + 1}));\n`;
  return {
    when: { contains: path },
    steps: [
      ...looks('worker'),
      { tools: [file(`src/f${number}.js`, `export const f${number} = (n) => n + ${number};\n`), file(path, test)] },
      { tools: [shell(`node --test ${path}`)] },
      { text: `NOTE: ${id} is built\nDONE ${id}` },
    ],
  };
}

const FILES = {
  'package.json': '{ "name": "bench", "type": "module", "scripts": { "test": "node --test" } }\n',
  'SPEC.md': '# Sums\n\nA user gets more.\n',
  '.gitignore': '.harness/\n',
  '.harness.yaml': 'project:\n  name: bench\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\n',
  'src/base.js': 'export const base = 1;\n',
  'test/base.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
  ...Object.fromEntries(
    Array.from({ length: Math.max(...Object.values(LOOKS)) }, (_, at) => [
      `src/part/file-${at}.js`,
      Array.from({ length: 30 }, (_line, line) => `export const value${line} = ${at * 31 + line};\n`).join(''),
    ]),
  ),
};
