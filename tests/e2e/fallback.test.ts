/**
 * Going on with another agent: two providers on loopback, each with its own wire format. One speaks the Messages API to the built-in loop, the
 * other the Responses API to a program of the user's own.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import type { ScenarioInput } from '../../src/agents/scripted/scenario.ts';
import { scriptedModel } from '../../src/agents/scripted/scripted-model.ts';
import { startScriptedServer, type ScriptedServer } from '../../src/agents/scripted/server.ts';
import { nodePlatform } from '../../src/platform/node-platform.ts';
import { projectWithAgent } from './calculator.ts';
import { responsesAgent, SECOND_COST } from './responses-agent.ts';
import { eventsOf, git, harness, startHarness, write, type Run, type Scene } from './support.ts';

type Faults = NonNullable<ScenarioInput['faults']>;

const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const WORK = `import { readFileSync, writeFileSync } from 'node:fs';
const [what] = process.argv.slice(2);
const test = process.env.HARNESS_TEST_FILE;
const id = Number(/\\d+/.exec(test)[0]);
if (what === 'write') writeFileSync('src/f' + id + '.js', 'export const f' + id + ' = (n) => n + ' + id + ';\\n');
if (what === 'test') writeFileSync(test, "import assert from 'node:assert/strict';\\nimport { test } from 'node:test';\\nimport { f" + id + " } from '../src/f" + id + ".js';\\ntest('f" + id + " adds', () => { assert.equal(f" + id + "(1), " + (id + 1) + "); assert.equal(f" + id + "(5), " + (id + 5) + "); });\\n");
if (what === 'claim') {
  const list = JSON.parse(readFileSync('features.json', 'utf8'));
  list.features.find((feature) => feature.id === id).passes = true;
  writeFileSync('features.json', JSON.stringify(list));
}
`;
const step = (command: string) => ({ tools: [{ name: 'shell', input: { command } }] });

/** The same honest steps at both providers, whichever feature it is. */
const scenario = (faults: Faults): ScenarioInput => ({
  conversations: [
    {
      steps: [
        step('node "$HOME/work.mjs" write'),
        step('node "$HOME/work.mjs" test; node --test "$HARNESS_TEST_FILE"'),
        step('node "$HOME/work.mjs" claim'),
        { text: 'It is done.' },
      ],
    },
  ],
  faults,
});

const FEATURES = JSON.stringify({
  project: 'calculator',
  features: IDS.map((id) => ({ id, description: `A user adds ${id}`, test_file: `test/f${id}.test.js`, passes: id === 1 })),
});
const FILES = {
  'features.json': FEATURES,
  'src/f1.js': 'export const f1 = (n) => n + 1;\n',
  'test/f1.test.js':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { f1 } from '../src/f1.js';\ntest('f1 adds', () => assert.equal(f1(1), 2));\n",
};
const PATIENT =
  'session:\n  timeout_minutes: 6000\n  timeout_warning_minutes: 5900\n  silence_seconds: 360000\nquality:\n  cleanup_interval: 0\nverification:\n  examiner: off\n';

interface Providers {
  scene: Scene;
  first: ScriptedServer;
  second: ScriptedServer;
}

async function serve(faults: Faults, apiKey: string): Promise<ScriptedServer> {
  const server = await startScriptedServer(nodePlatform({}), scriptedModel(scenario(faults)), { apiKey });
  onTestFinished(() => server.close());
  return server;
}

