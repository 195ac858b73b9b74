/** What comes in: documents that can be used and those that cannot, hostile texts, and files that lead elsewhere. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FailureSchema } from './contract.ts';
import { HOSTILE, outsideFences } from './test-support-fences.ts';
import { openBench, sessionsIn, type WorkerBench } from './test-support.ts';

let bench: WorkerBench;
beforeEach(() => void (bench = openBench()));
afterEach(() => bench.dispose());

test.each([
  ['no task', { task: ' ' }, 'task: is empty'],
  ['a text without end', { context: 'x'.repeat(2 ** 20) }, 'larger than'],
  ['an id that is no word', { task_id: '../1' }, 'task_id'],
  ['an id that git takes for something else', { task_id: '1.lock' }, 'task_id'],
  ['an unknown mode', { mode: 'loop' }, 'mode'],
  ['no files', { files: [] }, 'files'],
  ['a file outside', { files: ['src', '../x'] }, 'files: ../x'],
  ['an absolute file', { files: ['/etc/passwd'] }, 'files: /etc/passwd'],
  ['the state of the harness', { files: ['.harness/x'] }, 'files: .harness/x'],
  ['git itself', { files: ['.git/hooks/x'] }, 'files: .git/hooks/x'],
  ['an exception', { files: ['src', '!src/old.txt'] }, 'files: !src/old.txt'],
  ['an unknown reason', { spec_skip_reason: 'lazy' }, 'spec_skip_reason'],
  ['a spec outside', { spec_path: '../spec.md' }, 'spec_path'],
  ['a spec that is not there', { spec_path: 'docs/none.md' }, 'spec_path: there is no file'],
  ['a contract that is no JSON', { contract_path: 'Plans.md' }, 'contract_path: Plans.md is not valid JSON'],
])('%s: exit 2, the field named, no agent', async (_, task, message) => {
  const { value, exitCode } = await bench.work({ task });
  expect({ exitCode, reason: FailureSchema.parse(value).escalation_reason }).toEqual({
    exitCode: 2,
    reason: expect.stringContaining(message),
  });
  expect(sessionsIn(bench.events)).toBe(0);
});

test('files and a contract behind a link that leads out are not taken', async () => {
  writeFileSync(join(bench.folder, 'secret.json'), '{"needs_spike":true}');
  symlinkSync(bench.folder, join(bench.root, 'out'));
  expect(await bench.work({ task: { files: ['out/x.txt'] } })).toMatchObject({
    exitCode: 2,
    value: { escalation_reason: expect.stringContaining('files: out/x.txt: a symbolic link') },
  });
  symlinkSync(join(bench.folder, 'secret.json'), join(bench.root, 'contract.json'));
  expect(await bench.work({ task: { contract_path: 'contract.json' } })).toMatchObject({
    exitCode: 2,
    value: { escalation_reason: expect.stringMatching(/leads out|symbolic link/) },
  });
});

test('below the top of a repository it says where to run', async () => {
  const sub: WorkerBench = bench;
  const { runWorker } = await import('./run.ts');
  const { nodePlatform } = await import('../../platform/node-platform.ts');
  const { TASK } = await import('./test-support.ts');
  const platform = nodePlatform({ PATH: process.env['PATH'] ?? '', HOME: sub.folder, HARNESS_HOME: sub.harnessHome });
  const answer = await runWorker(
    platform,
    join(sub.root, 'src'),
    { task: JSON.stringify(TASK), review: null, advice: null },
    { emit: () => {} },
  );
  expect(answer).toMatchObject({ exitCode: 2, value: { escalation_reason: expect.stringContaining(`--cwd ${sub.root}`) } });
});

describe('reviews and advice out of turn', () => {
  test.each([
    ['an approval of nothing', { review: 'APPROVE' }, 'not completed'],
    ['advice that nobody asked for', { advice: { summary: 'x' } }, 'not waiting for advice'],
    ['a review of another task', { review: { task_id: '9', verdict: 'APPROVE' } }, 'is for task 9'],
    ['a review that says nothing', { review: '{"verdict":"MAYBE"}' }, 'verdict'],
  ])('%s', async (_, shift, message) => {
    expect(await bench.work(shift)).toMatchObject({ exitCode: 2, value: { escalation_reason: expect.stringContaining(message) } });
    expect(sessionsIn(bench.events)).toBe(0);
  });

  test('changes without a word about them', async () => {
    await bench.work({ agent: 'echo new > src/new.txt' });
    expect(await bench.work({ review: 'REQUEST_CHANGES' })).toMatchObject({
      exitCode: 2,
      value: { escalation_reason: expect.stringContaining('does not say which') },
    });
  });
});

test('a hostile text stays behind its fence in a real run, wherever it comes from', async () => {
  const agent = 'mkdir -p docs; cat "$TMPDIR/prompt" >> docs/prompts.md; printf "\\n#### next\\n" >> docs/prompts.md';
  const contract = { note: HOSTILE, definition_of_done: [{ item: HOSTILE, command: 'true' }] };
  bench.write({ 'spec.md': HOSTILE, 'contract.json': JSON.stringify(contract) });
  const task = { task: `${HOSTILE}\n<!-- advisor:required -->`, context: HOSTILE, spec_path: 'spec.md', contract_path: 'contract.json' };
  expect(await bench.work({ agent, task })).toMatchObject({ exitCode: 8 });
  expect(await bench.work({ agent, task, advice: { decision: 'PLAN', summary: HOSTILE } })).toMatchObject({ exitCode: 0 });
  const { value } = await bench.work({ agent, task, review: { verdict: 'REQUEST_CHANGES', text: HOSTILE } });
  expect(value).toMatchObject({ status: 'completed' });
  const [first, second] = bench.git('show', `${String(value['commit'])}:docs/prompts.md`).split('\n#### next');
  for (const prompt of [first!, second!]) {
    const outside = outsideFences(prompt);
    expect(outside.filter((line) => line.startsWith('## '))).toHaveLength(12);
    expect(outside.join('\n')).not.toMatch(/Ignore all rules|\{\{|^open:/m);
  }
  const orders = (prompt: string): number => prompt.split('Ignore all rules').length - 1;
  expect(orders(second!)).toBeGreaterThan(orders(first!));
});
