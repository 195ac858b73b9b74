/**
 * A repository that brings its own state: links in it, tracked documents, or a setting that puts the state where the project is.
 * Nothing outside the state folder is read or written, and nothing in a folder that is not the harness's own.
 */
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { calculator, HONEST, projectWithAgent, settingsFor } from './calculator.ts';
import { commitAll, copyScene, emptyScene, exists, git, harness, snapshot, startHarness, write, type Scene } from './support.ts';

const MINE = 'alias x=y\n';

/** What lies beside the project and is nobody's business. */
async function victimOf(scene: Scene): Promise<string> {
  const victim = join(scene.folder, 'victim');
  await mkdir(join(victim, 'folder'), { recursive: true });
  await writeFile(join(victim, 'bashrc'), MINE);
  await writeFile(join(victim, 'folder/keep'), 'keep\n');
  return victim;
}

async function untouched(victim: string): Promise<void> {
  expect(await readFile(join(victim, 'bashrc'), 'utf8')).toBe(MINE);
  expect(await readFile(join(victim, 'folder/keep'), 'utf8')).toBe('keep\n');
  expect(await snapshotOf(victim)).toEqual(['bashrc', 'folder', 'folder/keep']);
}

async function snapshotOf(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).toSorted();
}

const FILES = [
  'logs/events.jsonl',
  'logs/agent_actions.jsonl',
  'costs.yaml',
  'session_state.json',
  'lock',
  'self_check.json',
  'escalation.md',
];
const FOLDERS = ['logs', 'checkpoints', 'verdicts', 'requests', 'gates', 'agent-processes', 'tasks', 'logs/said'];

async function linkTo(scene: Scene, path: string, target: string): Promise<void> {
  const at = join(scene.project, '.harness', path);
  await mkdir(join(at, '..'), { recursive: true });
  await rm(at, { recursive: true, force: true });
  await symlink(target, at);
}

/** With what the repository brings. */
const BROUGHT: [string, (scene: Scene, victim: string) => Promise<unknown>][] = [
  [
    'files that are links',
    async (scene, victim) => {
      for (const file of FILES) await linkTo(scene, file, join(victim, 'bashrc'));
    },
  ],
  [
    'folders that are links',
    async (scene, victim) => {
      for (const folder of ['logs', 'requests', 'gates']) await linkTo(scene, folder, join(victim, 'folder'));
    },
  ],
  ['one plain document', async (scene) => await write(scene, { '.harness/session_state.json': '{}' })],
  ['a document that was removed from the working tree', async (scene) => await write(scene, { '.harness/gone.json': '{}' })],
];

const COMMANDS = [
  ['init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'true'],
  ['run'],
  ['status'],
  ['log', 'tail'],
  ['gates'],
  ['answer', 'project.stuck', 'Skip'],
  ['abort', '--yes'],
  ['workflow', 'do it', '--agent-command', 'true'],
];

test.each(BROUGHT)('a .harness that git tracks, with %s, is not used by any command', async (_name, bring) => {
  const scene = await calculator();
  const victim = await victimOf(scene);
  await bring(scene, victim);
  await git(scene, 'add', '-A', '-f');
  await git(scene, 'commit', '-q', '-m', 'Bring state');
  await rm(join(scene.project, '.harness/gone.json'), { force: true });
  const before = await snapshot(scene, { state: true });
  for (const command of isLong ? COMMANDS : COMMANDS.slice(1, 3)) {
    const run = await harness(scene, ...command);
    expect(run, command.join(' ')).toMatchObject({ code: 6, stderr: expect.stringContaining('git rm -r -q --cached .harness') });
  }
  expect(await snapshot(scene, { state: true })).toEqual(before);
  await untouched(victim);
});

test('only the index, or only the current commit, is enough; another spelling is the same folder', async () => {
  const scene = await calculator();
  await write(scene, { '.harness/a.json': '{}' });
  await git(scene, 'add', '-f', '.harness/a.json');
  expect(await harness(scene, 'status')).toMatchObject({ code: 6 });
  await commitAll(scene, 'Bring state');
  await git(scene, 'rm', '-q', '-r', '--cached', '.harness');
  expect(await harness(scene, 'status'), 'still in the commit').toMatchObject({ code: 6 });
  await git(scene, 'commit', '-q', '-m', 'Stop tracking it');
  expect((await harness(scene, 'status')).code).not.toBe(6);
  await write(scene, { '.Harness/b.json': '{}' });
  await git(scene, 'add', '-f', '.Harness/b.json');
  expect(await harness(scene, 'doctor', '--json')).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('git tracks files in .harness/'),
  });
});

test.each([
  ['inside git', true],
  ['outside of git', false],
])('%s, a .harness that is a link is not used', async (_name, isRepository) => {
  const scene = isRepository ? await calculator() : await emptyScene();
  const victim = await victimOf(scene);
  await symlink('../victim/folder', join(scene.project, '.harness'));
  for (const command of [['status'], ['gates'], ['workflow', 'do it', '--agent-command', 'true']])
    expect(await harness(scene, ...command)).toMatchObject({ code: 6, stderr: expect.stringContaining('.harness is a symbolic link') });
  await untouched(victim);
});

