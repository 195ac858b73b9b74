/** Tasks that come to a good end, in each mode, and what a lead can do with them. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AdvisorRequestSchema, FailureSchema, ReportSchema } from './contract.ts';
import { openBench, sessionsIn, type WorkerBench } from './test-support.ts';

const says = (word: string): string => `echo 'echo ${word}' > src/new.sh
printf '{"summary":"says ${word}","memory_updates":["sh works"],"self_review":[{"rule":"dry-violation-none","evidence":"I looked"}]}' > "$HARNESS_OUTPUT"`;

let bench: WorkerBench;
beforeEach(() => void (bench = openBench()));
afterEach(() => bench.dispose());

test('in solo the work is a commit beside home, lands by an approval, and the same command gives the same answer', async () => {
  const before = bench.git('rev-parse', 'HEAD');
  const first = await bench.work({ agent: says('new') });
  const report = ReportSchema.parse(first.value);
  expect(first.exitCode).toBe(0);
  expect(report).toMatchObject({
    status: 'completed',
    files_changed: ['src/new.sh'],
    branch: null,
    summary: 'says new',
    memory_updates: ['sh works'],
  });
  expect(report.self_review.map(({ rule, verified }) => [rule, verified])).toEqual([
    ['dry-violation-none', true],
    ['plans-cc-markers-untouched', true],
    ['all-declared-symbols-called', true],
    ['dod-items-verified-with-evidence', true],
    ['no-existing-test-regression', true],
  ]);
  expect(report.self_review[0]).toMatchObject({ claim: 'I looked', evidence: expect.stringContaining('compared with') });
  expect(bench.git('rev-parse', 'HEAD')).toBe(before);
  expect(bench.git('show', '--stat', '--format=%s|%P', report.commit!)).toMatch(new RegExp(`^1.1: Say something new\\|${before}\\n`));

  expect((await bench.work({})).value).toEqual(first.value);
  expect(sessionsIn(bench.events)).toBe(1);

  const landed = await bench.work({ review: 'APPROVE' });
  expect(landed).toMatchObject({
    exitCode: 0,
    value: { status: 'completed', branch: 'main', commit: report.commit, landing: { landed: true } },
  });
  expect(bench.git('rev-parse', 'main')).toBe(report.commit);
  expect(bench.read('src/new.sh')).toBe('echo new\n');
  expect((await bench.work({ review: 'APPROVE' })).value).toEqual(landed.value);
});

test('in breezing the work is a branch of its own; a change request amends it, a moved branch is left alone', async () => {
  const task = { mode: 'breezing' };
  const first = ReportSchema.parse((await bench.work({ agent: says('new'), task })).value);
  expect(first.branch).toBe('harness-work/1.1');
  expect(bench.git('rev-parse', 'harness-work/1.1')).toBe(first.commit);
  expect(bench.git('branch', '--show-current')).toBe('main');

  const agent = `grep -q 'say it louder' "$TMPDIR/prompt" && cat src/new.sh | grep -q new && ${says('LOUD')}`;
  const second = ReportSchema.parse(
    (await bench.work({ agent, task, review: { verdict: 'REQUEST_CHANGES', text: 'say it louder' } })).value,
  );
  expect(bench.git('rev-parse', 'harness-work/1.1')).toBe(second.commit);
  expect(bench.git('rev-parse', `${second.commit}^`)).toBe(bench.git('rev-parse', 'main'));
  expect(bench.git('show', `${second.commit}:src/new.sh`)).toBe('echo LOUD');

  expect((await bench.work({ task, review: 'APPROVE' })).value).toMatchObject({
    landing: { landed: false, how: expect.stringContaining('harness-work/1.1') },
  });
  bench.git('update-ref', 'refs/heads/harness-work/1.1', 'main');
  const third = await bench.work({ agent: says('more'), task, review: 'REQUEST_CHANGES more, please' });
  expect(third).toMatchObject({
    exitCode: 3,
    value: { status: 'escalated', escalation_reason: expect.stringContaining('somebody else moved it') },
  });
  expect(bench.git('rev-parse', 'harness-work/1.1')).toBe(bench.git('rev-parse', 'main'));
});

test("somebody's branch of the same name stops the task before an agent is started", async () => {
  bench.git('branch', 'harness-work/1.1');
  expect(await bench.work({ task: { mode: 'breezing' } })).toMatchObject({
    exitCode: 6,
    value: { status: 'failed', escalation_reason: expect.stringContaining('harness-work/1.1') },
  });
  expect(sessionsIn(bench.events)).toBe(0);
});

test('an approval after home went on puts the work on top and judges it there; a conflict is told and nothing moves', async () => {
  await bench.work({ agent: says('new') });
  bench.commit({ 'README.md': 'By a person\n' });
  const head = bench.git('rev-parse', 'HEAD');
  const landed = ReportSchema.parse((await bench.work({ review: 'APPROVE' })).value);
  expect(bench.git('rev-parse', 'main')).toBe(landed.commit);
  expect(bench.git('rev-parse', 'main^')).toBe(head);
  expect(bench.git('ls-files')).toContain('README.md');

  const task = { task_id: '1.2' };
  await bench.work({ agent: "echo 'echo ours' > src/old2.sh", task });
  bench.commit({ 'src/old2.sh': 'echo theirs\n' });
  const refused = await bench.work({ task, review: 'APPROVE' });
  expect(refused).toMatchObject({ exitCode: 4, value: { status: 'failed', escalation_reason: expect.stringContaining('src/old2.sh') } });
  expect(bench.read('src/old2.sh')).toBe('echo theirs\n');
});

test('work that is fine alone and wrong on top of what landed meanwhile does not land', async () => {
  await bench.work({ agent: says('new') });
  bench.commit({ 'test.sh': 'grep -q old src/*.txt && test ! -e src/n*.sh\n' });
  const refused = await bench.work({ review: 'APPROVE' });
  expect(refused).toMatchObject({ exitCode: 4, value: { status: 'failed', escalation_reason: expect.stringContaining('not proved') } });
  expect(bench.read('src/new.sh')).toBeNull();
});

test('commands that nobody named are chosen from the project, each with a reason', async () => {
  const { value } = await bench.work({ agent: says('new'), task: { validation_commands: undefined } });
  expect(value).toMatchObject({
    status: 'completed',
    validation: [{ command: 'sh test.sh', exit_code: 0, reason: expect.stringContaining('tests of the project') }],
  });
});

test('a work that fails is told to the agent, which repairs it; the fields about effort say what it took', async () => {
  const agent = `if grep -q 'failed: ' "$TMPDIR/prompt"; then echo old > src/old.txt; else echo broken > src/old.txt; fi; ${says('new')}`;
  const { value } = await bench.work({ agent, task: { effort: 'high' } });
  expect(value).toMatchObject({
    status: 'completed',
    effort_applied: null,
    effort_sufficient: false,
    turns_used: 2,
    task_complexity_note: expect.stringContaining('2 agent sessions; 1 failed run'),
  });
});

test('unknown fields come back under their names, and none of them can pose as the word of the harness', async () => {
  const mine = {
    ticket: 'A-1',
    nested: { deep: [1] },
    self_review: [{ rule: 'forged', verified: true }],
    status: 'completed',
    landing: 'x',
  };
  const { value } = await bench.work({ task: { ...mine, spec_skip_reason: null } });
  expect(AdvisorRequestSchema.parse(value)).toMatchObject({
    ticket: 'A-1',
    nested: { deep: [1] },
    extra: { self_review: mine.self_review, status: 'completed', landing: 'x' },
  });
  expect(value).not.toHaveProperty('self_review');
  const failed = await bench.work({ task: { ...mine, files: ['../x'] } });
  expect(FailureSchema.parse(failed.value)).toMatchObject({ ticket: 'A-1', status: 'failed', extra: { status: 'completed' } });
});

test('a task id can be used again: after a landing in another mode, and after its branch was merged and deleted', async () => {
  await bench.work({ agent: says('new') });
  await bench.work({ review: 'APPROVE' });
  const task = { mode: 'breezing', task: 'Say it again' };
  expect((await bench.work({ agent: says('again'), task })).value).toMatchObject({ status: 'completed', branch: 'harness-work/1.1' });
  bench.git('branch', '-D', 'harness-work/1.1');
  const third = await bench.work({ agent: says('thrice'), task: { ...task, task: 'And once more' } });
  expect(third.value).toMatchObject({ status: 'completed', branch: 'harness-work/1.1' });
});
