/** The ten triggers: each is reached by a real session, written down, given its code, and each option does what it says. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claim, editList, FEATURES, HONEST, HONEST_BOTH, projectWithAgent, setAgent, WRITE_SUBTRACT } from './calculator.ts';
import { commitAll, copyScene, emptyScene, eventsOf, exists, gates, git, harness, read, write, type Run, type Scene } from './support.ts';

const UNFINISHED = 'date +%N > src/half.txt';
const LIES = claim(2);
const BREAKS = `${HONEST}\necho 'export const add = () => 0;' > src/add.js`;

async function answered(scene: Scene, answers: object, ...args: string[]): Promise<Run> {
  const path = join(scene.folder, 'answers.json');
  await writeFile(path, JSON.stringify(answers));
  return await harness(scene, 'run', '--answers', path, '--json', ...args);
}

async function state(scene: Scene): Promise<Record<string, unknown>> {
  return JSON.parse(await read(scene, '.harness/session_state.json')) as Record<string, unknown>;
}

const started = (run: Run): unknown[] => eventsOf(run, 'session.start').map((event) => event['feature']);
const page = (scene: Scene): Promise<string> => read(scene, '.harness/escalation.md');
const PARTS = ['less', 'fewer'].map((name) => ({
  description: `A user gets ${name}`,
  test_file: `test/${name}.test.js`,
  verification_steps: [`${name} is given`],
}));
const reviewed = { 'project.abort': 'Yes' };

async function stuckAt(agent: string): Promise<Scene> {
  const scene = await projectWithAgent(agent, { settings: 'features:\n  max_stuck_sessions: 1\n' });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 3, last: { outcome: 'escalated', feature: 2 } });
  return scene;
}

test('1. a stuck feature: an agent splits it, manual work hands the wheel over, abort ends all after a second question', async () => {
  const scene = await stuckAt(UNFINISHED);
  expect(await page(scene)).toContain('harness answer project.stuck:2 "Split feature"');
  const pending = await answered(scene, { 'project.stuck': 'Abort' });
  expect(pending).toMatchObject({ code: 8 });
  const open = (await gates(scene)).map((gate) => gate.id);
  expect(open).toContain('project.abort');
  for (const id of open) expect((await page(scene)).split('## All open questions')[1]).toContain(`- ${id}: `);
  expect(await state(scene)).toMatchObject({ escalation: { gate: 'project.stuck' } });
  const split = await answered(scene, { 'project.stuck': 'Split feature' });
  expect(split).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  expect(String(split.last!['message'])).toMatch(/No split was proposed/);
  expect(await state(scene)).toMatchObject({ escalation: { gate: 'project.stuck' } });
  await setAgent(scene, `[ -z "$HARNESS_OUTPUT" ] || cat > "$HARNESS_OUTPUT" <<'END'\n${JSON.stringify({ parts: PARTS })}\nEND`);
  const parts = await answered(scene, { 'project.stuck': 'Split feature', 'project.split:2': 'Apply split' });
  expect(started(parts), parts.stdout + parts.stderr).toEqual([2, 3]);
  expect(await git(scene, 'log', '-1', '--format=%s')).toBe('Split feature #2 into #4, #5');
  const byHand = await stuckAt(UNFINISHED);
  expect(await answered(byHand, { 'project.stuck': 'Manual implement' })).toMatchObject({ code: 10 });
  expect((await state(byHand))['handoff']).toMatchObject({ head: await git(byHand, 'rev-parse', 'HEAD') });
  const aborted = await stuckAt(UNFINISHED);
  expect(await answered(aborted, { 'project.stuck': 'Abort', ...reviewed })).toMatchObject({ code: 3 });
  expect(await exists(join(aborted.project, '.harness'))).toBe(false);
});

test('2. a refused claim: exit 4 and no question without a terminal; each answer given beforehand is carried out', async () => {
  const scene = await projectWithAgent(LIES);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 4 });
  expect(await gates(scene)).toEqual([]);
  expect(await page(scene)).toContain('Verification failed');
  const again = await answered(scene, { 'project.verification-failed': 'Retry session' });
  expect(again).toMatchObject({ code: 3 });
  expect(started(again)).toEqual([2, 2]);
  const skipped = await projectWithAgent(LIES);
  const next = await answered(skipped, { 'project.verification-failed': 'Skip' }, '--sessions', '1');
  expect(started(next)).toEqual([2, 3]);
  expect(await state(skipped)).toMatchObject({ skipped: [{ feature: 2 }] });
  const refused = await projectWithAgent(LIES);
  expect(await answered(refused, { 'project.verification-failed': 'Abort', 'project.abort': 'No' })).toMatchObject({ code: 4 });
  expect(await exists(join(refused.project, '.harness/session_state.json'))).toBe(true);
});

test('2. a person who looked may accept a refused claim; it is recorded as their word', async () => {
  const scene = await projectWithAgent(`set -e\n${WRITE_SUBTRACT}\n${claim(2)}`);
  const run = await answered(scene, { 'project.verification-failed': 'Manual verify', 'project.manual-verify': 'Passed' });
  expect(run, run.stdout + run.stderr).toMatchObject({ last: { type: 'end' } });
  expect(await git(scene, 'show', 'HEAD~0:src/subtract.js')).toContain('subtract');
  expect(await state(scene)).toMatchObject({ overrides: [{ feature: 2, kind: 'manual' }], pending: null });
  const tampered = await projectWithAgent(`${HONEST}\n${editList('l.features.pop()')}`);
  const kept = await git(tampered, 'rev-parse', 'HEAD');
  expect(await answered(tampered, { 'project.verification-failed': 'Manual verify' })).toMatchObject({ code: 4 });
  expect(await git(tampered, 'rev-parse', 'HEAD')).toBe(kept);
});

test('3. a regression: exit 4, home untouched; rollback says so, manual fix hands over', async () => {
  const scene = await projectWithAgent(BREAKS);
  const head = await git(scene, 'rev-parse', 'HEAD');
  const run = await answered(scene, { 'project.regression': 'Rollback' });
  expect(run).toMatchObject({ code: 4, last: { reasons: ['regression'] } });
  expect(await page(scene)).toContain('test/add.test.js::add gives the result');
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
  expect(await answered(scene, { 'project.regression': 'Manual fix' })).toMatchObject({ code: 4 });
  expect(await state(scene)).toMatchObject({ handoff: { head } });
});

test('3. a rollback after a regression ends the session, not a repeated run', async () => {
  const scene = await projectWithAgent(BREAKS);
  const run = await answered(scene, { 'project.regression': 'Rollback' }, '--sessions', '2');
  expect(run).toMatchObject({ code: 4, last: { reasons: ['regression'] } });
  expect(started(run)).toEqual([2, 2]);
});

test('4. repeated failures: retry starts a session, manual fix hands over', async () => {
  const scene = await stuckAt(LIES);
  await setAgent(scene, HONEST);
  const run = await answered(scene, { 'project.repeated-failures': 'Retry' });
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  const byHand = await stuckAt(LIES);
  expect(await answered(byHand, { 'project.repeated-failures': 'Manual fix' })).toMatchObject({ code: 10 });
  expect((await state(byHand))['handoff']).not.toBeNull();
});

test('5. a broken sanity check: exit 6; retry looks again, rollback returns to the last checkpoint, manual fix hands over', async () => {
  const settings = 'testing:\n  full: npm test\n  sanity:\n    unit: test ! -e broken.txt\n';
  const scene = await projectWithAgent(HONEST_BOTH);
  await write(scene, { '.harness.yaml': (await read(scene, '.harness.yaml')).replace('testing:\n  full: npm test\n', settings) });
  await commitAll(scene, 'A sanity check');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
  await write(scene, { 'broken.txt': 'x\n' });
  await commitAll(scene, 'Break it');
  const run = await answered(scene, { 'project.sanity': ['Retry'] });
  expect(run, run.stderr).toMatchObject({ code: 6 });
  expect(started(run)).toEqual([]);
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.sanity']);
  expect(await answered(scene, { 'project.sanity': 'Manual fix' })).toMatchObject({ code: 6 });
  expect((await state(scene))['handoff']).not.toBeNull();
  await harness(scene, 'takeback', '--answers', join(scene.folder, 'answers.json'));
  const back = await answered(scene, { 'project.sanity': 'Rollback' });
  expect(back, back.stderr).toMatchObject({ code: 6 });
  expect(String(back.last!['message'])).toContain('refs/harness/saved/');
  expect(await exists(join(scene.project, 'broken.txt'))).toBe(false);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { feature: 2 } });
  expect(await gates(scene)).toEqual([]);
});

test('6. a reset that fails: exit 6, written down, and goes on once the environment is mended', async () => {
  const scene = await projectWithAgent(HONEST);
  await write(scene, { 'init.sh': '#!/bin/sh\nexit 3\n', 'reset.sh': '#!/bin/sh\necho no database >&2\nexit 4\n' });
  await commitAll(scene, 'A broken environment');
  const run = await answered(scene, { 'project.reset-failed': 'Manual fix environment' });
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['env.reset_failed'] } });
  expect(await page(scene)).toContain('no database');
  await write(scene, { 'init.sh': '#!/bin/sh\nexit 0\n' });
  await commitAll(scene, 'Mend it');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
});

test('7. a spent budget: exit 5; more is twice as much, pause pauses, a raised limit goes on', async () => {
  const usage = `echo '{"type":"usage","input_tokens":10,"output_tokens":10,"cost_usd":3}'`;
  const scene = await projectWithAgent(`${usage}\n${UNFINISHED}`, {
    settings: 'costs:\n  per_session_usd: 10\n  per_feature_usd: 2\n  total_project_usd: 50\n',
  });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 5 });
  const raise = await answered(scene, { 'project.budget': 'Increase budget' });
  expect(raise).toMatchObject({ code: 5, last: { reasons: ['budget.feature'] } });
  expect(String(raise.last!['message'])).toContain('$6.00 of $4.00');
  expect(await git(scene, 'log', '-1', '--format=%s')).toBe('Raise costs.per_feature_usd to 4');
  expect(await harness(scene, 'run', '--yes', '--json')).toMatchObject({ code: 5 });
  expect(await state(scene)).toMatchObject({ paused: true });
  await harness(scene, 'resume');
  await write(scene, { '.harness.yaml': (await read(scene, '.harness.yaml')).replace('per_feature_usd: 4', 'per_feature_usd: 20') });
  await commitAll(scene, 'More money');
  await setAgent(scene, `rm -f src/half.txt\n${HONEST}`);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0 });
  expect(await gates(scene)).toEqual([]);
});

test('8. a circle: exit 2 and the page is written; skipping its features lets the others go on', async () => {
  const scene = await projectWithAgent(HONEST_BOTH);
  await write(scene, {
    'features.json': FEATURES.replace(
      '"depends_on": [1], "passes": false',
      '"depends_on": [4], "passes": false },\n    { "id": 4, "description": "Four", "test_file": "test/four.test.js", "depends_on": [3], "passes": false',
    ),
  });
  await commitAll(scene, 'A circle');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 2 });
  expect(await page(scene)).toMatch(/harness skip --feature 3 .* && harness skip --feature 4/);
  const run = await answered(scene, { 'project.cycle': 'Skip both' });
  expect(run, run.stderr).toMatchObject({ code: 0, last: { feature: 2 } });
  expect(await state(scene)).toMatchObject({ skipped: [{ feature: 3 }, { feature: 4 }] });
  const byCommand = await projectWithAgent(HONEST_BOTH);
  await write(byCommand, { 'features.json': FEATURES.replace('"depends_on": [1], "passes": false', '"depends_on": [3], "passes": false') });
  await commitAll(byCommand, 'A circle of one');
  expect(await answered(byCommand, { 'project.cycle': 'Edit features.json' })).toMatchObject({ code: 2 });
  expect(await harness(byCommand, 'skip', '--feature', '3')).toMatchObject({ code: 0 });
  expect(await harness(byCommand, 'run', '--json')).toMatchObject({ code: 0 });
});

test('9. everything claimed, tests fail: exit 3; reset opens exactly the features whose tests fail, and they are repaired first', async () => {
  const scene = await projectWithAgent(HONEST_BOTH);
  await write(scene, {
    'features.json': FEATURES.replaceAll('false', 'true'),
    'test/subtract.test.js': (await read(scene, 'test/add.test.js')).replaceAll('add', 'subtract').replace('1, 2), 3', '5, 2), 3'),
  });
  await commitAll(scene, 'All done, they say');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect((await gates(scene)).map((gate) => gate.id)).toEqual(['project.false-positives']);
  const fixed = await answered(scene, { 'project.false-positives': 'Reset false positives' }, '--until-done');
  expect(fixed, fixed.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(started(fixed)).toEqual([2, 3]);
  expect((await git(scene, 'log', '--format=%s', '-4')).split('\n').at(-2)).toBe('Set feature #2, #3 back to open');
});

test('10. a large feature proposed by an initializer waits for a person; proceed, skip and split', async () => {
  const list = FEATURES.replace('"passes": true', '"passes": false').replace(
    '[ "1 + 2 is 3" ]',
    JSON.stringify(Array.from({ length: 9 }, (_, step) => `step ${step}`)),
  );
  const scene = await emptyScene();
  await writeFile(join(scene.folder, 'spec.md'), '# A calculator\n');
  await writeFile(
    join(scene.env['HOME']!, 'agent.sh'),
    `cat > /dev/null\necho '{ "type": "module", "scripts": { "test": "node --test" } }' > package.json\nmkdir test; for n in add subtract multiply; do echo "import { test } from 'node:test'; test.todo('$n');" > test/$n.test.js; done\ncat > features.json <<'END'\n${list}END\n`,
  );
  const init = await harness(
    scene,
    'init',
    '--spec',
    join(scene.folder, 'spec.md'),
    '--agent',
    'command',
    '--agent-command',
    'sh "$HOME/agent.sh"',
    '--json',
  );
  expect(init, init.stderr).toMatchObject({ code: 8, last: { reasons: ['gate.pending'] } });
  expect(await page(scene)).toContain('9 verification steps');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 8, last: { feature: 1 } });
  expect(await harness(scene, 'answer', 'project.large-feature', 'Skip')).toMatchObject({ code: 0 });
  await setAgent(scene, 'exit 0');
  const other = await copyScene(scene);
  const run = await harness(scene, 'run', '--json');
  expect(started(run)).toEqual([2]);
  expect(await state(scene)).toMatchObject({ skipped: [{ feature: 1 }], escalation: null });
  await rm(join(other.project, '.harness/gates'), { recursive: true });
  const third = await copyScene(other);
  expect(started(await answered(other, { 'project.large-feature': 'Proceed anyway' }))).toEqual([1]);
  await answered(third, { 'project.large-feature': 'Split feature' });
  expect(await state(third), 'an agent that proposes nothing leaves the question').toMatchObject({
    handoff: null,
    escalation: { gate: 'project.large-feature', feature: 1 },
  });
});

test('a dependency that broke on the branch: exit 6 without an answer; repaired first with one, and what it blocks is named', async () => {
  const scene = await projectWithAgent(
    `echo 'export const add = (a, b) => a + b;' > src/add.js\nnode --test test/add.test.js\n${claim(1)}`,
  );
  await write(scene, { 'src/add.js': 'export const add = () => 0;\n' });
  await commitAll(scene, 'Break adding');
  const head = await git(scene, 'rev-parse', 'HEAD');
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 6, last: { reasons: ['env.baseline_broken'] } });
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
  expect(await page(scene)).toMatch(/Feature #1 \(.+\) is broken by it, which blocks #3\./);
  const given = await copyScene(scene);
  await setAgent(given, 'exit 0');
  expect(started(await answered(given, { 'project.baseline-broken': 'Skip' }))).toEqual([2]);
  expect(await state(given)).toMatchObject({ skipped: [{ feature: 1, unblocks: true }], setbacks: [] });
  const rows = JSON.parse((await harness(given, 'features', '--json')).stdout) as { id: number; state: string }[];
  expect(rows.map(({ state: is }) => is)).toEqual(['set aside', 'open', 'open']);
  const run = await harness(scene, 'run', '--yes', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 1 } });
  expect(eventsOf(run, 'warning').map((event) => event['message'])).toContainEqual(expect.stringContaining('This blocks: #3'));
  expect(await git(scene, 'diff', '--name-only', head, 'HEAD~1')).toBe('features.json');
  expect(await read(scene, 'features.json')).toBe(FEATURES);
});
