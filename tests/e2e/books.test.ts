/** What the books say afterwards: logs, session records, costs, and the questions and prompts that are made from them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { emptyScene, eventsOf, gates, git, harness, read, startHarness, type HarnessLine, type Scene } from './support.ts';

type Line = HarnessLine & { level?: string };

async function linesOf(scene: Scene, file: string): Promise<Line[]> {
  const text = await read(scene, `.harness/logs/${file}.jsonl`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function costsOf(scene: Scene): Promise<{ cumulative: Record<string, unknown>; current_session: Record<string, unknown> }> {
  return parse(await read(scene, '.harness/costs.yaml')) as Awaited<ReturnType<typeof costsOf>>;
}

const USAGE = (cost: number): string =>
  `echo '{"type":"usage","input_tokens":100,"output_tokens":20,"cache_read_input_tokens":3000,"cache_creation_input_tokens":700,"cost_usd":${cost}}'`;

test('tokens written to the cache are in every book', async () => {
  const scene = await projectWithAgent(`${USAGE(0.5)}\n${HONEST}`);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const tokens = { input: 800, output: 20, cached: 3000 };
  expect((await linesOf(scene, 'sessions')).at(-1)).toMatchObject({ session_id: 1, tokens_used: tokens });
  expect(await costsOf(scene)).toMatchObject({ current_session: { tokens }, cumulative: { total_tokens: tokens } });
  expect(eventsOf(run, 'session.end')).toMatchObject([{ usage: { cache_creation_input_tokens: 700 } }]);
  expect(JSON.parse((await harness(scene, 'log', 'session', '1', '--json')).stdout)).toMatchObject({ summary: { tokens_used: tokens } });
});

test('a session that was killed while it was judged has its verdict in the record and in its end', async () => {
  const scene = await projectWithAgent(`${USAGE(0.5)}\n${HONEST}`);
  const { child, ended, seen } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 60_000 }).toContain('"verify.start"');
  child.kill('SIGKILL');
  await ended;
  const next = await harness(scene, 'run', '--json');
  const end = eventsOf(next, 'session.end').find((event) => event['session'] === 1);
  expect(end, next.stdout).toMatchObject({ outcome: 'verified', verdict: expect.any(String), usage: { cache_creation_input_tokens: 700 } });
  const record = (await linesOf(scene, 'sessions')).find((line) => line['session_id'] === 1);
  expect(record).toMatchObject({ outcome: 'verified', verdict: end!['verdict'], tokens_used: { input: 800 } });
  expect(await read(scene, `.harness/verdicts/${String(record!['verdict'])}/verdict.json`)).toContain('"accepted"');
});

describe('the question about a spent budget names what was spent', () => {
  test.each([
    ['session', 'per_session_usd: 1', 'The session has cost $3.25, the limit is $1.00.'],
    ['feature', 'per_feature_usd: 5', 'The feature has cost $6.50, the limit is $5.00.'],
    ['project', 'total_project_usd: 5', 'The project has cost $6.50, the limit is $5.00.'],
  ])('%s', async (scope, limit, words) => {
    const scene = await projectWithAgent(`${USAGE(3.25)}\necho "$HARNESS_SESSION" > half.txt`, { settings: `costs:\n  ${limit}\n` });
    const answers = join(scene.folder, 'answers.json');
    await writeFile(answers, JSON.stringify({ 'project.budget': 'Increase budget' }));
    let run = await harness(scene, 'run', '--json', '--answers', answers);
    if (scope !== 'session') run = await harness(scene, 'run', '--json', '--answers', answers);
    expect(run, run.stderr).toMatchObject({ code: 5, last: { reasons: [`budget.${scope}`] } });
    expect(eventsOf(run, 'escalation').map((event) => event['message'])).toEqual([expect.stringContaining(words)]);
  });
});

test('a continuation is told which session left the work, also when others came in between', async () => {
  const scene = await projectWithAgent('echo half > src/half.txt; echo done for now');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { session: 1 } });
  await setAgent(scene, 'exit 70');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { session: 2 } });
  await setAgent(scene, 'cp "$TMPDIR/prompt.txt" prompt.txt');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { session: 3 } });
  expect(await git(scene, 'show', 'refs/harness/wip/2:prompt.txt')).toContain('partial (claim.none in session 1)');
});

test('entries of the logs go when their time is over, except those of the last session', async () => {
  const scene = await projectWithAgent('echo half > src/half.txt', { settings: 'logging:\n  retention_days: 10\n  level: routine\n' });
  for (const session of [1, 2]) expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { session } });
  const aged = async (file: string): Promise<void> => {
    const lines = await linesOf(scene, file);
    const old = lines.map((line) => JSON.stringify({ ...line, ts: new Date(Date.parse(line.ts) - 20 * 86_400_000).toISOString() }));
    await writeFile(join(scene.project, `.harness/logs/${file}.jsonl`), `${old.join('\n')}\n`);
  };
  for (const file of ['events', 'decisions', 'sessions', 'agent_actions']) await aged(file);
  const records = await read(scene, '.harness/logs/sessions.jsonl');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ last: { session: 3 } });
  const events = await linesOf(scene, 'events');
  const ofSession = (session: number): Line[] => events.filter((line) => line['session'] === session && line.level !== 'critical');
  expect(ofSession(1)).toEqual([]);
  expect(ofSession(2)).not.toEqual([]);
  expect(ofSession(3)).not.toEqual([]);
  expect(events[0]).toMatchObject({ type: 'header' });
  expect(await read(scene, '.harness/logs/sessions.jsonl')).toContain(records.trimEnd());
});

test('traces are in the log with the level debug, and only then', async () => {
  const scene = await projectWithAgent(`${USAGE(0.1)}\n${HONEST}`, { settings: 'logging:\n  level: debug\n' });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
  const traces = (await linesOf(scene, 'events')).filter((line) => line.level === 'debug');
  expect(traces).toContainEqual(
    expect.objectContaining({ type: 'agent.request', session: 1, input_tokens: 3800, output_tokens: 20, latency_ms: expect.any(Number) }),
  );
  const quiet = await projectWithAgent(`${USAGE(0.1)}\n${HONEST}`);
  const run = await harness(quiet, 'run', '--json');
  expect(eventsOf(run, 'agent.request')).toEqual([]);
});

describe('session 0', () => {
  const LIST = JSON.stringify({ project: 'p', features: [{ id: 1, description: 'One', test_file: 'test/one.test.js', passes: false }] });
  const begin = async (script: string): Promise<Scene> => {
    const scene = await emptyScene();
    await writeFile(join(scene.env['HOME']!, 'agent.sh'), `cat > /dev/null\n${USAGE(0.75)}\n${script}\n`);
    await writeFile(join(scene.folder, 'spec.md'), '# One thing\n');
    return scene;
  };
  const args = (scene: Scene): string[] => [
    'init',
    '--spec',
    join(scene.folder, 'spec.md'),
    '--agent',
    'command',
    '--agent-command',
    'sh "$HOME/agent.sh"',
    '--json',
  ];
  const WRITE = `mkdir -p test; echo "import { test } from 'node:test'; test.todo('one');" > test/one.test.js
echo '{ "name": "p", "type": "module", "scripts": { "test": "node --test" } }' > package.json
printf '#!/bin/sh\\n' > init.sh; cp init.sh reset.sh; chmod +x init.sh reset.sh
cat > features.json <<'END'
${LIST}
END`;

  test('of the initializer is in costs and sessions, and one that failed before it as well', async () => {
    const scene = await begin('exit 7');
    expect(await harness(scene, ...args(scene))).toMatchObject({ code: 10 });
    await writeFile(join(scene.env['HOME']!, 'agent.sh'), `cat > /dev/null\n${USAGE(0.75)}\n${WRITE}\n`);
    const run = await harness(scene, ...args(scene));
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
    const records = (await linesOf(scene, 'sessions')).filter((line) => line.type === 'session');
    expect(records).toMatchObject([
      { session_id: 0, prompt: 'initializer', outcome: 'partial', reasons: ['agent.failed'], cost_usd: 0.75 },
      { session_id: 0, prompt: 'initializer', outcome: 'verified', cost_usd: 0.75, commit: await git(scene, 'rev-parse', 'HEAD') },
    ]);
    expect((await costsOf(scene)).cumulative).toMatchObject({ total_sessions: 2, total_cost_usd: 1.5 });
    expect(eventsOf(run, 'session.end')).toMatchObject([{ session: 0, usage: { cache_creation_input_tokens: 700 } }]);
    expect(JSON.parse((await harness(scene, 'log', 'session', '0', '--json')).stdout)).toMatchObject({ summary: { outcome: 'verified' } });
  });

  test('that was killed is paid for by the next command', async () => {
    const scene = await begin('echo working; sleep 300');
    const { child, ended, seen } = startHarness(scene, args(scene));
    await expect.poll(seen, { timeout: 60_000 }).toContain('"text":"working"');
    child.kill('SIGKILL');
    await ended;
    await writeFile(join(scene.env['HOME']!, 'agent.sh'), `cat > /dev/null\n${USAGE(0.75)}\n${WRITE}\n`);
    expect(await harness(scene, ...args(scene))).toMatchObject({ code: 0 });
    const records = (await linesOf(scene, 'sessions')).filter((line) => line.type === 'session');
    expect(records).toMatchObject([
      { session_id: 0, reasons: ['interrupted'], cost_usd: 0.75 },
      { session_id: 0, outcome: 'verified', cost_usd: 0.75 },
    ]);
    expect((await costsOf(scene)).cumulative).toMatchObject({ total_sessions: 2, total_cost_usd: 1.5 });
    expect(await gates(scene)).toEqual([]);
  });
});
