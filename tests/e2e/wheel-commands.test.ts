/** A person takes over: each command from outside, with flags, as JSON, and where a question waits. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES, HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { commitAll, eventsOf, exists, gates, git, harness, read, startHarness, write, type Run, type Scene } from './support.ts';

const IDLE = 'exit 0';

/** The one object of a look command. */
function value(run: Run): Record<string, unknown> {
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

async function state(scene: Scene): Promise<Record<string, unknown>> {
  return JSON.parse(await read(scene, '.harness/session_state.json')) as Record<string, unknown>;
}

async function answersFile(scene: Scene, answers: object): Promise<string> {
  const path = join(scene.folder, 'answers.json');
  await writeFile(path, JSON.stringify(answers));
  return path;
}

test('a pause without a running process holds until resume', async () => {
  const scene = await projectWithAgent(HONEST);
  expect(value(await harness(scene, 'pause', '--json'))).toEqual({ paused: true, running: null });
  const held = await harness(scene, 'run', '--json');
  expect(held).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['user_pause'] } });
  expect(eventsOf(held, 'session.start')).toEqual([]);
  const status = value(await harness(scene, 'status', '--json'));
  expect(status).toMatchObject({ paused: true, costs: { sessions_without_cost: 0 } });
  expect((await harness(scene, 'status')).stdout).toMatch(/^Next prompt: +coding$/m);
  const resumed = value(await harness(scene, 'resume', '--json'));
  expect(resumed).toMatchObject({ paused: false, was_paused: true, next_feature: 2, next_prompt: 'coding' });
  expect(status).toMatchObject({ next_prompt: resumed['next_prompt'] });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
  expect((await harness(scene, 'status')).stdout).toMatch(/^Costs: +unknown \(budget \$200\.00\)$/m);
});

test('a pause that a running process has not come to yet is taken back by resume', async () => {
  const scene = await projectWithAgent(HONEST, { settings: 'environment:\n  init: while [ ! -e "$HOME/go" ]; do sleep 0.1; done\n' });
  const running = startHarness(scene, ['run', '--json']);
  await expect.poll(running.seen, { timeout: 60_000 }).toContain('git state');
  expect(await harness(scene, 'resume')).toMatchObject({ code: 9 });
  expect((await harness(scene, 'pause')).code).toBe(0);
  expect((await harness(scene, 'status')).stdout).toContain('asked to pause');
  expect(value(await harness(scene, 'resume', '--json'))).toMatchObject({ paused: false, running: { command: 'harness run' } });
  await writeFile(join(scene.env['HOME']!, 'go'), '');
  const run = await running.ended;
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('pause from a second terminal reaches a running session, which keeps its work', async () => {
  const scene = await projectWithAgent('echo half > src/half.txt; echo ready; sleep 60', { checked: true });
  const { ended, seen, child } = startHarness(scene, ['run', '--until-done', '--json']);
  await expect.poll(seen, { timeout: 60_000 }).toContain('"text":"ready"');
  const locked = await harness(scene, 'handoff', '--json');
  expect(locked.code).toBe(9);
  expect(locked.stderr).toContain(String(child.pid));
  expect(value(await harness(scene, 'pause', '--json'))).toMatchObject({
    paused: true,
    running: { pid: child.pid, command: 'harness run' },
  });
  const run = await ended;
  expect(run, run.stderr).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/half.txt')).toBe('half');
  expect(await exists(join(scene.project, '.harness/pause'))).toBe(false);
  expect(await state(scene)).toMatchObject({ paused: true, stuck_count: 0, failures: {} });
});

test('stop ends a running process, names it, and keeps its work; without one it says so', async () => {
  const scene = await projectWithAgent('echo half > src/half.txt; echo ready; sleep 60');
  expect(value(await harness(scene, 'stop', '--json'))).toEqual({ stopped: null });
  const { ended, seen, child } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 60_000 }).toContain('"text":"ready"');
  const stop = await harness(scene, 'stop', '--json');
  expect(stop, stop.stderr).toMatchObject({ code: 0 });
  expect(value(stop)).toMatchObject({ stopped: { pid: child.pid } });
  expect(await ended).toMatchObject({ code: 130 });
  expect(await git(scene, 'show', 'refs/harness/wip/2:src/half.txt')).toBe('half');
});

