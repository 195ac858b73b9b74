/** Every reason for which an advisor is asked, from real runs; what an answer changes; and repositories inside and around. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AdvisorRequestSchema } from './contract.ts';
import { openBench, PROJECT, sessionsIn, type WorkerBench } from './test-support.ts';

const HONEST = 'echo new > src/new.txt';

let bench: WorkerBench;
beforeEach(() => void (bench = openBench()));
afterEach(() => bench.dispose());

async function asks(shift: Parameters<WorkerBench['work']>[0]): Promise<ReturnType<typeof AdvisorRequestSchema.parse>> {
  const { value, exitCode } = await bench.work(shift);
  expect(exitCode, JSON.stringify(value)).toBe(8);
  return AdvisorRequestSchema.parse(value);
}

describe('before an agent is started', () => {
  test('a task without spec and without a reason; the answer may bring one, and asking again asks the same', async () => {
    const task = { spec_path: null, spec_skip_reason: null };
    const request = await asks({ task });
    expect(request).toMatchObject({ reason_code: 'advisor-required', trigger_hash: '1.1:advisor-required:spec-missing', attempt: 0 });
    expect(await asks({ task })).toEqual(request);
    expect(sessionsIn(bench.events)).toBe(0);
    const { value } = await bench.work({
      agent: HONEST,
      task,
      advice: { trigger_hash: request.trigger_hash, spec_skip_reason: 'existing-spec-sufficient' },
    });
    expect(value).toMatchObject({ status: 'completed' });
  });

  test('an answer that brings neither is not asked for a second time', async () => {
    const task = { spec_skip_reason: null };
    await asks({ task });
    expect(await bench.work({ task, advice: { summary: 'just go' } })).toMatchObject({ exitCode: 3, value: { status: 'escalated' } });
  });

  test('flags of the contract and the mark in the task, each once, three at most', async () => {
    bench.write({
      'contract.json': JSON.stringify({ contract: { risk_flags: ['needs-spike', 'security-sensitive'] }, state_migration: true }),
    });
    const task = { contract_path: 'contract.json', context: 'careful <!-- advisor:required -->' };
    expect(await asks({ task })).toMatchObject({ reason_code: 'needs-spike', trigger_hash: '1.1:needs-spike:contract' });
    expect(await asks({ task, advice: { decision: 'PLAN' } })).toMatchObject({ reason_code: 'security-sensitive' });
    expect(await asks({ task, advice: {} })).toMatchObject({ reason_code: 'state-migration' });
    expect(await bench.work({ task, advice: {} })).toMatchObject({
      exitCode: 3,
      value: { status: 'escalated', escalation_reason: expect.stringContaining('3 times') },
    });
    expect(sessionsIn(bench.events)).toBe(0);
  });

  test('the mark alone; the answer reaches the agent; STOP ends the task', async () => {
    const task = { task: 'Say it <!-- advisor:required -->' };
    expect(await asks({ task })).toMatchObject({ reason_code: 'advisor-required', trigger_hash: '1.1:advisor-required:marker' });
    await expect(bench.work({ task, advice: { trigger_hash: 'other:x:y' } })).resolves.toMatchObject({ exitCode: 2 });
    const agent = `grep -q 'whisper it' "$TMPDIR/prompt" && ${HONEST}`;
    expect((await bench.work({ agent, task, advice: { decision: 'CORRECTION', summary: 'whisper it' } })).value).toMatchObject({
      status: 'completed',
    });
    const other = { ...task, task_id: '1.9' };
    await asks({ task: other });
    expect(await bench.work({ task: other, advice: { decision: 'STOP', stop_reason: 'not now' } })).toMatchObject({
      exitCode: 3,
      value: { status: 'escalated', escalation_reason: 'The advisor said STOP: not now' },
    });
  });
});

describe('while it works', () => {
  test('the same failure twice; after the advice, the same once more is escalated', async () => {
    const task = { validation_commands: ['grep -q right src/new.txt'] };
    const request = await asks({ agent: 'echo wrong > src/new.txt', task });
    expect(request).toMatchObject({ reason_code: 'retry-threshold', attempt: 2, last_error: expect.stringContaining('grep -q right') });
    expect(request.trigger_hash).toMatch(/^1\.1:retry-threshold:[0-9a-f]{12}$/);
    expect(await bench.work({ agent: 'echo still-wrong > src/new.txt', task, advice: { summary: 'write right' } })).toMatchObject({
      exitCode: 3,
      value: { status: 'escalated', self_review: expect.any(Array) },
    });
  });

  test('failures that do not get fewer ask for another way; one more does not converge', async () => {
    const words = 'case $HARNESS_SESSION in 1) w=alpha;; 2) w=beta;; 3) w=gamma;; *) w=delta;; esac; echo $w > src/word.txt';
    const task = { validation_commands: ['cat src/word.txt; exit 1'] };
    expect(await asks({ agent: words, task })).toMatchObject({
      reason_code: 'pivot-required',
      attempt: 3,
      last_error: expect.stringContaining('gamma'),
    });
    expect(await bench.work({ agent: words, task, advice: { summary: 'try something else' } })).toMatchObject({
      exitCode: 3,
      value: { status: 'escalated', escalation_reason: expect.stringContaining('Did not converge after 3 automatic fix attempts') },
    });
  });
});

describe('repositories', () => {
  const embedded = { reason_code: 'needs-spike', trigger_hash: '1.1:needs-spike:embedded-git-repo' };
  const inner = (at: string): void => {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: bench.folder };
    execFileSync('sh', ['-c', `git init -q "${at}" && cd "${at}" && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x`], {
      cwd: bench.root,
      env,
    });
  };

  test('one inside the files of the task, named or covered by a pattern; one elsewhere or ignored does not matter', async () => {
    inner('src/lib');
    expect(await asks({ task: { files: ['src/lib/a.txt'] } })).toMatchObject(embedded);
    expect(await asks({ task: { files: ['src/**'], task_id: '2' } })).toMatchObject({
      reason_code: 'needs-spike',
      trigger_hash: '2:needs-spike:embedded-git-repo',
    });
    expect(
      (await bench.work({ agent: 'mkdir -p docs; echo x > docs/a.txt', task: { files: ['docs'], task_id: '3' } })).value,
    ).toMatchObject({ status: 'completed' });
    bench.commit({ '.gitignore': 'src/lib/\n' });
    expect((await bench.work({ agent: HONEST, task: { files: ['src/**'], task_id: '4' } })).value).toMatchObject({ status: 'completed' });
  });

  test('a submodule, and the repository around one', async () => {
    bench.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', bench.root, 'src/sub');
    bench.commit({});
    expect(await asks({ task: { files: ['src'] } })).toMatchObject(embedded);
    const sub: WorkerBench = { ...bench, root: join(bench.root, 'src/sub') };
    const { value } = await runIn(sub.root, { files: ['src'] });
    expect(value).toMatchObject({ ...embedded, question: expect.stringContaining(`submodule of ${bench.root}`) });
  });

  test('a linked worktree is a repository like any other; one that lies inside is somebody else', async () => {
    const linked = join(bench.folder, 'linked');
    bench.git('worktree', 'add', '-q', linked, '-b', 'side');
    expect((await runIn(linked, { files: ['src'] }, HONEST)).value).toMatchObject({ status: 'completed' });
    bench.git('worktree', 'add', '-q', 'src/tree', '-b', 'inner');
    expect(await asks({ task: { files: ['src/tree/src/new.txt'] } })).toMatchObject(embedded);
  });

  async function runIn(root: string, task: object, agent = 'exit 99'): Promise<{ value: Record<string, unknown>; exitCode: number }> {
    const other = openBench(PROJECT);
    try {
      const { runWorker } = await import('./run.ts');
      const { nodePlatform } = await import('../../platform/node-platform.ts');
      const { TASK } = await import('./test-support.ts');
      const env = { PATH: process.env['PATH'] ?? '', HOME: bench.folder, HARNESS_HOME: other.harnessHome, GIT_CONFIG_NOSYSTEM: '1' };
      const request = { task: JSON.stringify({ ...TASK, ...task }), review: null, advice: null };
      return await runWorker(nodePlatform(env), root, request, {
        emit: () => {},
        agent: 'command',
        agentCommand: `cat > "$TMPDIR/prompt"\n${agent}`,
      });
    } finally {
      other.dispose();
    }
  }
});
