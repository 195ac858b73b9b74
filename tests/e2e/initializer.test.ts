/** `harness init --spec`: an empty folder, a document, and an agent that writes features, scripts and stubs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FEATURES } from './calculator.ts';
import { emptyScene, eventsOf, exists, git, harness, read, snapshot, type Scene } from './support.ts';

const LIST = FEATURES.replace('"passes": true', '"passes": false');

const INITIALIZER = `cat > "$TMPDIR/prompt.txt"
grep -q 'A pocket calculator' "$TMPDIR/prompt.txt" || exit 9
[ "$HARNESS_ROLE" = project/initializer ] || exit 8
mkdir -p src test
echo '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" } }' > package.json
for name in add subtract multiply; do
  echo "import { test } from 'node:test'; test.todo('$name gives the result');" > test/$name.test.js
done
printf '#!/bin/sh\\nexit 0\\n' > init.sh
cp init.sh reset.sh
chmod +x init.sh reset.sh
cat > features.json <<'END'
${LIST}END`;

async function specScene(agent: string): Promise<Scene> {
  const scene = await emptyScene();
  await writeFile(join(scene.env['HOME']!, 'agent.sh'), agent);
  await writeFile(join(scene.folder, 'spec.md'), '# A pocket calculator\n\nIt adds, subtracts and multiplies.\n');
  return scene;
}

const init = (scene: Scene, ...more: string[]) =>
  harness(
    scene,
    'init',
    '--spec',
    join(scene.folder, 'spec.md'),
    '--agent',
    'command',
    '--agent-command',
    'sh "$HOME/agent.sh"',
    '--json',
    ...more,
  );

test('an empty folder becomes a repository with a feature list, settings and a first commit', async () => {
  const scene = await specScene(INITIALIZER);
  const run = await init(scene);
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, last: { type: 'end', outcome: 'complete', exit_code: 0 } });
  expect(eventsOf(run, 'session.end')).toHaveLength(1);
  expect(await git(scene, 'status', '--porcelain')).toBe('');
  const files = (await git(scene, 'ls-files')).split('\n');
  for (const path of [
    '.gitignore',
    '.harness.yaml',
    'claude-progress.txt',
    'features.json',
    'init.sh',
    'reset.sh',
    'package.json',
    'test/add.test.js',
  ])
    expect(files).toContain(path);
  expect(files.some((path) => path.startsWith('.harness/'))).toBe(false);
  expect(await read(scene, 'features.json')).toBe(LIST);
  const status = await harness(scene, 'status', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ features: { passing: 0, total: 3 }, next_feature: 1 });
});

test.each([
  ['a circle', INITIALIZER.replace('"depends_on": [1]', '"depends_on": [3]'), /3 → 3/],
  ['a feature without a test file', INITIALIZER.replace(', "test_file": "test/add.test.js"', ''), /test_file/],
])('a list with %s is refused with exit 2, and no list is committed', async (_title, agent, says) => {
  const scene = await specScene(agent);
  const run = await init(scene);
  expect(run.code, run.stderr).toBe(2);
  expect(run.stderr).toMatch(says);
  expect(await exists(join(scene.project, 'features.json'))).toBe(false);
});

test('a refused set-up is not asked for again in the same words: the next one is told why and repairs it', async () => {
  const careless = INITIALIZER.replace(', "test_file": "test/add.test.js"', '');
  const repair = `node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.features[0].test_file="test/add.test.js"; fs.writeFileSync("features.json", JSON.stringify(l));'`;
  const told = `grep -q 'features.1.test_file' "$TMPDIR/prompt.txt" && grep -q 'Your files are as you left them' "$TMPDIR/prompt.txt"`;
  const scene = await specScene(careless.replace('[ "$HARNESS_ROLE"', `if ${told}; then ${repair}; exit 0; fi\n[ "$HARNESS_ROLE"`));
  expect((await init(scene)).code).toBe(2);
  const second = await init(scene);
  expect(second, second.stdout + second.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(await read(scene, 'features.json'))).toMatchObject({ features: [{ test_file: 'test/add.test.js' }, {}, {}] });
  expect(await exists(join(scene.project, '.harness/refused_set_up.json'))).toBe(false);
});

test('a document that is not there exits 2 and creates nothing', async () => {
  const scene = await emptyScene();
  const run = await harness(scene, 'init', '--spec', 'nowhere.md', '--agent', 'command', '--agent-command', 'true');
  expect(run.code, run.stderr).toBe(2);
  expect(run.stderr).toContain('nowhere.md');
  expect(await snapshot(scene, { state: true })).toEqual({});
});

test('a stub that passes is refused after it was run; the next attempt is told, and a person who looks may want the list changed', async () => {
  const green = INITIALIZER.replace("test.todo('$name gives the result');", "test('$name gives the result', () => {});");
  const red = `echo "import { test } from 'node:test'; test('todo', () => { throw new Error('not implemented'); });" | tee test/add.test.js test/subtract.test.js test/multiply.test.js > /dev/null`;
  const shorter = `node -e 'const fs=require("fs"); const l=JSON.parse(fs.readFileSync("features.json","utf8")); l.features.pop(); fs.writeFileSync("features.json", JSON.stringify(l));'`;
  const told = (words: string, action: string): string => `if grep -q '${words}' "$TMPDIR/prompt.txt"; then ${action}; exit 0; fi\n`;
  const scene = await specScene(
    green.replace(
      '[ "$HARNESS_ROLE"',
      `${told('passes although nothing is built', red)}${told('multiplying is not wanted', shorter)}[ "$HARNESS_ROLE"`,
    ),
  );
  const first = await init(scene);
  expect(first.code, first.stderr).toBe(2);
  expect(first.stderr).toContain('the test stub of features #1, #2, #3 passes although nothing is built');
  expect(await exists(join(scene.project, 'features.json'))).toBe(false);
  const answers = join(scene.folder, 'answers.json');
  await writeFile(answers, JSON.stringify({ 'project.features': { option: 'Change list', text: 'multiplying is not wanted' } }));
  const second = await init(scene, '--answers', answers);
  expect(second.code, second.stderr).toBe(4);
  const third = await init(scene);
  expect(third, third.stdout + third.stderr).toMatchObject({ code: 0 });
  expect(eventsOf(third, 'warning').map((event) => event['message'])).toContainEqual(expect.stringContaining('no linter is set up'));
});