test('a skipped feature is left alone, named with its reason, and taken up again with --undo', async () => {
  const scene = await projectWithAgent(IDLE);
  expect(value(await harness(scene, 'skip', '--feature', '2', '--reason', 'waits for a partner', '--json'))).toEqual({
    feature: 2,
    skipped: true,
    reason: 'waits for a partner',
    blocks: [],
    unblocks: false,
  });
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 3, features: { skipped: 1 } });
  expect(value(await harness(scene, 'skip', '--feature', '2', '--undo', '--json'))).toMatchObject({ skipped: false });
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 2 });
  expect(await harness(scene, 'skip', '--feature', '1')).toMatchObject({ code: 2 });
  const unknown = await harness(scene, 'skip', '--feature', '77');
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain('#1, #2, #3');
});

test('an override waits for a person, is never taken by --yes, and records the feature as unverified in one commit', async () => {
  const scene = await projectWithAgent(IDLE);
  const before = await git(scene, 'rev-parse', 'HEAD');
  const asked = await harness(scene, 'override', '--feature', '2', '--passes', 'true', '--yes', '--json');
  expect(asked.code).toBe(8);
  expect(value(asked)).toMatchObject({ recorded: false, waiting_for: 'project.override' });
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ questions: ['project.override'] });
  expect((await harness(scene, 'status')).stdout).toMatch(/^Questions: +project\.override \(harness gates\)$/m);
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.override']);
  expect(await harness(scene, 'answer', 'project.override', 'Yes')).toMatchObject({ code: 0 });
  const done = await harness(scene, 'override', '--feature', '2', '--passes', 'true', '--json');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(value(done)).toMatchObject({ feature: 2, passes: true, recorded: true, verified: false });
  expect(await read(scene, 'features.json')).toBe(FEATURES.replace('"passes" : false', '"passes" : true'));
  expect(await git(scene, 'diff', '--name-only', before, 'HEAD')).toBe('features.json');
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
  expect(await state(scene)).toMatchObject({ overrides: [{ feature: 2, passes: true, kind: 'override' }] });
  expect(value(await harness(scene, 'health', '--json'))).toMatchObject({ features: { passing: 2, total: 3, unverified: [2] } });
  const decisions = await harness(scene, 'log', 'tail', '--in', 'decisions', '--json');
  expect(decisions.stdout).toContain('feature #2 is recorded as passing: overridden, without proof');
  expect(
    value(await harness(scene, 'override', '--feature', '2', '--passes', 'false', '--approve', 'project.override', '--json')),
  ).toMatchObject({ recorded: true });
  expect(await read(scene, 'features.json')).toBe(FEATURES);
});

test('an override refuses a list with changes of its own, and No records nothing', async () => {
  const scene = await projectWithAgent(IDLE);
  const no = await harness(
    scene,
    'override',
    '--feature',
    '2',
    '--passes',
    'true',
    '--answers',
    await answersFile(scene, { 'project.override': 'no' }),
    '--json',
  );
  expect(value(no)).toMatchObject({ recorded: false, commit: null });
  await write(scene, { 'features.json': FEATURES.replace('subtracts', 'takes away') });
  const refused = await harness(scene, 'override', '--feature', '2', '--passes', 'true', '--approve', 'project.override');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('not committed');
});

test('manual-verify shows what to look at and records what a person saw', async () => {
  const scene = await projectWithAgent(IDLE);
  const asked = await harness(scene, 'manual-verify', '--feature', '2', '--json');
  expect(asked.code).toBe(8);
  expect(value(asked)).toMatchObject({
    test_file: 'test/subtract.test.js',
    command: 'node --test test/subtract.test.js',
    waiting_for: 'project.manual-verify:2',
  });
  const passed = await harness(
    scene,
    'manual-verify',
    '--feature',
    '2',
    '--answers',
    await answersFile(scene, { 'project.manual-verify': { option: 'Passed', text: 'tried it' } }),
    '--json',
  );
  expect(passed, passed.stderr).toMatchObject({ code: 0 });
  expect(value(passed)).toMatchObject({ kind: 'recorded', passes: true });
  expect(await state(scene)).toMatchObject({ overrides: [{ feature: 2, kind: 'manual' }] });
  const failed = await harness(
    scene,
    'manual-verify',
    '--feature',
    '1',
    '--answers',
    await answersFile(scene, { 'project.manual-verify': 'Failed' }),
    '--json',
  );
  expect(value(failed)).toMatchObject({ kind: 'recorded', passes: false });
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 1 });
  expect(await state(scene)).toMatchObject({ setbacks: [1] });
});

