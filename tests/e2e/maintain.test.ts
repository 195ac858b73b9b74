/** Maintenance mode: a project that is watched, over commits of which some break something. */
import { expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { claim, FILES, settingsFor, setAgent } from './calculator.ts';
import { commitAll, git, harness, makeScene, read, startHarness, write, type Scene } from './support.ts';

const FEATURES = `{
  "project": "calculator",
  "features": [
    { "id": 1, "description": "A user adds two numbers", "test_file": "test/add.test.js", "passes": true },
    { "id": 2, "description": "A user subtracts two numbers", "test_file": "test/subtract.test.js", "passes": true }
  ]
}
`;

const REPAIRS = `if [ "$HARNESS_FEATURE_ID" = 1 ]; then
echo 'export const add = (a, b) => a + b;' > src/add.js; node --test test/add.test.js; ${claim(1)}
else
echo 'export const subtract = (a, b) => a - b;' > src/subtract.js; node --test test/subtract.test.js; ${claim(2)}
fi`;

async function finished(settings: string): Promise<Scene> {
  const scene = await makeScene({
    ...FILES,
    'src/subtract.js': 'export const subtract = (a, b) => a - b;\n',
    'test/subtract.test.js': FILES['test/add.test.js']!.replaceAll('add', 'subtract').replace('subtract(1, 2), 3', 'subtract(5, 2), 3'),
    'features.json': FEATURES,
    '.harness.yaml': settingsFor(settings),
  });
  expect(await harness(scene, 'init', '--features', 'features.json')).toMatchObject({ code: 0 });
  await setAgent(scene, REPAIRS);
  return scene;
}

/** Ten commits, of which the third and the seventh break something. */
async function tenCommits(scene: Scene): Promise<string[]> {
  const breaks: string[] = [];
  for (let at = 1; at <= 10; at++) {
    await write(scene, { [`notes/${at}.md`]: `# ${at}\n` });
    if (at === 3) await write(scene, { 'src/add.js': 'export const add = (a, b) => a - b;\n' });
    if (at === 7) await write(scene, { 'src/subtract.js': 'export const subtract = (a, b) => a * b;\n' });
    await commitAll(scene, `Change ${at}`);
    if (at === 3 || at === 7) breaks.push(await git(scene, 'rev-parse', 'HEAD'));
  }
  return breaks;
}

test.runIf(isLong)(
  'two regressions in ten commits are found, named, reopened and repaired, until harness stop',
  async () => {
    const scene = await finished('maintenance:\n  repair: true\n');
    const breaks = await tenCommits(scene);
    const watch = startHarness(scene, ['run', '--maintain', '--json']);
    await expect
      .poll(() => watch.seen().match(/"type":"session.end"[^\n]*"outcome":"verified"/g)?.length ?? 0, { timeout: 110_000 })
      .toBe(2);
    await expect.poll(() => watch.seen(), { timeout: 60_000 }).toMatch(/2 of 2 tests pass/);
    expect(await harness(scene, 'stop')).toMatchObject({ code: 0 });
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    for (const commit of breaks) expect(stdout).toContain(`Commit ${commit.slice(0, 10)}`);
    expect(await git(scene, 'log', '--format=%s')).toContain('Set feature #1, #2 back to open');
    expect(await read(scene, 'features.json')).toBe(FEATURES);
    expect(await git(scene, 'log', '-1', '--format=%H', '--', 'src/add.js')).not.toBe(breaks[0]);
  },
  240_000,
);

test('without repair a person is told of a commit that comes while it watches, and the feature is open again', async () => {
  const scene = await finished('');
  const watch = startHarness(scene, ['run', '--maintain', '--json']);
  await expect.poll(() => watch.seen(), { timeout: 120_000 }).toMatch(/2 of 2 tests pass/);
  await write(scene, { 'src/add.js': 'export const add = () => 0;\n' });
  await commitAll(scene, 'Break it');
  await expect.poll(() => watch.seen(), { timeout: 120_000 }).toContain('"trigger":"maintenance.regression"');
  await harness(scene, 'stop');
  expect((await watch.ended).stdout).toContain(String.raw`(\"Break it\", by Ada Tester)`);
  expect(await read(scene, 'features.json')).toBe(FEATURES.replace('"passes": true', '"passes": false'));
});
