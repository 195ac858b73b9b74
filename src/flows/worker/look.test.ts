/** What people see of workers' tasks. */
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../../platform/node-platform.ts';
import { workerRows, workerSummaries } from './look.ts';
import { openBench, type WorkerBench } from './test-support.ts';

let bench: WorkerBench;
beforeEach(() => void (bench = openBench()));
afterEach(() => bench.dispose());

const AGENT = `echo '{"type":"usage","input_tokens":5,"output_tokens":1,"cost_usd":0.25}'; echo new > src/new.txt`;

test('each task once, in the order of ids, with what came of it, what it cost and what is next', async () => {
  const stateDir = join(bench.root, '.harness');
  expect(await workerRows(nodePlatform(), stateDir)).toEqual([]);
  const { value } = await bench.work({ agent: AGENT, task: { task_id: '1.10', mode: 'breezing' } });
  await bench.work({ task: { task_id: '1.9', spec_skip_reason: null } });
  await bench.work({ agent: 'echo half > src/new.txt; exit 3', task: { task_id: '2', task: 'Say it\nin two lines' } });
  bench.write({ '.harness/workers/worker-odd/task.json': '{ "half' });
  const rows = await workerRows(nodePlatform(), stateDir);
  expect(rows.map(({ task_id, status, sessions, cost_usd }) => ({ task_id, status, sessions, cost_usd }))).toEqual([
    { task_id: '1.9', status: 'waiting', sessions: 0, cost_usd: 0 },
    { task_id: '1.10', status: 'completed', sessions: 1, cost_usd: 0.25 },
    { task_id: '2', status: 'stopped', sessions: 1, cost_usd: null },
    { task_id: 'worker-odd', status: 'unreadable', sessions: 0, cost_usd: 0 },
  ]);
  expect(rows[0]).toMatchObject({ next: expect.stringContaining('--advice'), reason: expect.stringContaining('spec') });
  expect(rows[1]).toMatchObject({ commit: value['commit'], branch: 'harness-work/1.10', next: expect.stringContaining('git merge') });
  expect(rows[2]).toMatchObject({ task: 'Say it', next: 'harness worker --task TASK', commit: null });
  expect(bench.read('.harness/workers/worker-odd/task.json')).toBe('{ "half');
  const told = await workerSummaries(nodePlatform(), stateDir, new Date(Date.now() + 60_000).toISOString());
  expect(told).toEqual([]);
  const all = await workerSummaries(nodePlatform(), stateDir, null);
  expect(all.map(({ task_id, sessions, sessions_without_cost }) => [task_id, sessions, sessions_without_cost])).toEqual([
    ['1.9', 0, 0],
    ['1.10', 1, 0],
    ['2', 1, 1],
    ['worker-odd', 0, 0],
  ]);
});
