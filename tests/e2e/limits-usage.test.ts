/** Usage limits: shown with their end, waited out, not counted; without an end the session is partial. */
import { describe, expect, test } from 'vitest';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, harness, startHarness, type HarnessLine, type Run } from './support.ts';
import { HONEST_STEPS, projectOnWire } from './wire.ts';

/** A hundred seconds of the harness pass in one. */
const FAST = { HARNESS_TEST_CLOCK_SPEED: '100' };

function waitsOf(run: Run): HarnessLine[] {
  return eventsOf(run, 'session.limit').filter((event) => event['until'] !== undefined);
}

function limitedAt(step: number, fault: Record<string, unknown>): typeof HONEST_STEPS {
  return HONEST_STEPS.map((each, index) =>
    index === step ? { ...each, fault: { kind: 'status', status: 429, ...fault } as never } : each,
  );
}

describe('a usage limit with a reset time', () => {
  test('is waited out in the running session and costs one call; work goes on within a second of the reset', async () => {
    const { scene, server } = await projectOnWire(limitedAt(1, { retry_after: 3 }));
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 1 } });
    expect(server.requests).toHaveLength(HONEST_STEPS.length + 1);
    const [wait] = waitsOf(run);
    const reset = Date.parse(wait?.['until'] as string);
    const next = run.events.find((event) => event.type === 'agent.tool' && Date.parse(event.ts) > Date.parse(wait!.ts));
    expect(reset - Date.parse(wait!.ts)).toBeGreaterThan(2_500);
    expect(Date.parse(next!.ts)).toBeGreaterThanOrEqual(reset - 50);
    expect(Date.parse(next!.ts) - reset).toBeLessThan(1_000);
  });

  test('hours away is waited out as well: the same conversation goes on, the session clock stands still', async () => {
    const { scene, server } = await projectOnWire(
      limitedAt(1, { retry_after: 900 }),
      'session:\n  timeout_minutes: 10\n  timeout_warning_minutes: 9\n',
    );
    const run = await startHarness(scene, ['run', '--json'], FAST).ended;
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 1 } });
    expect(server.requests).toHaveLength(HONEST_STEPS.length + 1);
    expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
    expect(waitsOf(run)).toHaveLength(1);
    expect(eventsOf(run, 'session.start')).toHaveLength(1);
  });

  test('that a command agent names in its last words starts it again at that time, in the same session', async () => {
    const once =
      'if [ ! -e tried ]; then touch tried; date +%s%3N > started; echo "Claude AI usage limit reached|$(( $(date +%s) + 3 ))"; exit 1; fi; rm tried started';
    const scene = await projectWithAgent(`${once}\n${HONEST}`);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 1 } });
    expect(eventsOf(run, 'session.start')).toHaveLength(1);
    const [wait] = waitsOf(run);
    const over = eventsOf(run, 'session.limit').find((event) => event['kind'] === 'usage' && event['until'] === undefined);
    expect(Date.parse(over!.ts) - Date.parse(wait?.['until'] as string)).toBeLessThan(1_000);
  });

  test('whose clock names only the minute that is under way is waited out, and is not tomorrow', async () => {
    const speed = 20;
    const scene = await projectWithAgent('');
    // What the harness's clock shows: it runs faster than that of the machine, from the moment it was started.
    const clock = `$(date -u -d @$((($(date +%s%3N) * ${speed} - ${Date.now() * (speed - 1)}) / 1000)) +%-I:%M%P)`;
    const once = `if [ ! -e tried ]; then touch tried; echo "You have hit your limit · resets ${clock} (UTC)"; exit 1; fi; rm tried`;
    await setAgent(scene, `${once}\n${HONEST}`);
    const run = await startHarness(scene, ['run', '--json'], { HARNESS_TEST_CLOCK_SPEED: String(speed) }).ended;
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 1 } });
    const [wait, ...more] = waitsOf(run);
    expect(more).toEqual([]);
    expect(Date.parse(wait?.['until'] as string) % 60_000).toBe(0);
  });

  test('does not hold a person who interrupts', async () => {
    const { scene } = await projectOnWire(limitedAt(1, { retry_after: 90_000 }));
    const { child, ended, seen } = startHarness(scene, ['run', '--json']);
    await expect.poll(seen, { timeout: 30_000 }).toContain('"until"');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, last: { reasons: ['interrupted'] } });
  });
});

test('a usage limit without a reset time ends the session as partial, and is no failure of the feature', async () => {
  const { scene } = await projectOnWire(limitedAt(1, { times: 99 }));
  for (const session of [1, 2, 3, 4]) {
    const run = await startHarness(scene, ['run', '--json'], { HARNESS_TEST_CLOCK_SPEED: '400' }).ended;
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['usage_limit'], session } });
  }
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
}, 300_000);

test('a repeated run does not hammer a provider whose limit has no known end: it waits between its sessions', async () => {
  const scene = await projectWithAgent('echo "You have reached your usage limit" >&2; exit 1', { checked: true });
  const run = await startHarness(scene, ['run', '--json', '--sessions', '2'], { HARNESS_TEST_CLOCK_SPEED: '300' }).ended;
  expect(run, run.stderr).toMatchObject({ code: 10, last: { reasons: ['usage_limit'], session: 2 } });
  const [first, second] = eventsOf(run, 'session.start');
  expect(Date.parse(second!.ts) - Date.parse(first!.ts)).toBeGreaterThan(15 * 60_000);
  expect(waitsOf(run)).toHaveLength(1);
});
