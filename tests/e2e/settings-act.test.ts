/** Settings of which each changes what a session comes to. */
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { claim, HONEST, projectWithAgent, RUN_SUBTRACT, setAgent, WRITE_SUBTRACT } from './calculator.ts';
import { eventsOf, git, harness, read, write } from './support.ts';

test('wip_on_branch: unfinished work becomes a commit, and the next session is measured on the commit before it', async () => {
  const scene = await projectWithAgent(`${WRITE_SUBTRACT}`, { settings: 'workspace:\n  wip_on_branch: true\n' });
  expect((await harness(scene, 'run')).code).toBe(10);
  expect(await git(scene, 'log', '-1', '--format=%s')).toContain('WIP: claim.none - feature #2');
  expect(await git(scene, 'ls-files', 'src/subtract.js')).toBe('src/subtract.js');
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
  await setAgent(scene, `set -e; test -f src/subtract.js; ${RUN_SUBTRACT}; ${claim(2)}`);
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'verified', session: 2 });
  expect((await git(scene, 'log', '-2', '--format=%s')).split('\n')).toEqual([
    expect.stringContaining('Feature #2'),
    expect.stringContaining('WIP'),
  ]);
});

test('max_features_per_session above 1 is refused with the reason, and no agent is started', async () => {
  const scene = await projectWithAgent(HONEST);
  await write(scene, { '.harness.yaml': `${await read(scene, '.harness.yaml')}verification:\n  max_features_per_session: 2\n` });
  const run = await harness(scene, 'run');
  expect(run).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/verification\.max_features_per_session.*has to be 1.*--sessions N/s),
  });
});

test.runIf(isLong)('require_prefixes: a claim without a single mark is refused; with one it is judged like any other', async () => {
  const scene = await projectWithAgent(HONEST, { settings: 'logging:\n  require_prefixes: true\n' });
  expect((await harness(scene, 'run', '--json')).last).toMatchObject({ exit_code: 4, reasons: ['claim.no_evidence'] });
  await setAgent(scene, `echo "[CMD:RUN] node --test"; ${HONEST}`);
  expect((await harness(scene, 'run', '--json')).last).toMatchObject({ outcome: 'verified' });
});

test('a person raises the budget at the question, and the run goes on', async () => {
  const spends = `echo '{"type":"usage","input_tokens":1,"output_tokens":1,"cost_usd":3}'; sleep 1`;
  const scene = await projectWithAgent(spends, { settings: '# mine\ncosts:\n  total_project_usd: 2 # little\n' });
  expect((await harness(scene, 'run')).code).toBe(5);
  expect((await harness(scene, 'run')).code).toBe(5);
  expect((await harness(scene, 'answer', 'project.budget', 'Increase budget', '--text', '50')).code).toBe(0);
  await setAgent(scene, HONEST);
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'verified' });
  expect(await read(scene, '.harness.yaml')).toContain('# mine\ncosts:\n  total_project_usd: 50 # little\n');
  expect(await git(scene, 'log', '--format=%s')).toContain('Raise costs.total_project_usd to 50');
});

test("a session's budget that a person raises after the run has ended holds for the next one", async () => {
  const spends = `echo '{"type":"usage","input_tokens":1,"output_tokens":1,"cost_usd":3}'; sleep 1`;
  const scene = await projectWithAgent(`${spends}; sleep 60`, { settings: 'costs:\n  per_session_usd: 2 # little\n' });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 5, last: { reasons: ['budget.session'] } });
  await setAgent(scene, `${spends}\n${HONEST}`);
  const held = await harness(scene, 'run', '--json');
  expect(held, held.stderr).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
  expect(eventsOf(held, 'session.start')).toEqual([]);
  expect((await harness(scene, 'run', '--dry-run', '--json')).events[0]).toMatchObject({ asks: { id: 'project.budget' } });
  expect((await harness(scene, 'answer', 'project.budget', 'Increase budget', '--text', '50')).code).toBe(0);
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'verified' });
  expect(await read(scene, '.harness.yaml')).toContain('per_session_usd: 50 # little\n');
  expect(await git(scene, 'log', '--format=%s')).toContain('Raise costs.per_session_usd to 50');
});

test("a session's budget that a person raises in the settings needs no answer", async () => {
  const spends = `echo '{"type":"usage","input_tokens":1,"output_tokens":1,"cost_usd":3}'; sleep 1`;
  const scene = await projectWithAgent(`${spends}; sleep 60`, { settings: 'costs:\n  per_session_usd: 2 # little\n' });
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 5, last: { reasons: ['budget.session'] } });
  await write(scene, { '.harness.yaml': (await read(scene, '.harness.yaml')).replace('per_session_usd: 2', 'per_session_usd: 20') });
  await git(scene, 'commit', '-qam', 'More money');
  await setAgent(scene, `${spends}\n${HONEST}`);
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'verified' });
});
