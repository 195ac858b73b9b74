import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { calculator, FEATURES, FILES, settingsFor } from './calculator.ts';
import { emptyScene, exists, git, harness, makeScene, read, snapshot, startHarness, write, type Scene } from './support.ts';

const CREATED = ['.gitignore', '.harness.yaml', 'claude-progress.txt', 'init.sh', 'reset.sh'];

test('a repository is adopted in one commit that holds only what was missing', async () => {
  const scene = await calculator();
  const before = await snapshot(scene);
  const head = await git(scene, 'rev-parse', 'HEAD');
  const run = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, last: { type: 'end', outcome: 'complete', exit_code: 0 } });
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(head);
  expect((await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).split('\n')).toEqual(CREATED);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  const after = await snapshot(scene);
  for (const [path, bytes] of Object.entries(before))
    if (!path.startsWith('git ') && path !== '.gitignore') expect({ path, bytes: after[path] }).toEqual({ path, bytes });
  expect(await read(scene, '.gitignore')).toBe('private/\n.harness/\n');
  for (const script of ['init.sh', 'reset.sh']) expect(after[script]).toMatch(/^100755 /);
  expect(await git(scene, 'check-ignore', '.harness/x')).toBe('.harness/x');
  expect(await read(scene, '.harness.yaml')).toContain('name: calculator');
  expect(JSON.parse(await read(scene, '.harness/test_baseline.json'))).toMatchObject({ schema_version: 1, total_passing: 1 });
});

test('a second run changes nothing and makes no commit', async () => {
  const scene = await calculator();
  expect((await harness(scene, 'init', '--features', 'features.json')).code).toBe(0);
  const before = await snapshot(scene);
  const again = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(again, again.stderr).toMatchObject({ code: 0 });
  expect(again.last).not.toHaveProperty('commit');
  expect(await snapshot(scene)).toEqual(before);
});

test('an existing settings file is kept, and a different agent in the options causes a warning', async () => {
  const scene = await calculator({ '.harness.yaml': settingsFor('') });
  const before = await read(scene, '.harness.yaml');
  const run = await harness(scene, 'init', '--features', 'features.json', '--agent', 'anthropic');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const told = (run.stdout + run.stderr).replaceAll(/\s+/g, ' ');
  expect(told).toContain('its agent is command');
  expect(told).toContain('set agent.backend: anthropic');
  expect(await read(scene, '.harness.yaml')).toBe(before);
});

test('a type check that fails at init is not enforced', async () => {
  const scene = await calculator({ 'mypy.ini': '[mypy]\n' });
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect((run.stdout + run.stderr).replaceAll(/\s+/g, ' ')).toMatch(
    /type check is not enforced: "mypy \." (?:needs mypy, which is not installed|failed with status \d+: .+) \(full output: \.harness\/logs\/output-type-check\.txt\)/,
  );
  const settings = await read(scene, '.harness.yaml');
  expect(settings).toContain('# Not enforced, because it failed when the project was adopted: type check: mypy .');
  expect(settings).not.toContain('type_check:');
});

test('prints failing and flaky tests and the verification level', async () => {
  const twice =
    "import { test } from 'node:test';\nimport assert from 'node:assert';\ntest(`at ${process.hrtime.bigint()}`, () => {});\nconst define = (title, body) => test(title, body);\ndefine(`made at ${process.hrtime.bigint()}`, () => {});\ntest('red', () => assert.fail('no'));\n";
  const scene = await calculator({
    'package.json': '{"type":"module","scripts":{"test":"true && c8 node --test && eslint ."}}',
    'test/odd.test.js': twice,
  });
  const run = await harness(scene, 'init', '--features', 'features.json');
  const told = (run.stdout + run.stderr).replaceAll(/\s+/g, ' ');
  expect(run, told).toMatchObject({ code: 0 });
  for (const line of [
    'Tests: node:test, tracked one by one; one run of the suite takes',
    'test/odd.test.js::red',
    'Flaky tests (passed in one of 2 runs; ignored when judging): test/odd.test.js::made at ',
    'Not used when judging: c8',
    'Other checks in your test command: eslint .',
    'Verification level: full (each test is tracked by name',
  ])
    expect(told).toContain(line);
  expect(JSON.parse(await read(scene, '.harness/test_baseline.json')).passing_tests).toEqual([
    'test/add.test.js::add gives the result',
    expect.stringMatching(/^test\/odd\.test\.js::at \d+$/),
  ]);
});

