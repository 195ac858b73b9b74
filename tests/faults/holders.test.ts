/** One writer: a second process is told who holds the project; a frozen holder keeps it, a dead one does not. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent } from '../e2e/calculator.ts';
import { eventsOf, harness, startHarness, type Scene, type Started } from '../e2e/support.ts';

const SLOW = `echo agent-at-work\nsleep 60\n${HONEST}`;

async function holding(): Promise<{ scene: Scene; first: Started }> {
  const scene = await projectWithAgent(SLOW);
  const first = startHarness(scene, ['run', '--json']);
  await atWork(first);
  return { scene, first };
}

async function atWork(started: Started): Promise<void> {
  for (let tries = 0; tries < 600 && !started.seen().includes('agent-at-work'); tries += 1) await delay(50);
  expect(started.seen()).toContain('agent-at-work');
}

test('a second writer is refused and told who holds the project; a frozen holder keeps it; looking needs no lock; pause reaches it', async () => {
  const { scene, first } = await holding();
  const refused = await harness(scene, 'run', '--json');
  expect(refused.code).toBe(9);
  expect(refused.stderr).toMatch(new RegExp(`process ${first.child.pid} \\(harness run\\).*since \\d{4}-`));
  first.child.kill('SIGSTOP');
  expect(await harness(scene, 'handoff')).toMatchObject({ code: 9 });
  for (const look of ['status', 'health', 'gates']) expect([look, (await harness(scene, look)).code]).toEqual([look, 0]);
  first.child.kill('SIGCONT');
  expect(await harness(scene, 'pause')).toMatchObject({ code: 0 });
  const ended = await first.ended;
  expect(ended.code, ended.stderr).toBe(10);
  expect(ended.last).toMatchObject({ reasons: ['user_pause'] });
});

test('a killed holder is taken over at once, its agent is ended, its work is kept and its session is recorded', async () => {
  const { scene, first } = await holding();
  first.child.kill('SIGKILL');
  await first.ended;
  const next = startHarness(scene, ['run', '--json']);
  await atWork(next);
  await harness(scene, 'pause');
  const ended = await next.ended;
  expect(
    eventsOf(ended, 'state.recovered')
      .map((event) => String(event['what']))
      .join('\n'),
  ).toMatch(/session 1, cut off while working/);
  const log = await harness(scene, 'log', 'session', '1', '--json');
  expect(log.stdout).toContain('"interrupted"');
});
