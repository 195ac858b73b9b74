/** Runs that keep hours: their end, their beginning, what is under way, and a usage limit that lasts longer. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, startHarness, write, type Run, type Scene } from './support.ts';

const SPEED = 20;
const FAST = { HARNESS_TEST_CLOCK_SPEED: String(SPEED), TZ: 'America/New_York' };
const SLOW_WATCH = 'session:\n  silence_seconds: 360000\n';

/** The time of day in so many minutes, rounded up, as a clock in New York shows it. */
function clockIn(minutes: number): string {
  const at = new Date(Math.ceil((Date.now() + minutes * 60_000) / 60_000) * 60_000);
  return at.toLocaleTimeString('en-GB', { timeZone: 'America/New_York', hour: '2-digit', minute: '2-digit' });
}

async function ownSettings(scene: Scene, text: string): Promise<void> {
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), text);
}

const ends = (run: Run): unknown[][] => eventsOf(run, 'session.end').map(({ feature, outcome, reasons }) => [feature, outcome, reasons]);

test('what is under way at the end is warned, wrapped up and kept; nothing new begins, and nothing is blamed', async () => {
  const scene = await projectWithAgent(`if [ "$HARNESS_FEATURE_ID" = 3 ]; then echo half > half.txt; exec sleep 300; fi\n${HONEST_BOTH}`, {
    checked: true,
    settings: SLOW_WATCH,
  });
  const run = await startHarness(scene, ['run', '--until-done', '--until', clockIn(20), '--json'], FAST).ended;
  expect(run, run.stdout.slice(-2_000) + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['hours.over'] } });
  expect(ends(run)).toEqual([
    [2, 'verified', []],
    [3, 'partial', ['hours.over']],
  ]);
  expect(await git(scene, 'show', 'refs/harness/wip/3:half.txt')).toBe('half');
  expect(eventsOf(run, 'session.inject').map(({ text }) => text)).toEqual([expect.stringContaining('left in this session')]);
  expect(run.last!['message']).toMatch(/the hours of this run are over|would not end by/);
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ stuck_count: 0 });
}, 300_000);

test('a session that could not end in time is not begun', async () => {
  const scene = await projectWithAgent(HONEST_BOTH, { checked: true });
  const run = await startHarness(scene, ['run', '--until-done', '--until', clockIn(1), '--json'], { TZ: 'America/New_York' }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { reasons: ['hours.over'] } });
  expect(eventsOf(run, 'session.start')).toEqual([]);
  expect(run.last!['message']).toContain('sessions here take about 5 min');
});

test('a run that comes too early waits for its hours, in their time zone', async () => {
  const scene = await projectWithAgent(HONEST_BOTH, { checked: true, settings: SLOW_WATCH });
  const opens = new Date(Math.ceil((Date.now() + 15 * 60_000) / 60_000) * 60_000);
  const time = (at: Date): string => at.toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit', minute: '2-digit' });
  const closes = new Date(opens.getTime() + 6 * 3_600_000);
  await ownSettings(scene, `schedule: { not_before: "${time(opens)}", not_after: "${time(closes)}", timezone: Asia/Tokyo }\n`);
  const run = await startHarness(scene, ['run', '--until-done', '--json'], FAST).ended;
  expect(run, run.stdout.slice(-2_000) + run.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  const [wait] = eventsOf(run, 'session.limit').filter(({ kind }) => kind === 'hours');
  expect(wait).toMatchObject({ until: opens.toISOString() });
  expect(Date.parse(eventsOf(run, 'session.start')[0]!.ts)).toBeGreaterThanOrEqual(opens.getTime());
}, 300_000);

test('a usage limit that outlasts the hours ends the run and names both times', async () => {
  const scene = await projectWithAgent('echo "Claude AI usage limit reached|$(( $(date +%s) + 36000 ))"; exit 1', { checked: true });
  const until = clockIn(120);
  const run = await startHarness(scene, ['run', '--until-done', '--until', until, '--json'], { TZ: 'America/New_York' }).ended;
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['usage_limit'] } });
  expect(eventsOf(run, 'session.start')).toHaveLength(1);
  expect(eventsOf(run, 'session.limit').filter((event) => event['until'] !== undefined)).toEqual([]);
  expect(run.last!['message']).toMatch(new RegExp(`usage limit ends .*\\d\\d:\\d\\d.*hours of this run end .*${until}`));
});

test('hours are the affair of the person: a project brings none along, and a wrong time is exit 2', async () => {
  const scene = await projectWithAgent(HONEST_BOTH, { checked: true });
  for (const time of ['7:00', '25:00', 'morning']) expect((await harness(scene, 'run', '--until', time)).code).toBe(2);
  await write(scene, {
    '.harness.yaml': 'project:\n  name: calculator\ntesting:\n  full: npm test\nschedule:\n  not_before: "03:00"\n',
  });
  await git(scene, 'commit', '-q', '-m', 'Hours', '--', '.harness.yaml');
  const refused = await harness(scene, 'run');
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('your own settings do not allow');
});
