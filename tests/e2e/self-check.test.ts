/** Before anything runs without a person, cheats are planted into the project's own test set-up. */
import { describe, expect, test } from 'vitest';
import type { SelfCheck } from '../../src/verify/self-check/self-check.ts';
import { HONEST, projectWithAgent } from './calculator.ts';
import { commitAll, eventsOf, gates, git, harness, read, write, type Run, type Scene } from './support.ts';

const IDLE = 'echo nothing to do';
const PATIENT = 'features:\n  max_stuck_sessions: 50\n';

function checksOf(run: Run): unknown[] {
  return eventsOf(run, 'preflight.check').filter((event) => event['name'] === 'self-check');
}

async function note(scene: Scene): Promise<Record<string, unknown>> {
  return JSON.parse(await read(scene, '.harness/self_check.json')) as Record<string, unknown>;
}

test('a sound project is checked once for its set-up, and again when the set-up changes', async () => {
  const scene = await projectWithAgent(IDLE, { settings: PATIENT });
  const single = await harness(scene, 'run', '--json');
  expect(single, single.stderr).toMatchObject({ code: 10 });
  expect(checksOf(single)).toEqual([]);

  const first = await harness(scene, 'run', '--sessions', '2', '--json');
  expect(checksOf(first), first.stderr).toMatchObject([{ state: 'passed', detail: 'node:test: 13 planted cheats are noticed' }]);
  expect(await note(scene)).toMatchObject({ state: 'sound', runner: 'node:test', passing: [], accepted: null });
  const again = await harness(scene, 'run', '--sessions', '2', '--json');
  expect(checksOf(again)).toEqual([]);
  expect(eventsOf(again, 'session.start'), again.stderr).toHaveLength(2);

  const manifest = { name: 'calculator', type: 'module', scripts: { test: 'node --test --test-concurrency=1' } };
  await write(scene, { 'package.json': `${JSON.stringify(manifest)}\n` });
  await commitAll(scene, 'One test file at a time');
  const changed = await harness(scene, 'run', '--sessions', '2', '--json');
  expect(checksOf(changed), changed.stderr).toMatchObject([{ state: 'passed' }]);
  expect(eventsOf(changed, 'session.start')).toHaveLength(2);
}, 300_000);

describe('a project whose own settings let a cheat through', () => {
  const OPEN = { settings: `${PATIENT}verification:\n  red_check: false\n` };

  test('does not run unattended until a person takes the risk, and asks again when the set-up changes', async () => {
    const scene = await projectWithAgent(IDLE, OPEN);
    const refused = await harness(scene, 'run', '--until-done', '--yes', '--json');
    expect(refused, refused.stderr).toMatchObject({ code: 8, last: { reasons: ['gate.pending', 'verification.unsound'] } });
    expect(eventsOf(refused, 'session.start')).toHaveLength(1);
    expect(await gates(scene)).toMatchObject([{ id: 'project.self-check', options: [{ label: 'Accept the risk' }, { label: 'Stop' }] }]);
    expect(await read(scene, '.harness/escalation.md')).toContain('weaken tests');

    expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10 });
    expect(await harness(scene, 'run', '--until-done', '--json')).toMatchObject({ code: 8 });
    expect(await harness(scene, 'answer', 'project.self-check', 'accept the risk')).toMatchObject({ code: 0 });
    const accepted = await harness(scene, 'run', '--sessions', '2', '--json');
    expect(eventsOf(accepted, 'session.start').length, accepted.stderr).toBeGreaterThan(0);
    expect(await note(scene)).toMatchObject({ state: 'unsound', passing: ['weaken tests'], accepted: { by: 'command' } });

    await write(scene, { 'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test test/" } }\n' });
    await commitAll(scene, 'Another test command');
    expect(await harness(scene, 'run', '--sessions', '2', '--json')).toMatchObject({ code: 8 });
  }, 300_000);

  test('lands nothing and stays refused where the answer is to stop, with a code of its own', async () => {
    const scene = await projectWithAgent(HONEST, { ...OPEN, files: { 'answers.json': '{ "project.self-check": "Stop" }\n' } });
    const before = await git(scene, 'rev-parse', 'HEAD');
    const run = await harness(scene, 'run', '--sessions', '2', '--answers', `${scene.project}/answers.json`, '--json');
    expect(run, run.stderr).toMatchObject({ code: 6, last: { outcome: 'error', reasons: ['verification.unsound'] } });
    expect(eventsOf(run, 'session.start')).toHaveLength(1);
    expect(eventsOf(run, 'verify.result')).toMatchObject([{ decision: 'needs_human', reasons: ['verification.unsound'] }]);
    expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
    const looked = await harness(scene, 'doctor', '--verify', '--json');
    expect(looked, looked.stderr).toMatchObject({ code: 6 });
    const { healthy, self_check } = JSON.parse(looked.stdout) as { healthy: boolean; self_check: SelfCheck };
    expect({ healthy, state: self_check.state, model: self_check.model }).toEqual({
      healthy: false,
      state: 'unsound',
      model: 'test/add.test.js',
    });
    expect(self_check.results.filter((result) => !result.right)).toMatchObject([{ family: 'weaken tests', decision: 'accepted' }]);
  }, 300_000);
});

test('where only an exit status is known, a person is asked once and told which kinds of cheating cannot be noticed', async () => {
  const manifest = { name: 'calculator', type: 'module', scripts: { test: 'sh check.sh' } };
  const files = { 'package.json': `${JSON.stringify(manifest)}\n`, 'check.sh': '#!/bin/sh\nnode --test > /dev/null\n' };
  const scene = await projectWithAgent(IDLE, { files });
  const asked = await harness(scene, 'run', '--sessions', '2', '--json');
  expect(asked, asked.stderr).toMatchObject({ code: 8 });
  expect(await read(scene, '.harness/escalation.md')).toMatch(/exit-code[\s\S]*inside the runner/);
  const approved = await harness(scene, 'run', '--sessions', '2', '--approve', 'project.self-check', '--json');
  expect(eventsOf(approved, 'session.start').length, approved.stderr).toBeGreaterThan(0);
  expect(await note(scene)).toMatchObject({ state: 'basic', accepted: { by: 'approve' } });
}, 300_000);