test('a manual feature waits for manual-verify, which lands exactly the judged work', async () => {
  const list = FEATURES.replace(
    '"passes" : false',
    '"verification_type": "manual", "manual_checks": ["the minus sign is visible"], "passes" : false',
  );
  const scene = await projectWithAgent(HONEST, { files: { 'features.json': list } });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 8, last: { outcome: 'needs_human' } });
  const landed = await harness(
    scene,
    'manual-verify',
    '--feature',
    '2',
    '--answers',
    await answersFile(scene, { 'project.manual-verify': 'Passed' }),
    '--json',
  );
  expect(landed, landed.stderr).toMatchObject({ code: 0 });
  expect(value(landed)).toMatchObject({ kind: 'landed', passes: true, commit: await git(scene, 'rev-parse', 'HEAD') });
  expect(await read(scene, 'features.json')).toBe(list.replace('"passes" : false', '"passes" : true'));
  expect(await exists(join(scene.project, 'src/subtract.js'))).toBe(true);
  expect(await gates(scene)).toEqual([]);
});

test('add-feature appends with the next number, keeps the formatting and commits the list alone', async () => {
  const scene = await projectWithAgent(IDLE);
  const added = await harness(scene, 'add-feature', 'A user can divide two numbers', '--category', 'core', '--priority', '1', '--json');
  expect(added, added.stderr).toMatchObject({ code: 0 });
  expect(value(added)).toMatchObject({
    feature: { id: 4, category: 'core', priority: 1, passes: false, test_file: 'test/divide-two-numbers.test.js' },
  });
  const text = await read(scene, 'features.json');
  expect(text.startsWith(FEATURES.slice(0, FEATURES.lastIndexOf('}\n  ]')))).toBe(true);
  expect(await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).toBe('features.json');
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 4, features: { total: 4 } });
  expect(await harness(scene, 'add-feature', 'a user can divide two numbers')).toMatchObject({ code: 2 });
  expect(await harness(scene, 'add-feature', 'Another', '--test-file', '../outside.test.js')).toMatchObject({ code: 2 });
});

test('abort asks, sets the state aside and keeps commits; moving it back undoes it', async () => {
  const scene = await projectWithAgent(IDLE);
  const head = await git(scene, 'rev-parse', 'HEAD');
  expect(await harness(scene, 'abort', '--yes', '--json')).toMatchObject({ code: 8 });
  const done = await harness(scene, 'abort', '--approve', 'project.abort', '--json');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const { kept } = value(done) as { kept: string };
  expect(await exists(join(scene.project, '.harness'))).toBe(false);
  expect(await exists(join(kept, 'session_state.json'))).toBe(true);
  expect(await exists(join(kept, 'lock'))).toBe(false);
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
});

test('verify runs a feature or a revision in the clean room, and shows an earlier verdict', async () => {
  const scene = await projectWithAgent(HONEST);
  const good = await harness(scene, 'verify', '--feature', '1', '--json');
  expect(good, good.stderr).toMatchObject({ code: 0 });
  expect(value(good)).toMatchObject({ passed: true, tests: [{ id: 'test/add.test.js::add gives the result', status: 'passed' }] });
  const missing = await harness(scene, 'verify', '--feature', '2');
  expect(missing).toMatchObject({ code: 4 });
  expect(missing.stdout).toContain('FAILED');
  expect(await harness(scene, 'verify', '--tree', 'HEAD', '--json')).toMatchObject({ code: 0 });
  await write(scene, { 'src/add.js': 'export const add = (a, b) => a - b;\n' });
  expect(await harness(scene, 'verify', '--feature', '1', '--json')).toMatchObject({ code: 0 });
  await commitAll(scene, 'Break it');
  const broken = await harness(scene, 'verify', '--tree', 'HEAD', '--json');
  expect(broken.code).toBe(4);
  expect(value(broken)).toMatchObject({ passed: false, failing: [{ id: 'test/add.test.js::add gives the result' }] });
  await git(scene, 'reset', '-q', '--hard', 'HEAD^');
  const run = await harness(scene, 'run', '--json');
  const verdict = String(eventsOf(run, 'session.end')[0]!['verdict']);
  const shown = await harness(scene, 'verify', '--verdict', verdict, '--json');
  expect(value(shown)).toMatchObject({ id: verdict, decision: 'accepted', feature: 2 });
  expect(await harness(scene, 'verify', '--verdict', 'nothing')).toMatchObject({ code: 2 });
  expect(await harness(scene, 'verify')).toMatchObject({ code: 2 });
});

