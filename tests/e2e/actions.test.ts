/** What an agent does is on record, and what it decided reaches the next session. */
import { expect, test } from 'vitest';
import { projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, git, harness, read } from './support.ts';
import { projectOnWire, shell } from './wire.ts';

async function actionsOf(scene: Parameters<typeof read>[0]): Promise<Record<string, unknown>[]> {
  const lines = (await read(scene, '.harness/logs/agent_actions.jsonl')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['type'] !== 'header');
}

test('prefixes are parsed, and a decision is shown to the next session', async () => {
  const scene = await projectWithAgent(`echo '[FILE:WRITE] src/part.txt'; echo part > src/part.txt
echo '[CMD:RUN] npm test'; echo '[CMD:EXIT] 1'; echo '[DECISION] Whole numbers only, because the display has no comma'`);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10 });
  expect(await actionsOf(scene)).toMatchObject([
    { type: 'file_write', path: 'src/part.txt', session: 1 },
    { type: 'cmd_run', cmd: 'npm test' },
    { type: 'cmd_exit', code: 1 },
    { type: 'decision', text: 'Whole numbers only, because the display has no comma' },
  ]);
  expect(eventsOf(run, 'warning').filter((event) => String(event['message']).includes('[CMD:RUN]'))).toEqual([]);
  await setAgent(scene, 'cp "$TMPDIR/prompt.txt" prompt.txt');
  expect((await harness(scene, 'run', '--json')).code).toBe(10);
  expect(await git(scene, 'show', 'refs/harness/wip/2:prompt.txt')).toContain('Whole numbers only, because the display has no comma');
  expect((await harness(scene, 'log', 'query', 'type=decision')).stdout).toContain('Whole numbers only');
});

test('tool calls speak for an agent without prefixes, and that is mentioned once in a run', async () => {
  const { scene } = await projectOnWire([
    shell('echo part > src/part.txt'),
    { tools: [{ name: 'write_file', input: { path: 'src/more.txt', content: 'x' } }] },
    { text: 'Half done.' },
  ]);
  const run = await harness(scene, 'run', '--json', '--sessions', '2');
  expect(await actionsOf(scene)).toMatchObject([
    { type: 'cmd_run', session: 1 },
    { type: 'file_write', path: 'src/more.txt', session: 1 },
    { session: 2 },
    { session: 2 },
  ]);
  expect(eventsOf(run, 'warning').filter((event) => String(event['message']).includes('[CMD:RUN]'))).toHaveLength(1);
});

test('an agent that reports no usage costs an unknown amount, and that is said once in a session', async () => {
  const scene = await projectWithAgent('echo part > src/part.txt; echo done');
  const run = await harness(scene, 'run', '--json');
  expect(eventsOf(run, 'session.end')).toMatchObject([{ cost_usd: null }]);
  expect(eventsOf(run, 'warning').map((event) => event['message'])).toContainEqual(expect.stringContaining('reported no usage'));
});