async function providers(faults: { first?: Faults; second?: Faults }, key = 'key-of-the-first'): Promise<Providers> {
  const plain = await projectWithAgent('exit 1', { checked: true, files: FILES });
  const [first, second] = [await serve(faults.first ?? [], 'key-of-the-first'), await serve(faults.second ?? [], 'key-of-the-second')];
  await write(plain, {
    '.harness.yaml': `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\nmodels:\n  default: claude-haiku-3\n${PATIENT}`,
  });
  await git(plain, 'commit', '-q', '-m', 'Settings', '--', '.harness.yaml');
  await writeFile(join(plain.env['HOME']!, 'work.mjs'), WORK);
  await writeFile(join(plain.env['HOME']!, 'second.mjs'), responsesAgent(second.url));
  await mkdir(plain.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(
    join(plain.env['HARNESS_HOME']!, 'config.yaml'),
    `agent:
  fallback:
    - { backend: command, model: second, command: node "$HOME/second.mjs" }
notify:
  command: cat >> "${join(plain.env['HOME']!, 'notices.txt')}"
`,
  );
  const env = { ...plain.env, ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: first.url };
  return { scene: { ...plain, env }, first, second };
}

/** backend, feature and outcome of each session. */
function storyOf(run: Run): unknown[][] {
  const ends = eventsOf(run, 'session.end');
  return eventsOf(run, 'session.start').map((event) => {
    const end = ends.find(({ session }) => session === event['session']);
    return [event['backend'], event['feature'], end?.['outcome'], ...((end?.['reasons'] ?? []) as string[])];
  });
}

const switchesOf = (run: Run): unknown[] =>
  eventsOf(run, 'agent.switched').map(({ to, first }) => [(to as { backend: string }).backend, first]);
const cents = (amount: number): number => Math.round(amount * 1e6) / 1e6;

test('a night: quota in the middle of a session, the second down for a while, the first back; eight verified, costs right, nothing twice', async () => {
  const { scene, first, second } = await providers({
    // The second session of the first provider, in its third request; it takes requests again after twenty minutes.
    first: [{ request: 6, fault: { kind: 'status', status: 429, retry_after: 1_200 } }],
    // Its second session does not begin, three times over; the next one lasts until the first takes requests again, however fast the machine is.
    second: [
      { request: 4, fault: { kind: 'status', status: 529, times: 3 } },
      { request: 8, fault: { kind: 'delay', ms: 31_000 } },
    ],
  });
  const run = await startHarness(scene, ['run', '--until-done', '--json'], { HARNESS_TEST_CLOCK_SPEED: '40' }).ended;
  expect(run, run.stdout.slice(-3_000) + run.stderr.slice(-3_000)).toMatchObject({ code: 0, last: { outcome: 'complete' } });

  const story = storyOf(run);
  expect(story.filter(([, , outcome]) => outcome === 'verified').map(([, feature]) => feature)).toHaveLength(8);
  expect(new Set(story.filter(([, , outcome]) => outcome === 'verified').map(([, feature]) => feature)).size).toBe(8);
  expect(story.slice(0, 3)).toEqual([
    ['anthropic', 2, 'verified'],
    ['anthropic', 3, 'partial', 'usage_limit'],
    ['command', 3, 'verified'],
  ]);
  expect(story.filter(([, , , reason]) => reason === 'api.unavailable')).toHaveLength(3);
  expect(story.at(-1)![0]).toBe('anthropic');
  expect(switchesOf(run)).toEqual([
    ['command', true],
    ['anthropic', false],
  ]);
  expect(eventsOf(run, 'escalation')).toEqual([]);

  // The interrupted work was gone on with, and nothing was asked of a provider twice.
  expect(second.requests[0]!.raw).toContain('f3');
  const verified = story.filter(([, , outcome]) => outcome === 'verified');
  const bySecond = verified.filter(([backend]) => backend === 'command').length;
  expect(first.requests).toHaveLength((verified.length - bySecond) * 4 + 3);
  expect(second.requests).toHaveLength(bySecond * 4 + 3);

  // Who did what: records, commits, costs.
  const log = await git(scene, 'log', '--format=%(trailers:key=Harness-Agent,valueonly)', '--grep=^Feature #');
  const authors = log.split('\n').filter((line) => line !== '');
  expect(authors.filter((line) => line === 'command second')).toHaveLength(bySecond);
  expect(authors.filter((line) => line === 'anthropic')).toHaveLength(8 - bySecond);
  const summary = eventsOf(run, 'run.summary')[0]!['summary'] as { cost_usd: number; by_agent: { what: string; cost_usd: number }[] };
  const spent = (backend: string): number =>
    cents(
      eventsOf(run, 'session.start')
        .filter((event) => event['backend'] === backend)
        .reduce((sum, { session }) => {
          const end = eventsOf(run, 'session.end').find((event) => event['session'] === session);
          return sum + ((end?.['cost_usd'] as number | null) ?? 0);
        }, 0),
    );
  expect(spent('command')).toBe(cents(bySecond * SECOND_COST));
  expect(spent('anthropic')).toBeGreaterThan(0);
  const byAgent = Object.fromEntries(summary.by_agent.map(({ what, cost_usd }) => [what, cost_usd]));
  expect(byAgent['command with second']).toBe(spent('command'));
  expect(cents(Object.values(byAgent).reduce((sum, cost) => sum + cost, 0))).toBe(summary.cost_usd);
  const costs = await readFile(join(scene.project, '.harness', 'costs.yaml'), 'utf8');
  expect(costs).toMatch(new RegExp(`backend: command\\n\\s+model: second\\n\\s+cost_usd: ${spent('command')}\\n`));

  // One notification, with the price.
  const notices = (await readFile(join(scene.env['HOME']!, 'notices.txt'), 'utf8')).split('\n').filter((line) => line.includes('goes on'));
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('Price:');
}, 600_000);

test.runIf(isLong)(
  'the same night killed at twenty moments: eight verified, each once, and sums that agree',
  async () => {
    const { scene } = await providers({
      first: [{ request: 6, fault: { kind: 'status', status: 429, retry_after: 1_200 } }],
      second: [{ request: 4, fault: { kind: 'status', status: 529, times: 3 } }],
    });
    const clock = { HARNESS_TEST_CLOCK_SPEED: '40' };
    let kills = 0;
    for (; kills < 20; kills += 1) {
      const { child, ended } = startHarness(scene, ['run', '--until-done', '--json'], clock);
      const timer = setTimeout(() => child.kill('SIGKILL'), 1_500 + kills * 450);
      const run = await ended;
      clearTimeout(timer);
      if (run.code === 0) break;
    }
    const last = await startHarness(scene, ['run', '--until-done', '--json'], clock).ended;
    expect(last, last.stdout.slice(-3_000) + last.stderr.slice(-3_000)).toMatchObject({ code: 0, last: { outcome: 'complete' } });
    const subjects = (await git(scene, 'log', '--format=%s', '--grep=^Feature #')).split('\n');
    expect(subjects.map((subject) => Number(/#(\d+)/.exec(subject)![1])).toSorted((a, b) => a - b)).toEqual(IDS.slice(1));
    expect(
      (await git(scene, 'log', '--format=%(trailers:key=Harness-Agent,valueonly)', '--grep=^Feature #')).split('\n').filter(Boolean),
    ).toHaveLength(8);
    const summary = JSON.parse((await harness(scene, 'summary', '--json')).stdout) as {
      verified: unknown[];
      cost_usd: number;
      by_agent: { cost_usd: number }[];
    };
    expect(summary.verified).toHaveLength(8);
    expect(cents(summary.by_agent.reduce((sum, { cost_usd }) => sum + cost_usd, 0))).toBe(summary.cost_usd);
    expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
    expect(kills).toBe(20);
  },
  1_200_000,
);

test('without a login the next agent works, in the run after as well', async () => {
  const { scene, first } = await providers({}, 'wrong');
  const run = await startHarness(scene, ['run', '--sessions', '2', '--json']).ended;
  expect(storyOf(run), run.stdout.slice(-2_000)).toEqual([
    ['anthropic', 2, 'partial', 'api.auth'],
    ['command', 2, 'verified'],
  ]);
  expect(storyOf(await startHarness(scene, ['run', '--json']).ended)).toEqual([['command', 3, 'verified']]);
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
  expect(first.requests).toEqual([]);
}, 300_000);

test('a project cannot bring along an agent of its own, and can do without', async () => {
  const { scene } = await providers({}, 'wrong');
  const settings = (fallback: string): string =>
    `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\n  fallback: ${fallback}\n`;
  await write(scene, { '.harness.yaml': settings('[{ backend: claude-code, model: claude-opus-4 }]') });
  await git(scene, 'commit', '-q', '-m', 'Wider', '--', '.harness.yaml');
  const refused = await harness(scene, 'run');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('agent.fallback');
  expect(refused.stderr).toContain('your own settings do not allow');
  await write(scene, { '.harness.yaml': settings('false') });
  await git(scene, 'commit', '-q', '-m', 'None', '--', '.harness.yaml');
  expect(await startHarness(scene, ['run', '--sessions', '2', '--json']).ended).toMatchObject({ code: 6, last: { reasons: ['api.auth'] } });
}, 300_000);