test('files without a reported test end it with 6, the cause and what to try', async () => {
  const scene = await calculator({ '.harness.yaml': settingsFor('').replace(/full: .*/, 'full: node --test nowhere/') });
  const run = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(run, run.stderr).toMatchObject({ code: 6, last: { reasons: ['env.baseline_broken'] } });
  expect(run.stderr).toContain('(more output: .harness/logs/output-tests.txt)');
  expect(await exists(join(scene.project, '.harness/logs/output-tests.txt'))).toBe(true);
});

test('a helper among the tests is no test that fails', async () => {
  const scene = await calculator({ 'test/helpers/numbers.js': 'export const three = 3;\n' });
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain('Baseline: 1 of 1 tests pass');
});

test('a list from outside the repository becomes features.json, byte for byte', async () => {
  const scene = await makeScene(FILES);
  const list = join(scene.folder, 'wishes.json');
  await writeFile(list, FEATURES);
  const run = await harness(scene, 'init', '--features', list);
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(await read(scene, 'features.json')).toBe(FEATURES);
  expect(await git(scene, 'show', 'HEAD:features.json')).toBe(FEATURES.trimEnd());
  expect(await git(scene, 'rev-list', '--count', 'HEAD')).toBe('2');
});

test('an untracked settings file is committed as it is; other changes stay out', async () => {
  const scene = await calculator();
  const settings = `# mine\n${settingsFor('')}`;
  await write(scene, { '.harness.yaml': settings, 'scratch.txt': 'untracked\n', 'staged.txt': 'staged\n' });
  await git(scene, 'add', 'staged.txt');
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain('Modified tracked files: staged.txt. Commit or stash them first');
  expect(await read(scene, '.harness.yaml')).toBe(settings);
  expect((await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).split('\n')).toEqual(CREATED);
  expect((await git(scene, 'status', '--porcelain')).split('\n')).toEqual(['A  staged.txt', '?? scratch.txt']);
});

