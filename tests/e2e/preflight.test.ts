/** What stops a session before an agent is started, and what is given back. */
import { appendFile, chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { commitAll, eventsOf, exists, git, harness, read, snapshot, write, type Run, type Scene } from './support.ts';

test('a modified tracked file stops the run; untracked files never do', async () => {
  const scene = await projectWithAgent(HONEST);
  await appendFile(join(scene.project, 'src/add.js'), '// mine\n');
  await expectNotStarted(scene, 'git.dirty');
  await git(scene, 'add', 'src/add.js');
  await expectNotStarted(scene, 'git.dirty');
  await git(scene, 'checkout', '-q', 'HEAD', '--', 'src/add.js');
  await writeFile(join(scene.project, 'more.txt'), 'untracked\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect((await git(scene, 'status', '--porcelain')).split('\n')).toEqual(['?? more.txt', '?? untracked.txt']);
});

test('on_dirty: stash gives the change back after the session, accepted or refused', async () => {
  const scene = await projectWithAgent(HONEST, { settings: 'git:\n  on_dirty: stash\n' });
  const mine = `${await read(scene, 'src/add.js')}// mine\n`;
  await writeFile(join(scene.project, 'src/add.js'), mine);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await read(scene, 'src/add.js')).toBe(mine);
  expect(await git(scene, 'show', 'HEAD:src/add.js')).not.toContain('mine');
  expect(await git(scene, 'status', '--porcelain')).toBe(' M src/add.js\n?? untracked.txt');
});

/** The feature is built, and what was accepted before breaks. */
const REGRESSION = `${HONEST}\necho 'export const add = (a, b) => a + b + 1;' > src/add.js`;
async function commitCode(scene: Scene, text: string): Promise<void> {
  await writeFile(join(scene.project, 'src/add.js'), text);
  await git(scene, 'commit', '-qam', 'Mine');
}

const UNCHECKED = { settings: 'preflight:\n  checks:\n    baseline_tests: false\n' };

test.each([
  ['the stored baseline', async () => {}],
  ['what passes on the commit where none is stored', (scene: Scene) => rm(join(scene.project, '.harness/test_baseline.json'))],
  ['what passes on a commit of a person', (scene: Scene) => commitCode(scene, 'export const add = (a, b) => b + a;\n')],
])('without the check of the baseline, work is compared with %s', async (_title, change) => {
  const scene = await projectWithAgent(REGRESSION, UNCHECKED);
  await change(scene);
  const refused = await harness(scene, 'run', '--json');
  expect(refused, refused.stdout + refused.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected', reasons: ['regression'] } });
  await setAgent(scene, `echo 'export const add = (a, b) => a + b;' > src/add.js\n${HONEST}`);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('without the check of the baseline, what a person broke is not held against the work', async () => {
  const scene = await projectWithAgent(HONEST, UNCHECKED);
  await commitCode(scene, 'export const add = () => 0;\n');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
});

test('a detached HEAD stops the run', async () => {
  const scene = await projectWithAgent(HONEST);
  await git(scene, 'checkout', '-q', '--detach');
  await expectNotStarted(scene, 'git.detached');
});

test('a failing init.sh is repaired by reset.sh, and the session goes on', async () => {
  const scene = await projectWithAgent(HONEST, {
    files: {
      'init.sh': '#!/bin/sh\ntest -e .repaired || { echo "no database"; exit 1; }\n',
      'reset.sh': '#!/bin/sh\ntouch .repaired\n',
      '.gitignore': 'private/\n.repaired\n',
    },
  });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(eventsOf(run, 'preflight.check')).toContainEqual(
    expect.objectContaining({ name: 'environment', state: 'passed', detail: expect.stringContaining('reset') }),
  );
  expect(await exists(join(scene.project, '.repaired'))).toBe(false);
});

test('a failing reset.sh stops the run and asks a person', async () => {
  const scene = await projectWithAgent(HONEST, {
    files: { 'init.sh': '#!/bin/sh\nexit 1\n', 'reset.sh': '#!/bin/sh\necho cannot reset; exit 1\n' },
  });
  const run = await expectNotStarted(scene, 'env.reset_failed');
  expect(run.stderr).toContain('cannot reset');
  expect(await read(scene, '.harness/escalation.md')).toMatch(/reset/i);
});

test('an init.sh that reset.sh does not help stops the run', async () => {
  const scene = await projectWithAgent(HONEST, {
    files: { 'init.sh': '#!/bin/sh\necho no database; exit 1\n', 'reset.sh': '#!/bin/sh\nexit 0\n' },
  });
  const run = await expectNotStarted(scene, 'env.init_failed');
  expect(run.stderr).toContain('no database');
});

test('a failing health check stops the run', async () => {
  const scene = await projectWithAgent(HONEST, { settings: 'environment:\n  health_check: test -e healthy.txt\n' });
  await expectNotStarted(scene, 'env.unhealthy');
});

test('a missing script or one that cannot be started stops the run and says how to mend it', async () => {
  const scene = await projectWithAgent(HONEST, { settings: 'environment:\n  init: ./init.sh\n' });
  await chmod(join(scene.project, 'init.sh'), 0o644);
  await commitAll(scene, 'Lose the mode');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 6 });
  expect(run.stderr).toContain('chmod +x init.sh');
});

test('a break that a person committed is a broken baseline, named with its tests', async () => {
  const scene = await projectWithAgent(HONEST);
  await write(scene, { 'src/add.js': 'export const add = () => 0;\n' });
  await git(scene, 'commit', '-q', '-am', 'Break it');
  const run = await expectNotStarted(scene, 'env.baseline_broken');
  expect(run.stderr).toContain('test/add.test.js');
  expect(await read(scene, '.harness/escalation.md')).toContain('test/add.test.js');
  expect(await read(scene, 'features.json')).toContain('"passes": true');
});

test('a budget that is used up stops the next session', async () => {
  const usage = `echo '{"type":"usage","input_tokens":10,"output_tokens":1,"cost_usd":0.02}'`;
  const scene = await projectWithAgent(`${usage}\nsleep 30`, { settings: 'costs:\n  total_project_usd: 0.01\n' });
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stderr).toMatchObject({ code: 5, last: { reasons: ['budget.project'] } });
  const second = await harness(scene, 'run', '--json');
  expect(second, second.stderr).toMatchObject({ code: 5, last: { reasons: ['budget.project'] } });
  expect(eventsOf(second, 'session.start')).toEqual([]);
  expect(await read(scene, '.harness/escalation.md')).toContain('total_project_usd');
  const status = JSON.parse((await harness(scene, 'status', '--json')).stdout) as { costs: { total_usd: number } };
  expect(status.costs.total_usd).toBeCloseTo(0.02);
});

test('an agent that cannot be started stops the run before a session', async () => {
  const scene = await projectWithAgent(HONEST);
  await write(scene, { '.harness.yaml': 'project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: anthropic\n' });
  await git(scene, 'commit', '-q', '-am', 'Another agent');
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['api.auth'] } });
  expect(run.stderr).toContain('ANTHROPIC_API_KEY');
  expect(await snapshot(scene)).toEqual(before);
});

async function expectNotStarted(scene: Scene, reason: string): Promise<Run> {
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 6, last: { type: 'end', reasons: [reason], exit_code: 6 } });
  expect(eventsOf(run, 'session.start')).toEqual([]);
  expect(await snapshot(scene)).toEqual(before);
  return run;
}
