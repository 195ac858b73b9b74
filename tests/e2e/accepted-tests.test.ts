/** Accepted tests are remembered: a test that is loosened in one session still runs as it was when a later one breaks the code. */
import { expect, test } from 'vitest';
import { FEATURES, HONEST, HONEST_BOTH, projectWithAgent, setAgent } from './calculator.ts';
import { eventsOf, gates, git, harness, read, type Scene } from './support.ts';

const TEST = 'test/add.test.js';
const testOf = (statement: string, more = ''): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add } from '../src/add.js';
test('add gives the result', () => {
  const result = add(1, 2);
${statement}  assert.deepEqual(result, { sum: 3, exact: true });
});
${more}`;
const FILES = {
  'src/add.js': 'export const add = (a, b) => ({ sum: a + b, exact: true });\n',
  [TEST]: testOf(''),
};
const write = (path: string, text: string): string => `cat > ${path} <<'END'\n${text}END\n`;
const LOOSENS = `${write(TEST, testOf('  result.exact = true;\n'))}${HONEST_BOTH}`;
const BREAKS = write('src/add.js', 'export const add = (a, b) => ({ sum: a + b, exact: false });\n');
const MORE = "test('add takes one number more', () => assert.equal(add(1, 2).sum, 3));\n";

async function loosened(): Promise<Scene> {
  const scene = await projectWithAgent(LOOSENS, { files: FILES });
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(await read(scene, TEST)).toContain('result.exact = true');
  return scene;
}

async function versions(scene: Scene): Promise<{ id: string; state: string; session: number }[]> {
  const listed = await harness(scene, 'tests', '--json');
  const { files } = JSON.parse(listed.stdout) as { files: { file: string; versions: { id: string; state: string; session: number }[] }[] };
  return files.find(({ file }) => file === TEST)?.versions ?? [];
}

test('breaking what an accepted test said before it was loosened is refused, and the version is named', async () => {
  const scene = await loosened();
  expect(await versions(scene)).toMatchObject([
    { state: 'earlier', session: 0 },
    { state: 'present', session: 1 },
  ]);
  const head = await git(scene, 'rev-parse', 'HEAD');
  await setAgent(scene, `${BREAKS}${HONEST_BOTH}`);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected', feature: 3, reasons: ['accepted.failed'] } });
  expect(await git(scene, 'rev-parse', 'HEAD')).toBe(head);
  const [first] = await versions(scene);
  for (const command of [
    ['why', '2'],
    ['log', 'session', '2'],
  ]) {
    const { stdout } = await harness(scene, ...command);
    expect(stdout).toContain('accepted.failed');
    expect(stdout).toContain(`first version ${first?.id ?? ''}`);
  }
});

test('where the work changes the test too, a person may accept it and release the earlier version', async () => {
  const scene = await loosened();
  await setAgent(scene, `${BREAKS}${write(TEST, testOf('  result.exact = true;\n', MORE))}${HONEST_BOTH}`);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', feature: 3 } });
  expect(await gates(scene)).toMatchObject([
    { id: 'project.review:3', options: [{ label: 'Accept' }, { label: 'Accept and release these tests' }, { label: 'Reject' }] },
  ]);
  const answered = await harness(scene, 'answer', 'project.review', 'accept and release these tests');
  expect(answered, answered.stderr).toMatchObject({ code: 0 });
  await setAgent(scene, 'exit 0');
  await harness(scene, 'run', '--json');
  expect(await read(scene, 'src/add.js')).toContain('exact: false');
  expect((await versions(scene))[0]).toMatchObject({ state: 'released', session: 0 });
  const shown = await harness(scene, 'tests', '--feature', '1');
  expect(shown.stdout).toMatch(/first version .* released by a person, session 2/);
  expect(shown.stdout).not.toContain('multiply');
});

test('a version that a feature may change is released with it, and runs in no later verdict', async () => {
  const list = FEATURES.replace('"test/subtract.test.js",', '"test/subtract.test.js", "may_change": ["test/add.test.js"],');
  const changed = write(TEST, testOf('').replace('exact: true', 'exact: false'));
  const scene = await projectWithAgent(`${BREAKS}${changed}${HONEST}`, { files: { ...FILES, 'features.json': list } });
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect((await versions(scene))[0]).toMatchObject({ state: 'released', session: 0 });

  await setAgent(scene, `${write('src/add.js', 'export const add = (a, b) => ({ sum: b + a, exact: false });\n')}${HONEST_BOTH}`);
  const second = await harness(scene, 'run', '--json');
  expect(second, second.stdout + second.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 3 } });
  const checks = eventsOf(second, 'verify.check').filter(({ name }) => name === 'accepted');
  expect(checks).toMatchObject([{ state: 'skipped', detail: 'no earlier version of a test reaches the change' }]);
});

test('after a rollback the earlier version is the only one', async () => {
  const scene = await loosened();
  const { stdout } = await harness(scene, 'checkpoints', '--json');
  const [{ id }] = (JSON.parse(stdout) as { checkpoints: [{ id: string }] }).checkpoints;
  const back = await harness(scene, 'rollback', id, '--yes');
  expect(back, back.stdout + back.stderr).toMatchObject({ code: 0 });
  expect(await versions(scene)).toMatchObject([{ state: 'present' }, { state: 'gone' }]);
  await setAgent(scene, HONEST_BOTH);
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { outcome: 'verified' } });
  expect(await versions(scene)).toMatchObject([{ state: 'present' }]);
});
