/** Killed while its analysts work, outside git, with hostile references: what stays, and how the same command goes on. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERS, DOCS, giveRoles, HONEST, spec, specCommand, specScene, specWith, TASK } from './spec-support.ts';
import { eventsOf, exists, read, snapshot, startHarness } from './support.ts';

test('a kill while the analysts work loses no answer, and they are the first who are asked again', async () => {
  const slow = Object.fromEntries(
    Object.keys(HONEST)
      .filter((role) => role.endsWith('or') || role.endsWith('analyst'))
      .map((role) => [role, `${role === 'discovery-analyst' ? '' : 'sleep 20;'}${HONEST[role]}`]),
  );
  const scene = await specScene(slow, { git: false });
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify(ANSWERS));
  const running = startHarness(scene, [
    ...specCommand(TASK, '--mode', 'deep', '--model-config', 'default'),
    '--json',
    '--answers',
    answers,
  ]);
  while (!running.seen().includes('"risk-auditor"')) await new Promise((resolve) => setTimeout(resolve, 100));
  running.child.kill('SIGKILL');
  await running.ended;
  expect(JSON.parse(await read(scene, '.harness/state.json'))).toMatchObject({ phase: 'gen_ready', has_git: false, branch: null });
  expect(await read(scene, '.harness/spec/qa_notes.md')).toContain('The back office');

  await giveRoles(scene, {});
  const run = await specWith(scene, { ...ANSWERS, 'spec.session': 'Resume' }, TASK);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(eventsOf(run, 'gate.answered').map((event) => event['id'])).toEqual(['spec.session', 'spec.critic', 'spec.approval', 'spec.next']);
  expect(eventsOf(run, 'session.start')[0]!['prompt']).toMatch(/analyst|auditor/);
  expect(await read(scene, `${DOCS}/spec.md`)).toContain('Second draft');
  expect(await exists(join(scene.project, '.git'))).toBe(false);
});

test('after a kill among the analysts only those are sent out again that were not finished', async () => {
  const waits = {
    'risk-auditor': `sleep 30; ${HONEST['risk-auditor']}`,
    'tech-constraint-analyst': `sleep 30; ${HONEST['tech-constraint-analyst']}`,
  };
  const scene = await specScene(waits, { git: false });
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify(ANSWERS));
  const command = [...specCommand(TASK, '--mode', 'deep', '--model-config', 'default'), '--json', '--answers', answers];
  const running = startHarness(scene, command);
  const finished = async (): Promise<number> => {
    const text = await read(scene, '.harness/state.json').catch(() => '{}');
    return (JSON.parse(text) as { harness?: { finished_analyses?: unknown[] } }).harness?.finished_analyses?.length ?? 0;
  };
  while ((await finished()) < 2 && running.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100));
  running.child.kill('SIGKILL');
  await running.ended;

  await giveRoles(scene, {
    'risk-auditor': HONEST['risk-auditor']!,
    'tech-constraint-analyst': HONEST['tech-constraint-analyst']!,
    synthesis: `for view in requirements scenario risk 'tech constraint'; do grep -q "the $view view" "$PROMPT" || exit 9; done\n${HONEST['synthesis']}`,
  });
  const run = await specWith(scene, { ...ANSWERS, 'spec.session': 'Resume' }, TASK);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  const sent = eventsOf(run, 'session.start').map((event) => event['prompt']);
  expect(sent.slice(0, 2).toSorted()).toEqual(['risk-auditor', 'tech-constraint-analyst']);
  expect(sent).not.toContain('requirements-analyst');
  expect(sent).not.toContain('user-scenario-analyst');
});

test('a reference that may not be used ends the command before anything is begun', async () => {
  const scene = await specScene();
  await writeFile(join(scene.folder, 'secret.md'), 'secret\n');
  await symlink(join(scene.folder, 'secret.md'), join(scene.project, 'leaf.md'));
  await symlink(scene.folder, join(scene.project, 'way'));
  await writeFile(join(scene.project, 'big.md'), 'x'.repeat(201 * 1024));
  await writeFile(join(scene.project, 'long.md'), 'x\n'.repeat(5001));
  await writeFile(join(scene.project, 'keys.pem'), 'x\n');
  await mkdir(join(scene.project, 'docs'));
  const before = await snapshot(scene);
  for (const path of ['leaf.md', 'way/secret.md', 'big.md', 'long.md', 'keys.pem', '../secret.md', join(scene.folder, 'secret.md')]) {
    const run = await spec(scene, TASK, '--mode', 'quick', '--reference', path);
    expect(run.code, path).toBe(2);
    expect(run.stderr).toContain(`--reference ${path}`);
    expect(run.stdout).not.toContain('secret\\n');
  }
  expect(await snapshot(scene)).toEqual(before);
  expect(await exists(join(scene.project, '.harness/state.json'))).toBe(false);
});
