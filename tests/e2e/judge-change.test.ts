/** `harness judge`: a verdict on a change as it is, from real repositories in every state that people leave them in. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commitAll, git, harness, makeScene, write, type Run, type Scene } from './support.ts';

const HEADER = "import test from 'node:test';\nimport assert from 'node:assert/strict';\n";
const BASE = {
  'package.json': `${JSON.stringify({ name: 'calc', version: '1.0.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  '.gitignore': 'local.txt\n',
  'src/one.js': 'export const one = () => 1;\n',
  'test/one.test.js': `${HEADER}import { one } from '../src/one.js';\ntest('one', () => {\n  assert.equal(one(), 1);\n});\n`,
};
const ADD = 'export const add = (a, b) => a + b;\n';
const ADD_TEST = `${HEADER}import { add } from '../src/add.js';\ntest('adds two', () => {\n  assert.equal(add(2, 3), 5);\n});\ntest('adds negatives', () => {\n  assert.equal(add(-2, -7), -9);\n});\n`;

async function project(): Promise<Scene> {
  const scene = await makeScene(BASE);
  await git(scene, 'branch', '-M', 'main');
  return scene;
}

function reportOf(run: Run): Record<string, unknown> {
  return JSON.parse(run.stdout) as Record<string, unknown>;
}

/** Every file of the repository with its content. */
async function everything(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[path] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
  }
  return found;
}