test('health gives the composite figure and each part, also while a session runs', async () => {
  const scene = await projectWithAgent('echo ready; sleep 60', {
    settings: 'quality:\n  lint_command: "printf \'src/add.js:1:1 error one\\nFound 1 error\\n\'; exit 1"\n  max_file_lines: 3\n',
  });
  const { ended, seen, child } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 60_000 }).toContain('"text":"ready"');
  const health = await harness(scene, 'health', '--json');
  expect(health, health.stderr).toMatchObject({ code: 0 });
  const report = value(health) as Record<string, number> & { overall: number };
  expect(report).toMatchObject({
    feature_completion: 1 / 3,
    test_pass_rate: 1,
    lint: { errors: 1 },
    file_health: 0.25,
    status: 'FAIR',
    next_cleanup: { after_features: 10 },
  });
  expect(report.overall).toBeCloseTo(0.4 / 3 + 0.3 + 0.2 * report['lint_score']! + 0.1 * 0.25, 3);
  expect((await harness(scene, 'health')).stdout).toMatch(/Health:\s+FAIR/);
  child.kill('SIGTERM');
  await ended;
  await write(scene, { 'notes.md': 'later\n' });
  await commitAll(scene, 'Later');
  expect(value(await harness(scene, 'health', '--cached', '--json'))).toMatchObject({ lint: { errors: 1 }, tests: { current: false } });
  expect((await harness(scene, 'status')).stdout).toMatch(/1 error, 0 warnings last time/);
});

test('checkpoints are listed; rollback previews, asks, restores everything and keeps what it replaced', async () => {
  const scene = await projectWithAgent(HONEST);
  const before = {
    head: await git(scene, 'rev-parse', 'HEAD'),
    list: await read(scene, 'features.json'),
    baseline: await read(scene, '.harness/test_baseline.json'),
  };
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
  const landed = await git(scene, 'rev-parse', 'HEAD');
  await write(scene, { 'src/subtract.js': 'export const subtract = () => "mine";\n', 'notes/new.txt': 'kept\n' });
  const listed = value(await harness(scene, 'checkpoints', '--json')) as { checkpoints: { id: string; session: number }[] };
  expect(listed.checkpoints).toMatchObject([{ session: 1, feature: 2, reason: 'pre_feature', git_ref: before.head }]);
  expect((await harness(scene, 'checkpoints')).stdout).toMatch(/session 1, feature #2 .* before a feature, (?:just now|\d+ minutes? ago)/);
  const id = listed.checkpoints[0]!.id;
  const asked = await harness(scene, 'rollback', id, '--json');
  expect(asked.code).toBe(8);
  expect(value(asked)).toMatchObject({
    restored: false,
    preview: { checkpoint: id, commits: [{ commit: landed }], left: ['notes/new.txt'] },
  });
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(landed);
  const done = await harness(scene, 'rollback', id, '--yes', '--json');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const report = value(done) as { saved_as: string; bring_back: string };
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before.head);
  expect(await read(scene, 'features.json')).toBe(before.list);
  expect(await read(scene, '.harness/test_baseline.json')).toBe(before.baseline);
  expect(await exists(join(scene.project, 'src/subtract.js'))).toBe(false);
  expect(await read(scene, 'notes/new.txt')).toBe('kept\n');
  expect(await git(scene, 'show', `${report.saved_as}:src/subtract.js`)).toContain('mine');
  expect(await git(scene, 'rev-parse', `${report.saved_as}^`)).toBe(landed);
  expect(report.bring_back).toContain(report.saved_as);
  const log = (await read(scene, '.harness/logs/events.jsonl')).trimEnd().split('\n');
  expect(log.map((line) => JSON.parse(line) as object)).toContainEqual(
    expect.objectContaining({
      type: 'rollback_completed',
      level: 'important',
      checkpoint_id: id,
      rolled_back_commits: [landed],
      restored_to_session: 1,
    }),
  );
  expect(await state(scene)).toMatchObject({ last_session: 1, flight: null, failures: {} });
  expect(await gates(scene)).toEqual([]);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { session: 2, feature: 2 } });
  expect(await harness(scene, 'rollback', 'nonsense')).toMatchObject({ code: 2 });
});

test('of the checkpoints of one feature the last five stay, with their refs', async () => {
  const scene = await projectWithAgent('date +%N > src/half.txt', { checked: true, settings: 'features:\n  max_stuck_sessions: 100\n' });
  expect(await harness(scene, 'run', '--sessions', '7', '--json')).toMatchObject({ code: 10, last: { session: 7 } });
  const listed = value(await harness(scene, 'checkpoints', '--json')) as { checkpoints: { id: string; session: number }[] };
  expect(listed.checkpoints.map((entry) => entry.session)).toEqual([7, 6, 5, 4, 3]);
  const refs = await git(scene, 'for-each-ref', '--format=%(refname:lstrip=3)', 'refs/harness/checkpoints');
  expect(refs.split('\n').sort()).toEqual(listed.checkpoints.map((entry) => entry.id).sort());
  expect(await harness(scene, 'rollback', listed.checkpoints[4]!.id, '--yes', '--json')).toMatchObject({ code: 0 });
});

