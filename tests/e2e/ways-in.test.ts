/** The smaller ways in: what is pushed, what a shell completes, the man page, a packed tarball, and the pages about them. */
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { parseCommandLine } from '../../src/cli/parse.ts';
import { HONEST, projectWithAgent } from './calculator.ts';
import { BIN, typed } from './host-support.ts';
import { commitAll, exists, git, harness, makeScene, write, type Scene } from './support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HEADER = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const BASE = {
  'package.json': `${JSON.stringify({ name: 'calc', type: 'module', scripts: { test: 'node --test' } })}\n`,
  'src/one.js': 'export const one = () => 1;\n',
  'test/one.test.js': `${HEADER}import { one } from '../src/one.js';\ntest('one', () => {\n  assert.equal(one(), 1);\n});\n`,
};

/** `harness` is on the path, as npm would put it there. */
async function withProgram(scene: Scene): Promise<Scene> {
  const bin = join(scene.folder, 'bin');
  await mkdir(bin, { recursive: true });
  await mkdir(scene.env['HOME'] ?? '', { recursive: true });
  await symlink(BIN, join(bin, 'harness')).catch(() => {});
  scene.env['PATH'] = `${bin}:${scene.env['PATH']}`;
  return scene;
}

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test('the pre-push hook stops a rejected push, passes others, leaves a hook of the user alone, and goes without a trace', async () => {
  const scene = await withProgram(await makeScene(BASE));
  await git(scene, 'branch', '-M', 'main');
  const remote = join(scene.folder, 'remote.git');
  await git(scene, 'init', '-q', '--bare', remote);
  await git(scene, 'remote', 'add', 'origin', remote);
  const before = await readdir(join(scene.project, '.git', 'hooks'));
  expect(await harness(scene, 'hook', 'install')).toMatchObject({ code: 0 });
  const push = (...args: string[]) => typed(scene, scene.env, 'git', 'push', '-q', 'origin', ...args);
  expect(await push('main')).toMatchObject({ code: 0 });

  await git(scene, 'checkout', '-q', '-b', 'feature');
  await write(scene, { 'src/one.js': 'export const one = () => 2;\n' });
  await commitAll(scene, 'Break it');
  const stopped = await push('feature');
  expect(stopped.code).not.toBe(0);
  expect(stopped.stderr).toContain('rejected: 1 test that passed on base no longer passes');
  expect(await git(scene, 'ls-remote', 'origin', 'feature')).toBe('');
  await write(scene, { 'src/one.js': 'export const one = () => 1; // still\n' });
  await commitAll(scene, 'Mend it');
  expect(await push('feature')).toMatchObject({ code: 0 });
  // A deleted branch has no commit to judge.
  expect(await push('--delete', 'feature')).toMatchObject({ code: 0 });
  expect(await harness(scene, 'hook', 'uninstall')).toMatchObject({ code: 0 });
  expect(await readdir(join(scene.project, '.git', 'hooks'))).toEqual(before);

  const own = join(scene.project, '.git', 'hooks', 'pre-push');
  await writeFile(own, '#!/bin/sh\nexit 0\n');
  await chmod(own, 0o755);
  expect(await harness(scene, 'hook', 'install')).toMatchObject({ code: 2 });
  expect(await harness(scene, 'hook', 'uninstall')).toMatchObject({ code: 0 });
  expect(await readFile(own, 'utf8')).toBe('#!/bin/sh\nexit 0\n');
});