test.each([
  ['new', { 'features.json': FEATURES }, 'git add features.json && git commit -m "Add the feature list"'],
  ['changed', { 'features.json': `${FEATURES}\n` }, 'git add features.json && git commit -m "Change the feature list"'],
] as const)('a list that is %s and not committed stops it with the command', async (state, files, command) => {
  const scene = state === 'new' ? await makeScene(FILES) : await calculator();
  await write(scene, files);
  const before = await snapshot(scene, { state: true });
  const run = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(run).toMatchObject({ code: 6, last: { type: 'end', reasons: ['git.dirty'], exit_code: 6 } });
  expect(run.stderr.replaceAll(/\s+/g, ' ')).toContain(command);
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

test('without a name and an email in git nothing is done, and the two commands are shown', async () => {
  const scene = await calculator();
  await writeFile(join(scene.env['HOME']!, '.gitconfig'), '[init]\n\tdefaultBranch = main\n');
  const before = await snapshot(scene, { state: true });
  const run = await harness(scene, 'init', '--features', 'features.json', '--json');
  expect(run).toMatchObject({ code: 6, last: { reasons: ['git.identity'] } });
  for (const command of ['git config --global user.name "', 'git config --global user.email ']) expect(run.stderr).toContain(command);
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

test('a committed settings file is kept and obeyed', async () => {
  const settings = `# by hand\n${settingsFor('', 'node --test test/add.test.js')}`;
  const scene = await calculator({ '.harness.yaml': settings });
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(await read(scene, '.harness.yaml')).toBe(settings);
});

const feature = (fields: Record<string, unknown>): Record<string, unknown> => ({
  id: 1,
  description: 'A thing',
  test_file: 'test/a.test.js',
  passes: false,
  ...fields,
});
const listOf = (...features: Record<string, unknown>[]): string => JSON.stringify({ project: 'calculator', features });

const BAD: readonly { title: string; text: string; says: readonly RegExp[] }[] = [
  {
    title: 'without a test_file',
    text: listOf(feature({ test_file: undefined })),
    says: [/features\.1\.test_file/, /test file|require_test_file/],
  },
  {
    title: 'with a repeated id',
    text: listOf(feature({}), feature({ test_file: 'test/b.test.js' })),
    says: [/features\.2\.id/, /first at features\.1/],
  },
  { title: 'with an unknown dependency', text: listOf(feature({ depends_on: [7] })), says: [/features\.1\.depends_on/, /7/] },
  {
    title: 'with a circle',
    text: listOf(feature({ depends_on: [3] }), feature({ id: 2, depends_on: [1] }), feature({ id: 3, depends_on: [2] })),
    says: [/depends_on/, /1 → 3 → 2 → 1|3 → 2 → 1 → 3|2 → 1 → 3 → 2/],
  },
  { title: 'with a feature that depends on itself', text: listOf(feature({ depends_on: [1] })), says: [/1 → 1/] },
  { title: 'that is no JSON', text: '{ "project": ', says: [/JSON/] },
  { title: 'without features', text: listOf(), says: [/features/] },
  { title: 'that is an empty file', text: '', says: [/JSON|empty/] },
  { title: 'with a wrong type', text: listOf(feature({ passes: 'yes' })), says: [/features\.1\.passes/] },
  { title: 'with a test outside the project', text: listOf(feature({ test_file: '../a.test.js' })), says: [/features\.1\.test_file/] },
];

describe('bad lists', () => {
  test.concurrent.each(BAD)('$title: exit 2, told with file and field, and nothing is written', async ({ text, says }) => {
    const scene = await calculator({ 'features.json': text });
    await expectNoChange(scene, ['init', '--features', 'features.json'], [/features\.json/, ...says]);
  });

  test('a list that is not there', async () => {
    await expectNoChange(await calculator(), ['init', '--features', 'nowhere.json'], [/nowhere\.json/]);
  });
});

test('a folder without git, or without a commit, is told what to do and stays as it is', async () => {
  const bare = await emptyScene();
  await write(bare, { ...FILES, 'features.json': FEATURES });
  await expectNoChange(bare, ['init', '--features', 'features.json'], [/git init|git/]);
  await git(bare, 'init', '-q');
  await expectNoChange(bare, ['init', '--features', 'features.json'], [/commit/]);
});

test('a project whose tests cannot be detected is asked for a test command', async () => {
  const scene = await makeScene({ 'notes.txt': 'nothing to test\n', 'features.json': FEATURES });
  await expectNoChange(scene, ['init', '--features', 'features.json'], [/\.harness\.yaml/, /testing/]);
});

async function expectNoChange(scene: Scene, args: string[], says: readonly RegExp[]): Promise<void> {
  const before = await snapshot(scene, { state: true });
  const run = await harness(scene, ...args);
  expect(run.code, run.stderr).toBe(2);
  for (const word of says) expect(run.stderr).toMatch(word);
  expect(run.stderr).not.toMatch(/\n\s+at /);
  expect(await snapshot(scene, { state: true })).toEqual(before);
}

test('a list that is not there yet is answered with what one looks like', async () => {
  const scene = await makeScene(FILES);
  const before = await snapshot(scene, { state: true });
  const run = await harness(scene, 'init', '--features', 'features.json');
  expect(run, run.stdout).toMatchObject({ code: 2 });
  expect(run.stderr).toContain('features.json: no such file.');
  expect(run.stderr).toContain('"test_file": "test/cart.test.js"');
  expect(await snapshot(scene, { state: true })).toEqual(before);
});

test('doctor names a pinned package manager that is not here, with the command, before anybody is stopped', async () => {
  const scene = await calculator({
    'package.json': '{ "name": "calculator", "packageManager": "pnpm@10.1.0", "dependencies": { "a": "1" } }\n',
    'pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n  a@1.0.0: {}\n",
  });
  const bin = join(scene.folder, 'bin');
  await mkdir(bin);
  for (const name of ['node', 'npm', 'git', 'sh']) {
    const found = scene.env['PATH']!.split(':').map((folder) => join(folder, name));
    for (const path of found) if (await exists(path)) await symlink(path, join(bin, name)).catch(() => {});
  }
  const doctor = await startHarness(scene, ['doctor'], { PATH: bin }).ended;
  expect(doctor.stdout).toContain('package manager: pnpm@10.1.0 is not installed; the first install fetches it');
  expect(doctor.stdout).toContain('npm install --global pnpm@10.1.0');
});
