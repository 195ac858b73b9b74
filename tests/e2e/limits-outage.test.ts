/** Outages: of the provider, and of an agent program that dies at once. Retried in a repeated run, and no feature is blamed. */
import { describe, expect, test } from 'vitest';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, harness, startHarness, type Run, type Scene } from './support.ts';

const FAST = { HARNESS_TEST_CLOCK_SPEED: '10' };
const AWAY = 'echo "API Error: 529 overloaded" >&2; exit 1';

function untilDone(scene: Scene, env: Record<string, string> = FAST): Promise<Run> {
  return startHarness(scene, ['run', '--json', '--until-done'], env).ended;
}

/** Runs `trouble` in each session before the one with this number. */
function worksFrom(session: number, trouble: string): string {
  return `if [ "$HARNESS_SESSION" -lt ${session} ]; then ${trouble}; fi\n${HONEST_BOTH}`;
}

function pausesOf(run: Run): number[] {
  return eventsOf(run, 'session.limit')
    .filter((event) => event['kind'] === 'outage')
    .map((event) => Date.parse(event['until'] as string) - Date.parse(event.ts));
}

describe('a repeated run goes on when it is over, with growing pauses and without a question', () => {
  test.each([
    ['the provider is away', AWAY],
    ['the provider goes away in the middle of the work', `echo half > half.txt; ${AWAY}`],
    ["the agent's program dies at once", 'exit 70'],
  ])('%s', async (_, trouble) => {
    const scene = await projectWithAgent(worksFrom(5, trouble), { checked: true });
    const run = await untilDone(scene);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
    const pauses = pausesOf(run);
    expect(pauses).toHaveLength(4);
    expect(pauses.every((pause, index) => index === 0 || pause > pauses[index - 1]!)).toBe(true);
    expect(eventsOf(run, 'session.end').map((event) => event['outcome'])).toEqual([...Array(4).fill('partial'), 'verified', 'verified']);
    expect(eventsOf(run, 'escalation')).toEqual([]);
    expect(JSON.parse((await harness(scene, 'gates', '--json')).stdout)).toEqual([]);
  });
});

test('features that have not met it come first', async () => {
  const scene = await projectWithAgent(
    `if [ "$HARNESS_FEATURE_ID" = 2 ] && [ "$HARNESS_SESSION" -lt 3 ]; then exit 70; fi\n${HONEST_BOTH}`,
    { checked: true },
  );
  const run = await untilDone(scene);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0 });
  expect(eventsOf(run, 'session.end').map((event) => [event['feature'], event['outcome']])).toEqual([
    [2, 'partial'],
    [3, 'verified'],
    [2, 'verified'],
  ]);
});

test('one that lasts is told, and ends the run with 10 after six hours', async () => {
  const scene = await projectWithAgent(AWAY, { checked: true });
  const run = await untilDone(scene, { HARNESS_TEST_CLOCK_SPEED: '600' });
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['api.unavailable'] } });
  expect(eventsOf(run, 'warning').filter((event) => String(event['message']).includes('not been able to work'))).toHaveLength(1);
  const [first, ...later] = eventsOf(run, 'session.end');
  expect(Date.parse(later.at(-1)!.ts) - Date.parse(first!.ts)).toBeGreaterThanOrEqual(6 * 3_600_000);
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
}, 300_000);

test('an agent that fails after it has changed something is no outage', async () => {
  const scene = await projectWithAgent('echo "$HARNESS_SESSION" > half.txt; exit 70', { checked: true });
  const run = await untilDone(scene);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect(pausesOf(run)).toEqual([]);
});
