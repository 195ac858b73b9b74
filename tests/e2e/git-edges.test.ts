/** Git at the edges: a branch that moves during a session, remotes, hooks and signatures, with real repositories. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HONEST, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read, type Scene } from './support.ts';

const NO_SANDBOX = 'sandbox:\n  mode: off\n';

/** Meanwhile, in the user's own repository, somebody commits. */
const meanwhile = (scene: Scene, script: string): Promise<void> =>
  writeFile(
    join(scene.env['HOME']!, 'agent.sh'),
    `cat > /dev/null\n${HONEST}\ncd "${scene.project}"\n${script}\ngit -c user.name=Other -c user.email=other@example.org commit -q -am 'Meanwhile'\n`,
  );

describe('a branch that moves during the session', () => {
  test('the work is brought onto the new commit, judged there, and lands', async () => {
    const scene = await projectWithAgent('', { settings: NO_SANDBOX });
    await meanwhile(scene, `echo '// a note' >> src/add.js`);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
    expect((await git(scene, 'log', '--format=%s', '-3')).split('\n')).toEqual([
      'Feature #2: A user subtracts two numbers',
      'Meanwhile',
      'Set up the harness',
    ]);
    expect(await read(scene, 'src/add.js')).toContain('// a note');
    expect(eventsOf(run, 'verify.result')).toHaveLength(2);
    expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
    const baseline = JSON.parse(await read(scene, '.harness/test_baseline.json')) as { commit: string };
    expect(baseline.commit).toBe(await git(scene, 'rev-parse', 'HEAD'));
  });

  test('what breaks the work there is found: it does not land, and is kept', async () => {
    const scene = await projectWithAgent('', { settings: NO_SANDBOX });
    await meanwhile(scene, `printf 'export const subtract = () => 0;\\n' > src/subtract.js; git add src/subtract.js`);
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['git.moved'] } });
    expect(run.last?.['message']).toContain('src/subtract.js');
    expect(await git(scene, 'log', '--format=%s', '-1')).toBe('Meanwhile');
    expect(await git(scene, 'show', 'refs/harness/wip/2:src/subtract.js')).toContain('a - b');
  });
});

async function withRemote(options: { settings?: string; script?: string } = {}): Promise<Scene & { remote: string }> {
  const scene = await projectWithAgent(options.script ?? HONEST, { settings: options.settings ?? `git:\n  push: true\n${NO_SANDBOX}` });
  const remote = join(scene.env['HOME']!, 'remote.git');
  await git(scene, 'clone', '-q', '--bare', scene.project, remote);
  await git(scene, 'remote', 'add', 'origin', remote);
  return { ...scene, remote };
}

/** Somebody else pushes to the remote. */
async function pushedByOthers(scene: Scene & { remote: string }, files: Readonly<Record<string, string>>): Promise<void> {
  const other = join(scene.env['HOME']!, 'other');
  await git(scene, 'clone', '-q', scene.remote, other);
  for (const [path, text] of Object.entries(files)) await writeFile(join(other, path), text);
  await git(scene, '-C', other, 'add', '-A');
  await git(scene, '-C', other, 'commit', '-q', '-m', 'By others');
  await git(scene, '-C', other, 'push', '-q');
}

