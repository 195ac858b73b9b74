/** Cut off at every write of the task's state, and interrupted, and out of money: the same command goes on, and what comes out is the same. */
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLong } from '../../domain/test-support-long.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import { folderStore } from '../../store/folder-store.ts';
import { openBench, PROJECT, sessionsIn, type WorkerBench } from './test-support.ts';

class Crash extends Error {}

/** Dies at the n-th write of the state: before it reaches the disk, or right after. From then on nothing can be written. */
function dying(at: number, when: 'before' | 'after', phases: string[] = []): (platform: Platform) => Platform {
  return (platform) => {
    let [writes, dead] = [0, false];
    const { writeAtomic, remove } = platform.files;
    const files: Platform['files'] = {
      ...platform.files,
      writeAtomic: async (path, data, mode) => {
        if (dead) throw new Crash();
        const isState = basename(path) === 'task.json';
        if (isState) phases.push((JSON.parse(String(data)) as { state: { phase: string } }).state.phase);
        const now = isState && writes++ === at;
        if (!now || when === 'after') await writeAtomic(path, data, mode);
        if (!now) return;
        dead = true;
        throw new Crash();
      },
      remove: async (path) => {
        if (!dead || basename(path).startsWith('lock')) await remove(path);
      },
    };
    return { ...platform, files };
  };
}

let bench: WorkerBench;
beforeEach(() => void (bench = openBench()));
afterEach(() => bench.dispose());

const AGENT = 'echo new > src/new.txt';
const TASK = { mode: 'breezing' };
const NEVER = 999;

async function answerAfter(at: number, when: 'before' | 'after'): Promise<unknown> {
  await expect(bench.work({ agent: AGENT, task: TASK, on: dying(at, when) })).rejects.toThrow();
  const { value, exitCode } = await bench.work({ agent: AGENT, task: TASK });
  const head = bench.git('rev-parse', 'harness-work/1.1');
  return {
    exitCode,
    status: value['status'],
    files: value['files_changed'],
    isBranch: head === value['commit'],
    text: bench.git('show', `${head}:src/new.txt`),
  };
}

const DONE = { exitCode: 0, status: 'completed', files: ['src/new.txt'], isBranch: true, text: 'new' };
const WRITES = ['examining', 'ready', 'working', 'proving', 'committing', 'branching', 'finished'];

test('a task writes its state after every event', async () => {
  const phases: string[] = [];
  await bench.work({ agent: AGENT, task: TASK, on: dying(NEVER, 'before', phases) });
  expect(phases).toEqual(WRITES);
});

const points = WRITES.flatMap((phase, at) => (['before', 'after'] as const).map((when) => ({ at, when, phase })));

test.each(isLong ? points : points.filter(({ phase, when }) => (phase === 'working') === (when === 'after')))(
  'cut off $when the write of $phase',
  async ({ at, when }) => {
    expect(await answerAfter(at, when)).toEqual(DONE);
  },
);

test.each(['before', 'after'] as const)('an approval that is cut off %s a write lands once', async (when) => {
  const { value } = await bench.work({ agent: AGENT });
  await expect(bench.work({ review: 'APPROVE', on: dying(0, when) })).rejects.toThrow();
  await expect(bench.work({ review: 'APPROVE', on: dying(when === 'before' ? 1 : 0, when) })).rejects.toThrow();
  expect((await bench.work({ review: 'APPROVE' })).value).toMatchObject({ commit: value['commit'], landing: { landed: true } });
  expect(bench.git('log', '--format=%H', '-2').split('\n')).toEqual([value['commit'], bench.git('rev-parse', 'main^')]);
});

test('a landing that was cut off between the branch and the files is finished, also past a lock that git left', async () => {
  const { value } = await bench.work({ agent: AGENT });
  bench.git('update-ref', 'refs/heads/main', String(value['commit']));
  bench.setState({ phase: 'landing' });
  bench.write({ '.git/index.lock': 'half' });
  expect((await bench.work({ review: 'APPROVE' })).value).toMatchObject({ landing: { landed: true } });
  expect(bench.read('src/new.txt')).toBe('new\n');
  expect(bench.git('status', '--porcelain')).toBe('');
});