test('handoff stops the harness; takeback finds the commits, runs the tests, offers what passes and renews the baseline', async () => {
  const scene = await projectWithAgent(HONEST);
  expect(await harness(scene, 'takeback')).toMatchObject({ code: 2 });
  expect(value(await harness(scene, 'handoff', '--json'))).toMatchObject({ features: { passing: 1, total: 3 }, in_progress: null });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  expect(await harness(scene, 'resume')).toMatchObject({ code: 2 });
  await write(scene, {
    'src/subtract.js': 'export const subtract = (a, b) => a - b;\n',
    'test/subtract.test.js': (await read(scene, 'test/add.test.js')).replaceAll('add', 'subtract').replace('1, 2), 3', '5, 2), 3'),
  });
  await commitAll(scene, 'Subtract by hand');
  await write(scene, {
    'test/multiply.test.js': (await read(scene, 'test/add.test.js')).replaceAll('add', 'multiply').replace('1, 2), 3', '5, 2), 10'),
  });
  await commitAll(scene, 'A test for later');
  const asked = await harness(scene, 'takeback', '--json');
  expect(asked, asked.stderr).toMatchObject({ code: 8 });
  expect(value(asked)).toMatchObject({
    waiting_for: 'project.takeback',
    commits: [{ subject: 'A test for later' }, { subject: 'Subtract by hand' }],
  });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 10 });
  expect(await harness(scene, 'answer', 'project.takeback', 'yes')).toMatchObject({ code: 0 });
  const done = await harness(scene, 'takeback', '--json');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(value(done)).toMatchObject({
    checked: [
      { feature: 2, passed: true, recorded: true },
      { feature: 3, passed: false, recorded: false },
    ],
    set_back: [],
    baseline: { passing: 2 },
    waiting_for: null,
  });
  expect(await read(scene, 'features.json')).toBe(FEATURES.replace('"passes" : false', '"passes" : true'));
  expect(await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).toBe('features.json');
  expect(await state(scene)).toMatchObject({ handoff: null, overrides: [] });
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 3 });
  const { checkpoints } = value(await harness(scene, 'checkpoints', '--json')) as { checkpoints: { reason: string }[] };
  expect(checkpoints.map(({ reason }) => reason)).toEqual(['pre_verification', 'manual']);
});

test('what a person broke during a handoff is open again, and named', async () => {
  const scene = await projectWithAgent(IDLE);
  await harness(scene, 'handoff');
  await write(scene, { 'src/add.js': 'export const add = (a, b) => a - b;\n' });
  await commitAll(scene, 'Break adding');
  const done = await harness(scene, 'takeback', '--json');
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(value(done)).toMatchObject({ set_back: [1], baseline: { broken: ['test/add.test.js::add gives the result'] } });
  expect(done.stderr).toContain('#3');
  expect(value(await harness(scene, 'status', '--json'))).toMatchObject({ next_feature: 1, features: { passing: 0 } });
});

test('a command that needs the wheel for itself exits 9 and names the holder while a session runs; those that only look or reach it do not', async () => {
  const scene = await projectWithAgent('echo ready; sleep 60');
  const { ended, seen, child } = startHarness(scene, ['run', '--json']);
  await expect.poll(seen, { timeout: 60_000 }).toContain('"text":"ready"');
  const writers = [
    ['resume'],
    ['manual-verify', '--feature', '2'],
    ['handoff'],
    ['takeback'],
    ['rollback', 'x'],
    ['migrate'],
    ['run'],
    ['cleanup'],
  ];
  for (const args of writers) {
    const run = await harness(scene, ...args);
    expect([args[0], run.code]).toEqual([args[0], 9]);
    expect(run.stderr).toContain(`process ${child.pid} (harness run)`);
  }
  for (const args of [
    ['status'],
    ['health'],
    ['gates'],
    ['checkpoints'],
    ['log', 'tail'],
    ['version'],
    ['skip', '--feature', '3'],
    ['add-feature', 'A user divides'],
  ])
    expect([args[0], (await harness(scene, ...args)).code]).toEqual([args[0], 0]);
  await setAgent(scene, IDLE);
  expect(await harness(scene, 'stop')).toMatchObject({ code: 0 });
  await ended;
});
