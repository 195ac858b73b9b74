/** `harness worker` as a lead starts it: what is on stdout, modes, silence, kills, many at once. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { exists, git, harness, startHarness, write, type Run, type Scene } from './support.ts';
import { answerIn, CALCULATOR, programs, setAgent, workerScene, writesFunction, writeTask, type Answer } from './worker-agents.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

test('one object on stdout, whatever comes of it; the rest on stderr; a task from stdin', { timeout: 120_000 }, async () => {
  const scene = await workerScene(`echo loud; ${writesFunction('sub', '-')}`);
  const task = { task: 'Subtract', task_id: '1', files: ['src', 'test/sub.test.js'], mode: 'solo', spec_skip_reason: 'mechanical-change' };
  const completed = await piped(scene, JSON.stringify(task), '--task', '-');
  expect(completed.code).toBe(0);
  expect(await answerIn(completed)).toMatchObject({ status: 'completed', files_changed: ['src/sub.js', 'test/sub.test.js'] });
  expect(completed.stderr).toContain('verified: no-existing-test-regression');
  const asked = await harness(
    scene,
    'worker',
    '--task',
    await writeTask(scene, 'b.json', { task: 'x', task_id: '2', spec_skip_reason: null }),
  );
  expect([asked.code, (await answerIn(asked))['reason_code']]).toEqual([8, 'advisor-required']);
  const unusable = await harness(scene, 'worker', '--task', await writeTask(scene, 'c.json', { task: 'x', task_id: '3', mode: 'loop' }));
  expect([unusable.code, (await answerIn(unusable))['status']]).toEqual([2, 'failed']);
  const missing = await harness(scene, 'worker', '--task', 'none.json');
  expect([missing.code, (await answerIn(missing))['escalation_reason']]).toEqual([2, '--task: there is no file none.json.']);
});

test(
  'tests first: red on the base by a run of the harness, with its record; none, or a test that was never red, is not verified',
  { timeout: 180_000 },
  async () => {
    const scene = await workerScene(writesFunction('sub', '-'), {
      ...CALCULATOR,
      '.harness.yaml': 'project:\n  name: calculator\ntesting:\n  full: npm test\ntdd:\n  enforce:\n    enabled: true\n',
      'contract.json': '{"tdd_required": true}',
    });
    const task = { task: 'Subtract', contract_path: 'contract.json' };
    const work = async (name: string): Promise<Answer> =>
      await answerIn(
        await harness(scene, 'worker', '--task', await writeTask(scene, `${name}.json`, { ...task, task_id: name }), ...agent),
      );
    const agent = ['--agent-command', `sh "${join(scene.folder, 'agent', 'agent.sh')}"`];
    expect(await work('honest')).toMatchObject({
      status: 'completed',
      self_review: expect.arrayContaining([expect.objectContaining({ rule: 'tdd-red-evidence-attached', verified: true })]),
    });
    const log = await readFile(join(scene.project, '.claude/state/tdd-red-log/honest.jsonl'), 'utf8');
    expect(JSON.parse(log.split('\n')[0]!)).toMatchObject({
      task_id: 'honest',
      result: 'FAIL',
      test: expect.stringContaining('test/sub.test.js'),
      passes_now: true,
    });

    const evidence = (answer: Answer): unknown =>
      (answer['self_review'] as { rule: string }[]).find((one) => one.rule === 'tdd-red-evidence-attached');
    const pasted = `echo '{"self_review":[{"rule":"tdd-red-evidence-attached","evidence":"FAIL test/sub.test.js"}]}' > "$HARNESS_OUTPUT"`;
    await setAgent(scene, `printf 'export const two = 2;\\nconsole.log(two);\\n' > src/two.js; ${pasted}`);
    expect(evidence(await work('none'))).toMatchObject({
      verified: false,
      claim: 'FAIL test/sub.test.js',
      evidence: expect.stringContaining('no new test'),
    });
    if (!isLong) return;
    await setAgent(
      scene,
      `printf "import assert from 'node:assert';\\nimport test from 'node:test';\\nimport { add } from '../src/add.js';\\ntest('adds more', () => assert.equal(add(2, 2), 4));\\n" > test/more.test.js; ${pasted}`,
    );
    expect(evidence(await work('green'))).toMatchObject({
      verified: false,
      evidence: expect.stringContaining('fails on base'),
    });
  },
);

test('mode codex works by the Codex backend, and gives it the effort', { timeout: 120_000 }, async () => {
  const scene = await workerScene('exit 1');
  const codex = `case "$1" in --version) echo codex-cli 0.166.0; exit;; esac
cat > /dev/null; echo "$*" > src/arguments.txt
echo '{"type":"thread.started","thread_id":"t1"}'; echo '{"type":"item.completed","item":{"id":"1","type":"agent_message","text":"done"}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'`;
  const folder = await programs(scene, { codex });
  const file = await writeTask(scene, 'task.json', { task: 'x', task_id: 'c1', mode: 'codex', effort: 'high' });
  const run = await startHarness(scene, ['worker', '--task', file], { PATH: `${folder}:${scene.env['PATH']}`, OPENAI_API_KEY: 'none' })
    .ended;
  const answer = await answerIn(run);
  expect(answer, run.stderr).toMatchObject({
    status: 'completed',
    mode: 'codex',
    effort_applied: 'high',
    branch: null,
    landing: { how: expect.stringContaining('cherry-pick') },
  });
  const given = await git(scene, 'show', `${String(answer['commit'])}:src/arguments.txt`);
  expect(given).toContain('model_reasoning_effort="high"');
  expect(given).toContain('features.multi_agent=false');
});

test('an agent that is silent is started once more, then the task is escalated, and the report says so', { timeout: 60_000 }, async () => {
  const scene = await workerScene('sleep 300');
  await write(scene, { '.harness.yaml': 'project:\n  name: c\ntesting:\n  full: npm test\nworker:\n  silence_seconds: 1\n' });
  const run = await harness(
    scene,
    'worker',
    '--task',
    await writeTask(scene, 't.json', { task: 'x', task_id: 's' }),
    '--agent-command',
    'sleep 300',
  );
  expect(run.code).toBe(3);
  expect(await answerIn(run)).toMatchObject({
    status: 'escalated',
    escalation_reason: expect.stringContaining('silent'),
    task_complexity_note: expect.stringContaining('stall'),
  });
});

test(
  'killed while the agent works, it goes on with the files that were there; a second worker at the same task waits outside',
  { timeout: 120_000 },
  async () => {
    const scene = await workerScene(
      `if [ -e src/half.txt ]; then grep -q 'was cut off' "$TMPDIR/prompt" && echo whole > src/whole.txt; else echo half > src/half.txt; sleep 300; fi`,
    );
    const file = await writeTask(scene, 't.json', { task: 'x', task_id: 'k' });
    const first = startHarness(scene, ['worker', '--task', file]);
    await until(() => inCopy(scene, 'src/half.txt'));
    const outside = await harness(scene, 'worker', '--task', file);
    expect([outside.code, (await answerIn(outside))['escalation_reason']]).toEqual([9, expect.stringContaining('is at task k')]);
    expect(await rowsOf(scene)).toMatchObject([{ task_id: 'k', status: 'running', running: { pid: first.child.pid } }]);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await rowsOf(scene)).toMatchObject([{ task_id: 'k', status: 'stopped', running: null }]);
    const again = await harness(scene, 'worker', '--task', file);
    expect(await answerIn(again), again.stderr).toMatchObject({
      status: 'completed',
      files_changed: ['src/half.txt', 'src/whole.txt'],
      task_complexity_note: expect.stringContaining('2 agent sessions'),
    });
    expect(await rowsOf(scene)).toMatchObject([{ task_id: 'k', status: 'completed', sessions: 2 }]);
    expect((await harness(scene, 'summary')).stdout).toContain('k  completed: x (solo, commit ');
    const { entries } = JSON.parse((await harness(scene, 'log', 'query', 'type=session.start', '--json')).stdout) as { entries: object[] };
    expect(entries).toMatchObject([{ worker: expect.stringMatching(/^worker-k-/) }, { session: 2 }]);
    const second = JSON.parse((await harness(scene, 'log', 'session', '2', '--json')).stdout) as object;
    expect(second).toMatchObject({ summary: { role: 'worker/worker' } });
  },
);

test('a command that takes the project up leaves a worker and its agent alone', { timeout: 120_000 }, async () => {
  const scene = await workerScene('echo half > src/half.txt; sleep 4; echo whole > src/whole.txt');
  const worker = startHarness(scene, ['worker', '--task', await writeTask(scene, 't.json', { task: 'x', task_id: 'w' })]);
  await until(() => inCopy(scene, 'src/half.txt'));
  const other = await harness(scene, 'workflow', 'plan', 'something else', '--mode', 'single', '--agent-command', 'exit 3', '--yes');
  expect(other.stderr + other.stdout).not.toContain('of an earlier session');
  expect(await answerIn(await worker.ended)).toMatchObject({
    status: 'completed',
    files_changed: ['src/half.txt', 'src/whole.txt'],
    task_complexity_note: expect.stringMatching(/^1 agent session/),
  });
});

test.runIf(isLong)(
  'ten at once on ten tasks, two of them killed and started again: ten reports, none lost, none mixed',
  { timeout: 600_000 },
  async () => {
    const names = Array.from({ length: 10 }, (_, index) => `task-${index}`);
    const scene = await workerScene(
      `task=$(grep -o '^## Task .*' "$TMPDIR/prompt" | cut -c9-); sleep 2; mkdir -p notes; echo "$task" > "notes/$task.md"; printf '{"summary":"%s"}' "$task" > "$HARNESS_OUTPUT"`,
    );
    const files = await Promise.all(
      names.map((name) =>
        writeTask(scene, `${name}.json`, { task: `Note ${name}`, task_id: name, files: ['notes'], mode: 'solo', correlation: name }),
      ),
    );
    const started = files.map((file) => startHarness(scene, ['worker', '--task', file]));
    await until(async () => (await laneCount(scene)) >= 10);
    for (const victim of [started[3]!, started[7]!]) victim.child.kill('SIGKILL');
    const runs = await Promise.all(
      started.map(async (one, index) =>
        [3, 7].includes(index) ? await one.ended.then(() => harness(scene, 'worker', '--task', files[index]!)) : await one.ended,
      ),
    );
    const answers = await Promise.all(runs.map(answerIn));
    for (const [index, answer] of answers.entries())
      expect(answer, runs[index]!.stderr).toMatchObject({
        status: 'completed',
        task: `Note ${names[index]}`,
        summary: names[index],
        correlation: names[index],
        files_changed: [`notes/${names[index]}.md`],
      });
    expect(new Set(answers.map((answer) => answer['commit'])).size).toBe(10);
    const costs = await readFile(join(scene.project, '.harness/costs.yaml'), 'utf8');
    expect(Number(/total_sessions: (\d+)/.exec(costs)![1])).toBe(new Set(costs.match(/session_id: \d+/g)).size);
    const review = join(scene.folder, 'project', '..', 'approve.txt');
    await write(scene, { '../approve.txt': 'APPROVE' });
    const landed = await Promise.all(files.map((file) => harness(scene, 'worker', '--task', file, '--review', review)));
    for (const run of landed) expect(await answerIn(run), run.stderr).toMatchObject({ landing: { landed: true } });
    expect((await git(scene, 'ls-files', 'notes')).split('\n')).toEqual(names.map((name) => `notes/${name}.md`));
  },
);

function piped(scene: Scene, input: string, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [program, 'worker', ...args, '--cwd', scene.project], { env: scene.env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString('utf8')));
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString('utf8')));
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr, events: [], last: undefined })));
}

async function rowsOf(scene: Scene): Promise<unknown> {
  return (JSON.parse((await harness(scene, 'status', '--json')).stdout) as { workers: unknown }).workers;
}

async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function lanes(scene: Scene): Promise<string[]> {
  const work = join(scene.env['HARNESS_HOME']!, 'work');
  const [project] = await readdir(work).catch(() => []);
  if (project === undefined) return [];
  return (await readdir(join(work, project))).filter((name) => name.startsWith('worker-')).map((name) => join(work, project, name, 'tree'));
}

async function inCopy(scene: Scene, path: string): Promise<boolean> {
  const found = await Promise.all((await lanes(scene)).map((lane) => exists(join(lane, path))));
  return found.includes(true);
}

async function laneCount(scene: Scene): Promise<number> {
  const ready = await Promise.all((await lanes(scene)).map((lane) => exists(join(lane, 'package.json'))));
  return ready.filter(Boolean).length;
}