describe('what ends a session early', () => {
  test('an interrupt: the files are kept, and the next command goes on', async () => {
    const stop = new AbortController();
    const first = bench.work({ agent: 'echo half > src/half.txt; echo ready; sleep 300', hold: { signal: stop.signal } });
    while (!bench.events.some((event) => event.type === 'agent.text')) await nodePlatform().clock.sleep(20);
    stop.abort();
    expect(await first).toMatchObject({ exitCode: 130, value: { status: 'failed' } });
    expect((await bench.work({ agent: 'test -e src/half.txt && echo whole > src/whole.txt' })).value).toMatchObject({
      status: 'completed',
      files_changed: ['src/half.txt', 'src/whole.txt'],
    });
  });

  test("an agent that fails is 10, and what it cost is in the project's books; a budget that is used up is 5", async () => {
    bench.commit({ '.harness.yaml': `${PROJECT['.harness.yaml']}costs:\n  total_project_usd: 0.4\n` });
    const costly = `echo '{"type":"usage","input_tokens":5,"output_tokens":1,"cost_usd":0.3}'; sleep 1; exit 7`;
    expect(await bench.work({ agent: costly })).toMatchObject({ exitCode: 10, value: { status: 'failed' } });
    expect(bench.read('.harness/costs.yaml')).toContain('total_cost_usd: 0.3');
    expect(await bench.work({ agent: costly })).toMatchObject({ exitCode: 5 });
    expect(bench.read('.harness/costs.yaml')).toContain('total_cost_usd: 0.6');
    const started = sessionsIn(bench.events);
    expect(await bench.work({ agent: AGENT, task: { task_id: '2' } })).toMatchObject({ exitCode: 5 });
    expect(sessionsIn(bench.events)).toBe(started);
  });

  test("the project's lock is waited for, then it is 9", async () => {
    bench.commit({ '.harness.yaml': `${PROJECT['.harness.yaml']}worker:\n  lock_wait_seconds: 1\n` });
    const project = folderStore(nodePlatform(), join(bench.root, '.harness'));
    await project.hold('somebody', async () => {
      expect(await bench.work({ agent: AGENT })).toMatchObject({
        exitCode: 9,
        value: { status: 'failed', escalation_reason: expect.stringContaining('somebody') },
      });
      expect(sessionsIn(bench.events)).toBe(0);
    });
    expect((await bench.work({ agent: AGENT })).value).toMatchObject({ status: 'completed' });
  });
});

test('a state that names what is not there is told with its field and left alone', async () => {
  await bench.work({ agent: AGENT });
  bench.setState({ commit: 'f'.repeat(40) });
  expect(await bench.work({})).toMatchObject({ exitCode: 2, value: { escalation_reason: expect.stringContaining('state.commit') } });
  bench.setState({ phase: 'elsewhere' });
  expect(await bench.work({})).toMatchObject({ exitCode: 2, value: { escalation_reason: expect.stringContaining('phase') } });
});

test('a branch that somebody looks at is not moved under their feet', async () => {
  await bench.work({ agent: AGENT, task: TASK });
  bench.git('worktree', 'add', '-q', join(bench.folder, 'look'), 'harness-work/1.1');
  const review = 'REQUEST_CHANGES more';
  expect(await bench.work({ agent: 'echo more > src/new.txt', task: TASK, review })).toMatchObject({
    exitCode: 6,
    value: { escalation_reason: expect.stringContaining('checked out') },
  });
  bench.git('worktree', 'remove', join(bench.folder, 'look'));
  const { value } = await bench.work({ task: TASK });
  expect(value).toMatchObject({ status: 'completed' });
  expect(bench.git('show', 'harness-work/1.1:src/new.txt')).toBe('more');
});
