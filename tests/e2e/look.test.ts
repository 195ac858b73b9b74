/** Usage, help, settings that cannot be read, and commands that only look. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, FEATURES, HONEST, projectWithAgent, settingsFor } from './calculator.ts';
import { emptyScene, eventsOf, git, harness, read, snapshot, startHarness, write } from './support.ts';

const COMMANDS = [
  'demo',
  'init',
  'run',
  'status',
  'sync',
  'features',
  'summary',
  'why',
  'diff',
  'health',
  'verify',
  'version',
  'migrate',
  'checkpoints',
  'rollback',
  'pause',
  'resume',
  'skip',
  'override',
  'manual-verify',
  'handoff',
  'takeback',
  'cleanup',
  'add-feature',
  'abort',
  'stop',
  'log query',
  'log tail',
  'log session',
  'spec',
  'workflow',
  'workflow plan',
  'workflow generate',
  'workflow verify',
  'workflow evaluate',
  'mission run',
  'mission status',
  'mission grant',
  'worker',
  'gates',
  'answer',
  'doctor',
  'agents',
];

test('every command of the table has a help page with the common options', async () => {
  const scene = await emptyScene();
  for (const command of COMMANDS) {
    const run = await harness(scene, ...command.split(' '), '--help');
    expect(run, `${command}: ${run.stderr}`).toMatchObject({ code: 0 });
    for (const option of ['--help', '--cwd', '--json', '--no-color', '--quiet']) expect(run.stdout, command).toContain(option);
  }
  expect(await snapshot(scene, { state: true })).toEqual({});
});

test('unknown commands and options, and missing values, exit 2 and change nothing', async () => {
  const scene = await projectWithAgent(HONEST);
  const before = await snapshot(scene, { state: true });
  for (const args of [
    ['frobnicate'],
    ['run', '--nonsense'],
    ['run', '--sessions'],
    ['run', '--sessions', 'x'],
    ['run', '--sessions', '0'],
    ['run', '--sessions', '2', '--until-done'],
    ['status', 'extra'],
    ['init'],
    ['init', '--spec', 'a', '--features', 'b'],
    ['skip'],
    ['log'],
    ['answer', 'project.stuck', 'Skip'],
  ]) {
    const run = await harness(scene, ...args);
    expect(run.code, `${args.join(' ')}: ${run.stderr}`).toBe(2);
    expect(run.stderr).not.toBe('');
    expect(run.stdout).toBe('');
  }
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

const BROKEN: readonly { title: string; text: string; says: readonly RegExp[] }[] = [
  { title: 'an unknown key', text: settingsFor('verification:\n  red_chek: true\n'), says: [/verification\.red_chek/, /red_check/] },
  { title: 'an unknown section', text: settingsFor('sandbux:\n  mode: off\n'), says: [/sandbux/, /sandbox/] },
  { title: 'a wrong type', text: settingsFor('session:\n  timeout_minutes: soon\n'), says: [/session\.timeout_minutes/, /number/] },
  { title: 'a wrong word', text: settingsFor('git:\n  on_dirty: panic\n'), says: [/git\.on_dirty/, /abort/, /stash/] },
  { title: 'a tab', text: 'project:\n\tname: x\n', says: [/tab/i] },
  { title: 'an empty file', text: '', says: [/project/, /testing/] },
  { title: 'a missing test command', text: 'project:\n  name: x\n', says: [/testing\.full/] },
  { title: 'text that is no YAML', text: 'project: [\n', says: [/\.harness\.yaml/] },
];

test('settings that cannot be used exit 2, name file, field and fix, and change nothing', async () => {
  const scene = await projectWithAgent(HONEST);
  for (const { title, text, says } of BROKEN) {
    await write(scene, { '.harness.yaml': text });
    const before = await snapshot(scene, { state: true });
    for (const args of [['run', '--json'], ['status'], ['run', '--dry-run']]) {
      const run = await harness(scene, ...args);
      expect(run.code, `${title}, ${args.join(' ')}: ${run.stderr}`).toBe(2);
      for (const word of [/\.harness\.yaml/, ...says]) expect(run.stderr, title).toMatch(word);
      if (args.includes('--json')) expect(run.last).toMatchObject({ type: 'end', exit_code: 2 });
    }
    expect(await snapshot(scene, { state: true }), title).toEqual(before);
  }
});

test('a project that was never set up is told how to begin', async () => {
  const scene = await emptyScene();
  for (const command of ['run', 'status']) {
    const run = await harness(scene, command);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('harness init');
  }
  expect(await snapshot(scene, { state: true })).toEqual({});
});

test('a feature list that was broken later exits 2, naming the field, and no agent starts', async () => {
  const scene = await projectWithAgent(HONEST);
  await write(scene, {
    'features.json':
      '{ "project": "calculator", "features": [ { "id": 1, "description": "x", "test_file": "test/add.test.js", "passes": "no" } ] }\n',
  });
  await git(scene, 'commit', '-q', '-am', 'Break the list');
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 2, last: { type: 'end', exit_code: 2 } });
  expect(run.stderr).toMatch(/features\.json[\s\S]*features\.1\.passes/);
  expect(await snapshot(scene)).toEqual(before);
});

test('a list that is broken and not committed yet is named as that, not as a changed file', async () => {
  const scene = await projectWithAgent(HONEST);
  const circle = JSON.parse(await read(scene, 'features.json')) as { features: { id: number; depends_on?: number[] }[] };
  for (const feature of circle.features) if (feature.id > 1) feature.depends_on = [feature.id === 2 ? 3 : 2];
  await write(scene, { 'features.json': JSON.stringify(circle) });
  for (const args of [
    ['run', '--json'],
    ['run', '--dry-run', '--json'],
  ]) {
    const run = await harness(scene, ...args);
    expect(run, run.stdout + run.stderr).toMatchObject({ code: 2, last: { type: 'end', exit_code: 2 } });
    expect(run.stderr).toMatch(/features\.json[\s\S]*circle/);
  }
  await git(scene, 'commit', '-q', '-am', 'A circle');
  await write(scene, { 'features.json': FEATURES });
  const mended = await harness(scene, 'run', '--json');
  expect(mended.code).toBe(2);
  expect(mended.stderr).toContain('features.json as it is committed');
});

test('a --cwd that is a file is bad usage for every command', async () => {
  const scene = await projectWithAgent(HONEST);
  for (const command of ['status', 'run', 'version']) {
    const run = await harness({ ...scene, project: join(scene.project, 'package.json') }, command);
    expect(run, command).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain('There is no directory');
  }
});

test('status and the preview only look', async () => {
  const scene = await projectWithAgent(HONEST);
  const before = await snapshot(scene, { state: true });
  const text = await harness(scene, 'status');
  expect(text).toMatchObject({ code: 0 });
  expect(text.stdout).toMatch(/calculator[\s\S]*1\/3|1 of 3/);
  const status = await harness(scene, 'status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({
    project: 'calculator',
    session: 0,
    features: { passing: 1, total: 3 },
    next_feature: 2,
    next_prompt: 'coding',
  });
  const preview = await harness(scene, 'run', '--dry-run', '--json');
  expect(preview, preview.stderr).toMatchObject({ code: 0, last: { type: 'end', exit_code: 0 } });
  expect(eventsOf(preview, 'run.preview')).toMatchObject([
    { prompt: 'coding', feature: { id: 2 }, orientation: expect.stringContaining('#2') },
  ]);
  const shown = await harness(scene, 'run', '--dry-run');
  expect(shown.stdout).toMatch(/agent: +command\n/);
  for (const word of ['coding', '#2', 'test/subtract.test.js', '$']) expect(shown.stdout + shown.stderr).toContain(word);
  for (const args of [
    ['gates'],
    ['gates', '--json'],
    ['agents'],
    ['agents', '--json'],
    ['doctor', '--json'],
    ['version'],
    ['log', 'tail'],
    ['log', 'query', 'type=session.end'],
  ]) {
    expect((await harness(scene, ...args)).code, args.join(' ')).toBe(0);
  }
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

test('a second process is turned away with the number of the first', async () => {
  const scene = await projectWithAgent(`echo ready; while [ ! -e "$HOME/go-on" ]; do sleep 0.1; done; ${claim(2)}`);
  const first = startHarness(scene, ['run', '--json']);
  await expect.poll(first.seen, { timeout: 30_000 }).toContain('"text":"ready"');
  const second = await harness(scene, 'run', '--json');
  expect(second, second.stderr).toMatchObject({ code: 9, last: { type: 'end', exit_code: 9 } });
  expect(second.stderr).toContain(String(first.child.pid));
  const status = JSON.parse((await harness(scene, 'status', '--json')).stdout) as { running: { pid: number } };
  expect(status.running.pid).toBe(first.child.pid);
  first.child.kill('SIGINT');
  const ended = await first.ended;
  expect(ended, ended.stderr).toMatchObject({ code: 130, last: { type: 'end', exit_code: 130, reasons: ['interrupted'] } });
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ running: null });
});

test('sessions, verdicts and events of a refused session can be looked up', async () => {
  const scene = await projectWithAgent(claim(2));
  const run = await harness(scene, 'run', '--quiet');
  expect(run.code, run.stderr).toBe(4);
  expect(run.stdout.match(/did not show a run of test\/subtract\.test\.js/g)).toHaveLength(1);
  const found = await harness(scene, 'log', 'query', 'type=session.end', '--json');
  expect(found.stdout).toContain('claim.no_evidence');
  expect((await harness(scene, 'log', 'session', '1')).stdout).toContain('rejected');
  expect(JSON.parse((await harness(scene, 'status', '--json')).stdout)).toMatchObject({ session: 1, last_outcome: 'claim.no_evidence' });
});

test('the doctor says when everything is there but an agent', async () => {
  const scene = await emptyScene();
  const { code, stdout } = await harness(scene, 'doctor');
  expect(code).toBe(0);
  expect(stdout).toMatch(/Everything that is required is here\. No agent can start yet/);
  const keyed = await startHarness(scene, ['doctor'], { ANTHROPIC_API_KEY: 'key' }).ended;
  expect(keyed.stdout.trimEnd()).toMatch(/Everything that is required is here\.$/);
});
