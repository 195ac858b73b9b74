/** A session whose harness was killed: what its agent had spent is in the costs, once, and nothing of it runs on. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from '../e2e/calculator.ts';
import { exists, harness, processesWith, read, startHarness } from '../e2e/support.ts';

interface Costs {
  current_session: { session_id: number; cost_usd: number };
  cumulative: { total_sessions: number; total_cost_usd: number; total_tokens: { input: number; output: number } };
}

test('the costs of a session that was cut off are recorded once, and its processes are ended', async () => {
  const mark = `cut-off-${String(process.pid)}`;
  const scene = await projectWithAgent('');
  const usage = '{"type":"usage","input_tokens":1000,"output_tokens":50,"cost_usd":0.25}';
  await writeFile(
    join(scene.env['HOME']!, 'agent.sh'),
    `cat > /dev/null\necho '${usage}'\nif [ ! -e src/subtract.js ]; then echo begun > src/subtract.js; sh -c "sleep 300; exit 1" ${mark}; exit 1; fi\n${HONEST}\n`,
  );
  const started = startHarness(scene, ['run', '--json']);
  const journal = join(scene.project, '.harness/logs/events.jsonl');
  for (let tries = 0; tries < 600; tries += 1) {
    if ((await exists(journal)) && (await read(scene, '.harness/logs/events.jsonl')).includes('"agent.usage"')) break;
    await delay(100);
  }
  await delay(300);
  started.child.kill('SIGKILL');
  await started.ended;
  const skip = await harness(scene, 'skip', '--feature', '3');
  expect(skip, skip.stderr).toMatchObject({ code: 0 });
  const after = parse(await read(scene, '.harness/costs.yaml')) as Costs;
  expect(after.current_session).toMatchObject({ session_id: 1, cost_usd: 0.25 });
  expect(after.cumulative).toMatchObject({ total_sessions: 1, total_cost_usd: 0.25, total_tokens: { input: 1000, output: 50 } });
  expect(await processesWith(mark)).toEqual([]);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 2 } });
  const end = parse(await read(scene, '.harness/costs.yaml')) as Costs;
  expect(end.cumulative).toMatchObject({ total_sessions: 2, total_cost_usd: 0.5, total_tokens: { input: 2000, output: 100 } });
});