const SHELLS: Readonly<Record<string, (line: string) => string[]>> = {
  bash: (line) => {
    const words = line.split(' ').map((word) => `'${word}'`);
    return [
      '-c',
      `eval "$(harness completion bash)"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; compopt() { echo files; }; _harness; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ];
  },
  zsh: (line) => [
    '-f',
    '-c',
    `compdef() { :; }; source <(harness completion zsh); _describe() { print -l -- "\${(@P)2}"; }; _files() { print files; }; words=(${line
      .split(' ')
      .map((word) => `'${word}'`)
      .join(' ')}); CURRENT=$#words; _harness`,
  ],
  fish: (line) => ['-c', `harness completion fish | source; complete -C '${line}'`],
};

for (const [shell, args] of Object.entries(SHELLS))
  test.skipIf(!has(shell))(`${shell} completes commands, options, values, features and questions`, async () => {
    const scene = await withProgram(await projectWithAgent(HONEST, { checked: true }));
    const complete = async (line: string): Promise<string[]> => {
      const { stdout, stderr } = await typed(scene, scene.env, shell, ...args(line));
      expect(stderr).toBe('');
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((word) => word.split(/\t|(?<!\\):/)[0]!.replaceAll('\\', ''))
        .toSorted();
    };
    expect(await complete('harness wor')).toEqual(expect.arrayContaining(['worker', 'workflow']));
    expect(await complete('harness log ')).toEqual(['query', 'session', 'tail']);
    expect(await complete('harness workflow --mo')).toEqual(expect.arrayContaining(['--mode', '--model-config']));
    expect(await complete('harness workflow --mode ')).toEqual(['multi', 'single', 'standard']);
    expect(await complete('harness skip --feature ')).toEqual(['1', '2', '3']);
    expect(await complete('harness why F-')).toEqual(['F-1', 'F-2', 'F-3']);
    expect(await complete('harness completion ')).toEqual(['bash', 'fish', 'zsh']);
    expect(await complete('harness answer ')).toEqual([]);
  });

test('the questions that wait are completed with their options', async () => {
  const scene = await makeScene(BASE);
  const asked = await harness(scene, 'spec', 'Add numbers', '--agent', 'command', '--agent-command', 'true');
  expect(asked.code).toBe(8);
  const words = async (...given: string[]) =>
    (
      JSON.parse((await harness(scene, 'completion', 'bash', '--json', ...given.map((word) => `--word=${word}`))).stdout) as {
        word: string;
      }[]
    ).map(({ word }) => word);
  const [gate = ''] = await words('answer', '');
  expect(gate).toMatch(/^spec\./);
  expect((await words('answer', gate, '')).length).toBeGreaterThan(1);
});

test.skipIf(!has('man'))('man renders the page without a warning, with every command', async () => {
  const page = await promisify(execFile)('man', ['--warnings', '-l', join(ROOT, 'man', 'harness.1')], {
    env: { PATH: process.env['PATH'], MANWIDTH: '100', LANG: 'C.UTF-8' },
  });
  expect(page.stderr).toBe('');
  for (const { name } of COMMANDS) expect(page.stdout).toContain(`harness ${name}`);
});

test('npx starts the packed tarball, which brings plugin, man page and action', async () => {
  const scene = await makeScene(BASE);
  await mkdir(scene.env['HOME'] ?? '', { recursive: true });
  const packed = await typed({ ...scene, project: scene.folder }, scene.env, 'npm', 'pack', '--ignore-scripts', '--loglevel=error', ROOT);
  const tarball = join(scene.folder, packed.stdout.trim());
  const ran = await typed(scene, scene.env, 'npx', '--yes', '--offline', `file:${tarball}`, 'judge', '--json');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(ran.stdout)).toMatchObject({ verdict: 'nothing' });
  const { stdout } = await promisify(execFile)('tar', ['-tzf', tarball]);
  for (const path of [
    'plugin/.mcp.json',
    'plugin/.claude-plugin/marketplace.json',
    'plugin/.agents/plugins/marketplace.json',
    'plugin/skills/workflow/SKILL.md',
    'man/harness.1',
    'action.yml',
  ])
    expect(stdout).toContain(`package/${path}\n`);
});

test('every command on the pages about the ways in is one that the program knows', async () => {
  for (const page of ['judge', 'mcp', 'plugin', 'stop-hook', 'pre-push', 'github-action', 'shell']) {
    const text = await readFile(join(ROOT, 'docs', `${page}.md`), 'utf8');
    expect(text.split('\n').length, page).toBeLessThan(200);
    for (const [, block = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g))
      for (const line of block.split('\n')) {
        const command = /(?:^|[|(]\s*|\$\()harness ([^#|>)"]*)/.exec(line)?.[1]?.trim();
        if (command === undefined) continue;
        const parsed = parseCommandLine(COMMANDS, command.split(/\s+/));
        expect(parsed.kind, `${page}: harness ${command}`).not.toBe('misuse');
      }
    for (const [, file = ''] of text.matchAll(/\]\(([\w-]+\.md)/g))
      expect(await exists(join(ROOT, 'docs', file)), `${page}: ${file}`).toBe(true);
  }
});