describe('the working tree', () => {
  test('a proved change is accepted, and nothing in the repository is written', async () => {
    const scene = await project();
    await write(scene, { 'src/add.js': ADD, 'test/add.test.js': ADD_TEST, 'local.txt': 'ignored' });
    const before = await everything(scene.project);
    const run = await harness(scene, 'judge', '--json');
    expect(run.code, run.stderr).toBe(0);
    expect(reportOf(run)).toMatchObject({
      verdict: 'accepted',
      reasons: [],
      changed_files: 2,
      test_files: ['test/add.test.js'],
      red_to_green: ['test/add.test.js::adds two', 'test/add.test.js::adds negatives'],
      kept_green: 1,
      base: { revision: 'main' },
      head: { revision: null },
    });
    expect(await everything(scene.project)).toEqual(before);
    const [folder] = await readdir(join(scene.env['HARNESS_HOME'] ?? '', 'judged'));
    const kept = await readdir(join(scene.env['HARNESS_HOME'] ?? '', 'judged', folder ?? ''));
    expect(kept.map((name) => name.replace(/^.*\./, '.'))).toEqual(['.json']);
  });

  test('one without a test is regression only, one without a difference is nothing', async () => {
    const scene = await project();
    expect(reportOf(await harness(scene, 'judge', '--json'))).toMatchObject({ verdict: 'nothing', exit_code: 0, checks: [] });
    await write(scene, { 'src/add.js': ADD });
    const run = await harness(scene, 'judge', '--json');
    expect(run.code).toBe(0);
    expect(reportOf(run)).toMatchObject({ verdict: 'regression_only', reasons: ['test.none_new'], test_files: [] });
    const text = await harness(scene, 'judge');
    expect(text.stdout).toContain('regression only');
    expect(text.stdout).not.toMatch(/^accepted/m);
  });

  test('one that breaks what worked is rejected, in every form of report', async () => {
    const scene = await project();
    await write(scene, { 'src/one.js': 'export const one = () => 2;\n' });
    const file = join(scene.folder, 'judge.xml');
    const run = await harness(scene, 'judge', '--markdown', '--junit', file);
    expect(run.code, run.stderr).toBe(4);
    expect(run.stdout).toMatch(/^## rejected/);
    expect(run.stdout).toContain('test/one.test.js::one');
    const xml = await readFile(file, 'utf8');
    expect(xml).toMatch(/<failure type="(?:regression|test\.failed)"/);
    await promisify(execFile)('python3', ['-c', 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])', file]);
  });

  test('a weakened test needs review, which a script can accept', async () => {
    const scene = await project();
    await write(scene, {
      'src/one.js': 'export const one = () => 2;\n',
      'test/one.test.js': (BASE['test/one.test.js'] ?? '').replace('one(), 1', 'one(), 2'),
    });
    expect(await harness(scene, 'judge', '--json')).toMatchObject({ code: 8 });
    expect(await harness(scene, 'judge', '--json', '--accept-review')).toMatchObject({ code: 0 });
  });

  test('what a repository names takes no effect in Markdown or on a terminal', async () => {
    const scene = await project();
    const name = 'src/<img src=x> [a](b) @all \u001b]52;c;aGk=\u0007.js';
    await write(scene, { 'src/one.js': 'export const one = () => 2;\n', [name]: ADD });
    const run = await harness(scene, 'judge', '--markdown');
    expect(run.stdout).not.toMatch(/<img|\u001b|[^\\]\[a\]\(b\)/);
  });
});

describe('commits and clones', () => {
  test('a branch that is behind is judged by what it changed itself', async () => {
    const scene = await project();
    await git(scene, 'checkout', '-q', '-b', 'feature');
    await write(scene, { 'src/add.js': ADD, 'test/add.test.js': ADD_TEST });
    await commitAll(scene, 'Add');
    await git(scene, 'checkout', '-q', 'main');
    await write(scene, { 'src/two.js': 'export const two = () => 2;\n' });
    await commitAll(scene, 'Meanwhile');
    const run = await harness(scene, 'judge', '--head', 'feature', '--json');
    expect(run.code, run.stderr).toBe(0);
    expect(reportOf(run)).toMatchObject({ verdict: 'accepted', changed_files: 2, head: { revision: 'feature' } });
  });

  test('command and protected files come from the base', async () => {
    const scene = await project();
    await write(scene, {
      'package.json': (BASE['package.json'] ?? '').replace('node --test', 'true'),
      'src/one.js': 'export const one = () => 2;\n',
    });
    const run = await harness(scene, 'judge', '--json');
    expect(run.code, run.stdout).toBe(4);
  });

  test('a shallow clone is not judged, and the command that mends it is named', async () => {
    const scene = await project();
    await write(scene, { 'src/add.js': ADD });
    await commitAll(scene, 'Add');
    const clone = { ...scene, project: join(scene.folder, 'clone') };
    await git(scene, 'clone', '-q', '--depth', '1', `file://${scene.project}`, clone.project);
    const run = await harness(clone, 'judge', '--base', 'main~1', '--json');
    expect(run.code).toBe(6);
    expect(reportOf(run)).toMatchObject({ verdict: 'not_judged' });
    expect(run.stdout).toContain('git fetch --unshallow');
  });

  test('a project without a test command is not judged', async () => {
    const scene = await makeScene({ 'notes.md': 'Notes\n' });
    await write(scene, { 'notes.md': 'More notes\n' });
    const run = await harness(scene, 'judge', '--json');
    expect(run.code).toBe(6);
    expect(reportOf(run)).toMatchObject({ verdict: 'not_judged', reasons: ['test.none_ran'] });
  });

  test('the first test of a project proves its change; a placeholder of npm is no test command', async () => {
    const first = await makeScene({ 'package.json': BASE['package.json'] ?? '', 'src/one.js': BASE['src/one.js'] ?? '' });
    await write(first, { 'src/add.js': ADD, 'test/add.test.js': ADD_TEST });
    expect(reportOf(await harness(first, 'judge', '--json'))).toMatchObject({ verdict: 'accepted', kept_green: 0 });
    const none = await makeScene({
      'package.json': '{"name":"x","scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      'a.js': '',
    });
    await write(none, { 'a.js': 'exports.a = 1;\n' });
    expect(reportOf(await harness(none, 'judge', '--json'))).toMatchObject({ verdict: 'not_judged', reasons: ['test.none_ran'] });
  });

  test('where no test passes on the base, and the change fails as the base does, nothing is said about the change', async () => {
    const broken = `import 'left-out';\n${BASE['test/one.test.js']}`;
    const scene = await makeScene({ ...BASE, 'test/one.test.js': broken });
    await write(scene, { 'test/one.test.js': `${broken}test('more', () => {\n  assert.equal(one() + 1, 2);\n});\n` });
    const run = await harness(scene, 'judge', '--json');
    expect(run.code, run.stdout).toBe(6);
    expect(reportOf(run)).toMatchObject({ verdict: 'not_judged', reasons: ['env.baseline_broken'] });
    expect(run.stdout).toContain('left-out');
    await write(scene, {
      'test/one.test.js': BASE['test/one.test.js'],
      'test/add.test.js': ADD_TEST,
      'src/add.js': 'export const add = () => 5;\n',
    });
    expect(await harness(scene, 'judge')).toMatchObject({ code: 4 });
  });

  test('a lockfile that cannot be installed is exit 6 with the first error and where the rest is', async () => {
    const dependencies = { 'left-out': '1.0.0' };
    const packages = {
      '': { name: 'calc', dependencies },
      'node_modules/left-out': { version: '1.0.0', resolved: 'file:left-out.tgz', integrity: 'sha512-AAAA' },
    };
    const scene = await makeScene({
      ...BASE,
      'package.json': JSON.stringify({ name: 'calc', type: 'module', scripts: { test: 'node --test' }, dependencies }),
      'package-lock.json': JSON.stringify({ name: 'calc', lockfileVersion: 3, packages }),
    });
    await write(scene, { 'src/one.js': 'export const one = () => 2;\n' });
    const run = await harness(scene, 'judge', '--json');
    expect(run.code, run.stdout).toBe(6);
    const { message } = reportOf(run) as { message: string };
    expect(message).toContain('package-lock.json, commit it, then judge again');
    expect(await readFile(/Full output: (.*\.log)$/.exec(message)?.[1] ?? '', 'utf8')).not.toBe('');
  });

  test('a read-only repository can be judged', async () => {
    const scene = await project();
    await write(scene, { 'src/add.js': ADD, 'test/add.test.js': ADD_TEST });
    await mkdir(join(scene.project, 'empty'));
    await chmod(join(scene.project, '.git'), 0o555);
    const run = await harness(scene, 'judge', '--json').finally(() => chmod(join(scene.project, '.git'), 0o755));
    expect(run.code, run.stderr).toBe(0);
  });
});

test.each([
  [['--base', 'no-such-branch'], 'There is no commit called "no-such-branch"'],
  [['--base=--output=x'], 'There is no commit called'],
  [['--json', '--markdown'], '--json and --markdown exclude each other'],
  [['--describe', 'missing.md'], 'There is no file missing.md'],
  [['--within', '0'], '--within'],
])('wrong usage is exit 2: %j', async (args, message) => {
  const scene = await project();
  const run = await harness(scene, 'judge', ...args);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(message);
});

test('a limit of time ends without a verdict, and every process with it', async () => {
  const scene = await project();
  await write(scene, {
    'test/slow.test.js': `${HEADER}test('slow', async () => {\n  await new Promise((done) => setTimeout(done, 60_000));\n});\n`,
  });
  const run = await harness(scene, 'judge', '--within', '5', '--json');
  expect(run.code).toBe(6);
  expect(reportOf(run)).toMatchObject({ verdict: 'not_judged', reasons: ['timeout'] });
});