test('links in a state folder that git does not track are not followed either, whatever they replace', { timeout: 600_000 }, async () => {
  const template = await projectWithAgent(HONEST);
  for (const path of isLong ? [...FILES, ...FOLDERS] : ['logs/agent_actions.jsonl', 'verdicts']) {
    const scene = await copyScene(template);
    const victim = await victimOf(scene);
    await linkTo(scene, path, join(victim, FILES.includes(path) ? 'bashrc' : 'folder'));
    const run = await harness(scene, 'run');
    expect(run.code, `${path}: ${run.stderr}`).not.toBe(1);
    await harness(scene, 'status');
    await untouched(victim);
  }
});

test('an answer of status that is remembered is not given once the folder is another one', async () => {
  const scene = await projectWithAgent(HONEST);
  for (let time = 0; time < 2; time += 1) expect(await harness(scene, 'status')).toMatchObject({ code: 0 });
  await rename(join(scene.project, '.harness'), join(scene.folder, 'moved'));
  await symlink(join(scene.folder, 'moved'), join(scene.project, '.harness'));
  expect(await harness(scene, 'status')).toMatchObject({ code: 6 });
  await rm(join(scene.project, '.harness'));
  await rename(join(scene.folder, 'moved'), join(scene.project, '.harness'));
  expect(await harness(scene, 'status')).toMatchObject({ code: 0 });
  await git(scene, 'add', '-f', '.harness/test_baseline.json');
  expect(await harness(scene, 'status')).toMatchObject({ code: 6 });
});

const STATE_DIRS = [
  '.git',
  '.git/hooks',
  '.',
  './',
  'src',
  'lib/..',
  'a/../.git',
  '.GIT',
  'git~1',
  '/tmp/x',
  '~/x',
  '.harness/../../up',
  'docs/',
  'link',
  'mine',
  'test',
];

test('a state_dir that is anything but a folder of its own is refused, and abort moves nothing', { timeout: 600_000 }, async () => {
  const scene = await calculator();
  await mkdir(join(scene.folder, 'linked'));
  await symlink('../linked', join(scene.project, 'link'));
  await write(scene, { 'mine/letter.txt': 'precious\n', 'src/untracked.txt': 'mine\n' });
  const tried = isLong ? STATE_DIRS : ['.git', 'src', 'link', 'mine'];
  for (const value of tried) {
    const settings = `project: { name: p }\ntesting: { full: npm test }\nagent: { backend: command, command: 'true' }\npaths: { state_dir: '${value}' }\n`;
    await write(scene, { '.harness.yaml': settings });
    const before = await snapshot(scene, { state: true });
    for (const command of [['run'], ['abort', '--approve', 'project.abort']]) {
      const run = await harness(scene, ...command);
      expect(run, `${value}: ${command[0]}`).toMatchObject({ code: 2, stderr: expect.stringMatching(/paths\.state_dir.*/) });
      expect(run.stderr).toMatch(/fix:|name a folder|give a path/);
    }
    expect(await snapshot(scene, { state: true }), value).toEqual(before);
  }
});

test('a state_dir of its own works, and abort sets exactly that aside', async () => {
  const scene = await projectWithAgent(HONEST);
  const text = await readFile(join(scene.project, '.harness.yaml'), 'utf8');
  await writeFile(join(scene.project, '.harness.yaml'), `${text.replace(/\npaths:[\s\S]*?(?=\n\S|$)/, '')}\npaths:\n  state_dir: .state\n`);
  await git(scene, 'commit', '-qam', 'Keep state elsewhere');
  const before = await snapshot(scene);
  expect(await harness(scene, 'pause')).toMatchObject({ code: 0 });
  expect(await exists(join(scene.project, '.state/.gitignore'))).toBe(true);
  expect(await git(scene, 'status', '--porcelain')).toBe('?? untracked.txt');
  expect(await harness(scene, 'abort', '--approve', 'project.abort')).toMatchObject({ code: 0 });
  const after = Object.entries(await snapshot(scene)).filter(([path]) => !path.startsWith('.state'));
  expect(Object.fromEntries(after)).toEqual(before);
});

test.each([
  ['workflow', ['workflow', 'do it', '--mode', 'single', '--agent-command', 'exit 1']],
  ['spec', ['spec', 'do it', '--agent-command', 'exit 1']],
  ['mission', ['mission', 'run', '--spec', 'SPEC.md']],
])('the state folder of a %s without init is ignored by git from its first moment', async (name, command) => {
  const settings = settingsFor('', 'npm test').replace('sh "$HOME/agent.sh"', 'sleep 60');
  const scene = await calculator({
    'SPEC.md': '# Add\n\nA user adds numbers.\n',
    ...(name === 'mission' ? { '.harness.yaml': settings } : {}),
  });
  const running = startHarness(scene, command);
  const first = join(scene.project, '.harness/.gitignore');
  while (!(await exists(first)) && running.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await readFile(first, 'utf8')).toBe('*\n');
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  running.child.kill('SIGTERM');
  await running.ended;
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  expect(await readFile(join(scene.project, '.git/info/exclude'), 'utf8').catch(() => '')).not.toContain('.harness');
});
