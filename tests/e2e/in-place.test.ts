/** `workspace.mode: in_place`: the agent works in the user's own tree, which is as it was whatever came of it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HONEST, projectWithAgent, setAgent } from './calculator.ts';
import { exists, git, harness, read, snapshot, startHarness } from './support.ts';

const IN_PLACE = { settings: 'workspace:\n  mode: in_place\n' };

test('honest work in the own tree lands as one commit; the agent has a git directory of its own there', async () => {
  const scene = await projectWithAgent(
    `[ "$PWD" = "$HARNESS_PROJECT_DIR" ] || exit 3; git log --oneline > "$TMPDIR/log"; git commit -q --allow-empty -m own; pwd > "$TMPDIR/where"; ${HONEST}`,
    IN_PLACE,
  );
  const run = await harness(scene, 'run', '--json');
  expect(run.last, run.stdout + run.stderr).toMatchObject({ outcome: 'verified' });
  expect(await git(scene, 'log', '--format=%s')).not.toContain('own');
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
  expect(await git(scene, 'show', '--stat', '--format=', 'HEAD')).not.toContain('untracked.txt');
  expect(await git(scene, 'for-each-ref', 'refs/harness/loans')).toBe('');
});

test('a refused session leaves the tree as it was, and what the agent left is kept', async () => {
  const scene = await projectWithAgent(`rm -rf src; echo gone > untracked.txt; echo x > new.txt; exit 0`, IN_PLACE);
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout + run.stderr).toBe(10);
  expect(await snapshot(scene)).toEqual(before);
  expect(await git(scene, 'show', 'refs/harness/saved/loan-1:new.txt')).toBe('x');
});

test('git directories and pipes of the agent are gone afterwards, and those of the user stay', async () => {
  const scene = await projectWithAgent('', IN_PLACE);
  const mark = join(scene.env['HOME']!, 'ran');
  const head = await git(scene, 'rev-parse', 'HEAD');
  await git(scene, 'update-index', '--add', '--cacheinfo', `160000,${head},sub`);
  await git(scene, 'commit', '-q', '-m', 'Bring a submodule');
  await git(scene, 'checkout', '-q', '-f', 'HEAD');
  await mkdir(join(scene.project, 'sub'), { recursive: true });
  await git(scene, 'init', '-q', 'mine');
  const start = `git init -q . && git config core.fsmonitor "touch '${mark}'; false"`;
  await setAgent(
    scene,
    `(cd sub && ${start}); mkdir -p a/b; (cd a/b && ${start}); (cd mine; git config core.fsmonitor "touch '${mark}'; false"; rm -rf .git); mv mine other; mkdir mine; (cd mine && ${start}); mkfifo pipe; exit 3`,
  );
  const before = await snapshot(scene);
  for (const session of [1, 2]) expect((await harness(scene, 'run', '--json')).last).toMatchObject({ outcome: 'partial', session });
  expect(await snapshot(scene)).toEqual(before);
  await git(scene, 'status');
  expect(await exists(mark)).toBe(false);
});

test('a link out of the tree that the agent left blocks no later session', async () => {
  const scene = await projectWithAgent('rm -rf src; ln -s "$HOME" src; exit 3', IN_PLACE);
  const before = await snapshot(scene);
  for (const session of [1, 2]) {
    const run = await harness(scene, 'run', '--json');
    expect(run.last, run.stderr).toMatchObject({ outcome: 'partial', session });
    expect(await snapshot(scene)).toEqual(before);
  }
});

test('killed while the agent is at work, the next command puts the tree back and goes on with the work', async () => {
  const scene = await projectWithAgent(
    'echo half > src/half.js; echo mine-too >> untracked.txt; touch "$TMPDIR/ready"; sleep 60',
    IN_PLACE,
  );
  const run = startHarness(scene, ['run']);
  await expect.poll(() => read(scene, 'untracked.txt'), { timeout: 20_000 }).toContain('mine-too');
  run.child.kill('SIGKILL');
  await run.ended;
  await setAgent(scene, `grep -q half src/half.js && rm src/half.js; ${HONEST}`);
  const again = await harness(scene, 'run', '--json');
  expect(again.last, again.stdout + again.stderr).toMatchObject({ outcome: 'verified' });
  expect(await readFile(join(scene.project, 'untracked.txt'), 'utf8')).toBe('mine\n');
});

test('several lanes, a mission and a worker cannot share the one tree', async () => {
  const scene = await projectWithAgent(HONEST, IN_PLACE);
  expect(await harness(scene, 'run', '--lanes', '2')).toMatchObject({ code: 2 });
  await writeFile(join(scene.project, 'SPEC.md'), '# Something\n');
  expect(await harness(scene, 'mission', 'run', '--spec', 'SPEC.md')).toMatchObject({ code: 2 });
});
