/** Git never runs with a git directory that an agent, or the files of a clone, could have set up. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { claim, FEATURES, FILES, projectWithAgent, RUN_SUBTRACT, setAgent, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { commitAll, exists, git, harness, makeScene, write, type Scene } from './support.ts';

const { hides } = await bubblewrapHere();
const PROGRAM = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

/** Makes the git directory one in which git starts a program to find a missing object. */
const trap = (mark: string): string => `import { execSync } from 'node:child_process';
try {
  execSync(\`git config core.repositoryformatversion 1 && git config extensions.partialClone evil && git config remote.evil.promisor true &&
    git config remote.evil.url file:///nowhere && git config remote.evil.uploadpack "touch '${mark}'; false" &&
    git update-index --add --cacheinfo 100644,1234567890123456789012345678901234567890,missing\`, { stdio: 'ignore' });
} catch {}
`;

async function withHook(script: string): Promise<{ scene: Scene; mark: string }> {
  const scene = await projectWithAgent('', { settings: 'git:\n  hooks: true\n' });
  const hook = join(scene.project, '.git', 'hooks', 'pre-commit');
  await mkdir(join(hook, '..'), { recursive: true });
  await writeFile(hook, `#!/bin/sh\n${script}\n`);
  await chmod(hook, 0o755);
  return { scene, mark: join(scene.env['HOME']!, 'ran') };
}

test.runIf(hides)('a commit hook starts what the agent wrote, and nothing of it runs outside the sandbox', async () => {
  const { scene, mark } = await withHook('node src/lint.js');
  await setAgent(scene, `set -e\n${WRITE_SUBTRACT}\ncat > src/lint.js <<'END'\n${trap(mark)}END\n${RUN_SUBTRACT}\n${claim(2)}`);
  const run = await harness(scene, 'run', '--json');
  expect(await exists(mark), run.stdout + run.stderr).toBe(false);
  expect(run.last, run.stderr).toMatchObject({ outcome: 'partial', reasons: ['git.hook'], message: expect.stringContaining('the index') });
});

test.runIf(hides).each([
  ['a link in the place of the index', 'cp .git/index .git/other; rm .git/index; ln -s other .git/index', 'the index'],
  ['a pipe in its place', 'rm .git/index; mkfifo .git/index', 'the index'],
  ['another git directory', 'mv .git /tmp/git; ln -s /tmp/git .git', 'commit message'],
])('a commit hook that leaves %s is refused', async (_name, script, message) => {
  const { scene } = await withHook(script);
  await setAgent(scene, `set -e\n${WRITE_SUBTRACT}\n${RUN_SUBTRACT}\n${claim(2)}`);
  const run = await harness(scene, 'run', '--json');
  const reason = message === 'the index' ? message : /commit message|index/;
  expect(run.last, run.stdout + run.stderr).toMatchObject({ reasons: ['git.hook'], message: expect.stringMatching(reason) });
});

/** A clone in which a folder of the project is laid out as a git directory, with settings by which git starts programs. */
async function cloneWithOpenRepository(): Promise<{ scene: Scene; mark: string }> {
  const scene = await makeScene({ 'README.md': 'A monorepo\n' });
  const mark = join(scene.env['HOME']!, 'ran');
  const part: Scene = { ...scene, project: join(scene.project, 'part') };
  await write(part, { ...FILES, 'features.json': FEATURES, '.harness.yaml': settingsFor('') });
  await git(part, 'init', '-q');
  await commitAll(part, 'Start');
  await write(part, { '.gitattributes': '* filter=x\n' });
  await git(part, 'add', '-A');
  const settings = { 'core.worktree': '.', 'core.fsmonitor': `touch '${mark}'; false`, 'filter.x.clean': `touch '${mark}'; cat` };
  for (const [key, value] of Object.entries(settings)) await git(part, 'config', key, value);
  for (const name of ['HEAD', 'config', 'index', 'objects', 'refs'])
    await rename(join(part.project, '.git', name), join(part.project, name));
  await rm(join(part.project, '.git'), { recursive: true });
  await write(part, { 'refs/tags/kept': '' });
  await git(scene, 'add', '-A', '-f');
  await git(scene, 'commit', '-q', '-m', 'Bring a part');
  await git(scene, 'clone', '-q', scene.project, join(scene.folder, 'clone'));
  await rm(mark, { force: true });
  return { scene: { ...scene, project: join(scene.folder, 'clone', 'part') }, mark };
}

test('a git directory among the files of a clone is not used', async () => {
  const { scene, mark } = await cloneWithOpenRepository();
  for (const command of [['status'], ['init', '--features', 'features.json', '--yes'], ['judge'], ['run'], ['doctor']]) {
    const run = await harness(scene, ...command);
    expect(await exists(mark), `${command.join(' ')}\n${run.stdout}${run.stderr}`).toBe(false);
  }
  const init = await harness(scene, 'init', '--features', 'features.json');
  expect(init).toMatchObject({ code: 2, stderr: expect.stringContaining('laid out as a git directory') });
  for (const event of ['SessionStart', 'Stop']) {
    const input = JSON.stringify({ session_id: 's', cwd: scene.project, hook_event_name: event });
    expect(spawnSync(process.execPath, [PROGRAM, 'hook', 'stop'], { cwd: scene.project, env: scene.env, input })).toMatchObject({
      status: 0,
    });
    expect(await exists(mark), event).toBe(false);
  }
});

test('one whose branch is a link to nothing and whose objects lie elsewhere is not used either', async () => {
  const { scene, mark } = await cloneWithOpenRepository();
  const at = (name: string): string => join(scene.project, name);
  await mkdir(at('common'));
  for (const name of ['objects', 'refs']) await rename(at(name), at(`common/${name}`));
  await writeFile(at('commondir'), 'common\n');
  await rm(at('HEAD'));
  await symlink('refs/heads/none', at('HEAD'));
  await git(scene, 'config', '--file', 'config', 'core.hooksPath', join(scene.env['HOME']!, 'hooks'));
  for (const command of [['init', '--features', 'features.json'], ['judge'], ['hook', 'install']]) {
    const run = await harness(scene, ...command);
    expect(run.code, command.join(' ')).not.toBe(0);
    expect(run.stdout + run.stderr).toContain('laid out as a git directory');
  }
  expect(await exists(mark)).toBe(false);
  expect(await exists(join(scene.env['HOME']!, 'hooks'))).toBe(false);
});