describe('git.push', () => {
  test('an accepted commit is pushed', async () => {
    const scene = await withRemote();
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(await git(scene, '--git-dir', scene.remote, 'rev-parse', 'main')).toBe(await git(scene, 'rev-parse', 'main'));
  });

  test('a rejected push is brought onto what others pushed, run again there, and tried once more', async () => {
    const scene = await withRemote();
    await pushedByOthers(scene, { 'README.md': 'From others\n' });
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    const log = (await git(scene, '--git-dir', scene.remote, 'log', '--format=%s', 'main', '-2')).split('\n');
    expect(log).toEqual(['Feature #2: A user subtracts two numbers', 'By others']);
    expect(await git(scene, 'rev-parse', 'main')).toBe(await git(scene, '--git-dir', scene.remote, 'rev-parse', 'main'));
    expect(await read(scene, 'README.md')).toBe('From others\n');
    expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
    expect(run.last).toMatchObject({ commit: await git(scene, 'rev-parse', 'main') });
  });

  test('a conflict with what others pushed pauses the project, with the commit on the branch here', async () => {
    const scene = await withRemote();
    await pushedByOthers(scene, { 'src/subtract.js': 'export const subtract = () => 0;\n' });
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(run.last?.['message']).toMatch(/origin refused the push .*src\/subtract\.js.*harness resume/);
    expect(await git(scene, 'log', '--format=%s', '-1')).toBe('Feature #2: A user subtracts two numbers');
    expect(await git(scene, '--git-dir', scene.remote, 'log', '--format=%s', 'main', '-1')).toBe('By others');
    const again = await harness(scene, 'run', '--json');
    expect(again, again.stderr).toMatchObject({ code: 10, last: { reasons: ['user_pause'] } });
  });

  test('what fails together with what others pushed is not pushed', async () => {
    const scene = await withRemote();
    await pushedByOthers(scene, { 'src/add.js': 'export const add = () => 0;\n' });
    const run = await harness(scene, 'run', '--json');
    expect(run.last?.['message']).toMatch(/tests fail that passed: test\/add\.test\.js/);
    expect(await git(scene, '--git-dir', scene.remote, 'log', '--format=%s', 'main', '-1')).toBe('By others');
    expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  test('a remote that cannot be reached is a warning, and the next commit takes this one along', async () => {
    const scene = await withRemote();
    await git(scene, 'remote', 'set-url', 'origin', join(scene.env['HOME']!, 'nowhere.git'));
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect(eventsOf(run, 'warning').map((event) => event['message'])).toContainEqual(expect.stringContaining('the push to origin failed'));
    const state = JSON.parse(await read(scene, '.harness/session_state.json')) as { paused: boolean };
    expect(state.paused).toBe(false);
  });
});

async function setHook(scene: Scene, name: string, script: string, folder = '.git/hooks'): Promise<void> {
  await mkdir(join(scene.project, folder), { recursive: true });
  await writeFile(join(scene.project, folder, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(scene.project, folder, name), 0o755);
}

describe('git.hooks', () => {
  const settings = `git:\n  hooks: true\n${NO_SANDBOX}`;

  test('hooks see what is staged, and may change the message', async () => {
    const scene = await projectWithAgent(HONEST, { settings });
    await setHook(scene, 'pre-commit', 'git diff --cached --name-only > "$HOME/staged"; exit 0');
    await setHook(scene, 'commit-msg', 'echo "Change-Id: I42" >> "$1"');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    expect((await readFile(join(scene.env['HOME']!, 'staged'), 'utf8')).split('\n')).toContain('src/subtract.js');
    const message = await git(scene, 'log', '-1', '--format=%B');
    expect(message).toContain('Change-Id: I42');
    expect(message).toContain('Harness-Feature: 2');
  });

  test('one that fails refuses the commit, with its words', async () => {
    const scene = await projectWithAgent(HONEST, { settings });
    await setHook(scene, 'pre-commit', 'echo "no commits on Sundays" >&2; exit 3');
    const before = await git(scene, 'rev-parse', 'HEAD');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 10, last: { outcome: 'partial', reasons: ['git.hook'] } });
    expect(run.last?.['message']).toContain('no commits on Sundays');
    expect(await git(scene, 'rev-parse', 'HEAD')).toBe(before);
  });

  test('one that changes the tree voids the verdict', async () => {
    const scene = await projectWithAgent(HONEST, { settings });
    await setHook(scene, 'pre-commit', 'echo "// formatted" >> src/subtract.js; git add src/subtract.js');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 10, last: { reasons: ['git.hook'] } });
    expect(run.last?.['message']).toContain('src/subtract.js');
    expect(await git(scene, 'log', '--format=%s', '-1')).toBe('Set up the harness');
  });

  test('hooks that are part of the project run in the version from before the session', async () => {
    const scene = await projectWithAgent('', { settings });
    await setHook(scene, 'pre-commit', 'touch "$HOME/trusted-ran"', 'hooks');
    await git(scene, 'add', '-A', 'hooks');
    await git(scene, 'commit', '-q', '-m', 'Hooks');
    await git(scene, 'config', 'core.hooksPath', 'hooks');
    await writeFile(
      join(scene.env['HOME']!, 'agent.sh'),
      `cat > /dev/null\n${HONEST}\nprintf '#!/bin/sh\\ntouch "$HOME/agents-ran"\\n' > hooks/pre-commit\n`,
    );
    const run = await harness(scene, 'run', '--json', '--approve', 'project.tampering');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
    await expect(readFile(join(scene.env['HOME']!, 'trusted-ran'))).resolves.toBeDefined();
    await expect(readFile(join(scene.env['HOME']!, 'agents-ran'))).rejects.toThrow('ENOENT');
  });

  test('without the setting no hook runs', async () => {
    const scene = await projectWithAgent(HONEST, { settings: NO_SANDBOX });
    await setHook(scene, 'pre-commit', 'exit 1');
    const run = await harness(scene, 'run', '--json');
    expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  });
});

test('the accepting commit is signed where the user signs commits', async () => {
  const scene = await projectWithAgent(HONEST);
  const key = join(scene.env['HOME']!, 'signing-key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'signer', '-f', key], { env: { PATH: process.env['PATH'] ?? '' } });
  const allowed = join(scene.env['HOME']!, 'allowed');
  await writeFile(allowed, `* ${await readFile(`${key}.pub`, 'utf8')}`);
  for (const [name, value] of [
    ['gpg.format', 'ssh'],
    ['user.signingkey', `${key}.pub`],
    ['commit.gpgsign', 'true'],
    ['gpg.ssh.allowedSignersFile', allowed],
  ] as const)
    await git(scene, 'config', name, value);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await git(scene, 'log', '-1', '--format=%G?')).toBe('G');
  await git(scene, 'verify-commit', 'HEAD');
});
