/** Sessions that people, silence or violence end: right code, work kept, nothing left running, the next session continues. */
import { describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, git, harness, processesWith, startHarness, type Scene } from './support.ts';

let marks = 0;
/** A number of seconds that no other process of the machine sleeps for. */
function newMark(): string {
  marks += 1;
  return `${String(process.pid)}${marks}.125`;
}

async function continues(scene: Scene): Promise<void> {
  await setAgent(scene, `test -e src/half.txt && rm src/half.txt && ${HONEST}`);
  const next = await harness(scene, 'run', '--json');
  expect(next, next.stdout + next.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
}

test('a silent agent is stopped, started once more and then ended; its work is kept', async () => {
  const mark = newMark();
  const scene = await projectWithAgent(`echo "$HARNESS_SESSION" >> src/half.txt; echo begun; exec sleep ${mark}`, {
    settings: 'session:\n  silence_seconds: 1\n',
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['stalled'] } });
  expect(eventsOf(run, 'agent.text')).toHaveLength(2);
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/half.txt')).toBe('1\n1');
  expect(await processesWith(mark)).toEqual([]);
  await setAgent(scene, `rm src/half.txt; ${HONEST}`);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

describe('a person', () => {
  test('who pauses from another terminal ends the session with its work kept; resumed, the next one continues', async () => {
    const mark = newMark();
    const scene = await projectWithAgent(`echo half > src/half.txt; echo ready; sleep ${mark} & sleep ${mark}`);
    const { ended, seen } = startHarness(scene, ['run', '--json']);
    await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
    expect((await harness(scene, 'pause')).code).toBe(0);
    const run = await ended;
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['user_pause'] } });
    expect(await processesWith(mark)).toEqual([]);
    const waiting = await harness(scene, 'run', '--json');
    expect(waiting).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
    expect(eventsOf(waiting, 'session.start')).toEqual([]);
    expect((await harness(scene, 'resume')).code).toBe(0);
    await continues(scene);
  });

  test('who presses Ctrl-C ends it with 130; nothing is lost, nothing runs on', async () => {
    const mark = newMark();
    const scene = await projectWithAgent(
      `trap '' INT TERM; echo half > src/half.txt; echo ready; sleep ${mark} & sleep ${mark}; sleep ${mark}`,
      { checked: true },
    );
    const { child, ended, seen } = startHarness(scene, ['run', '--json', '--until-done']);
    await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
    child.kill('SIGINT');
    const run = await ended;
    expect(run, run.stderr).toMatchObject({ code: 130, last: { outcome: 'partial', reasons: ['interrupted'], exit_code: 130 } });
    expect(await processesWith(mark)).toEqual([]);
    await continues(scene);
  });
});

test('an agent killed from outside ends its session as failed, with its work kept', async () => {
  const mark = newMark();
  const scene = await projectWithAgent(`echo half > src/half.txt; echo ready; exec sleep ${mark}`);
  const { ended, seen } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
  await expect.poll(() => processesWith(mark), { timeout: 10_000 }).not.toEqual([]);
  for (const pid of await processesWith(mark)) process.kill(pid, 'SIGKILL');
  const run = await ended;
  expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['agent.failed'] } });
  await continues(scene);
});

describe('a harness killed with -9', () => {
  const hiding = (mark: string): string => `echo half > src/half.txt
setsid sleep ${mark} >/dev/null 2>&1 &
env -i setsid /bin/sh -c 'cd /; exec sleep ${mark}' >/dev/null 2>&1 &
env -i /bin/sh -c '/bin/sleep ${mark} & exec /bin/sleep ${mark}' >/dev/null 2>&1 &
sleep 1; echo ready; sleep ${mark}`;

  test('takes a sandboxed agent and everything it started along', async () => {
    const mark = newMark();
    const scene = await projectWithAgent(hiding(mark), { settings: 'sandbox:\n  mode: auto\n' });
    const { child, ended, seen } = startHarness(scene, ['run', '--json']);
    await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
    child.kill('SIGKILL');
    await ended;
    if ((await bubblewrapHere()).hides) await expect.poll(() => processesWith(mark), { timeout: 10_000 }).toEqual([]);
    await continues(scene);
    expect(await processesWith(mark)).toEqual([]);
  });

  test('leaves an agent without sandbox to the next command, which ends all of it before anything else', async () => {
    const mark = newMark();
    const scene = await projectWithAgent(hiding(mark), { settings: 'sandbox:\n  mode: "off"\n' });
    const { child, ended, seen } = startHarness(scene, ['run', '--json']);
    await expect.poll(seen, { timeout: 30_000 }).toContain('"text":"ready"');
    child.kill('SIGKILL');
    await ended;
    expect((await processesWith(mark)).length).toBeGreaterThanOrEqual(5);
    await setAgent(scene, `test -e src/half.txt && rm src/half.txt && ${HONEST}`);
    const next = startHarness(scene, ['run', '--json']);
    await expect.poll(next.seen, { timeout: 30_000 }).toContain('preflight.check');
    expect(await processesWith(mark)).toEqual([]);
    const run = await next.ended;
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    const kinds = run.events.map((event) => event.type).filter((type) => type === 'state.recovered' || type === 'preflight.check');
    expect(kinds[0]).toBe('state.recovered');
  });
});

test('an unsandboxed agent takes its hidden children along when it ends', async () => {
  const mark = newMark();
  const scene = await projectWithAgent(`env -i setsid /bin/sh -c 'cd /; exec sleep ${mark}' >/dev/null 2>&1 &\nsleep 1\n${HONEST}`, {
    settings: 'sandbox:\n  mode: "off"\n',
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await processesWith(mark)).toEqual([]);
});
