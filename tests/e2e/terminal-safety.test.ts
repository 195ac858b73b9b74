/** Whatever a repository, its list or its agent names: a terminal gets words, never control, and no line that it forged. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { claim, projectWithAgent, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { hasScript } from './sit-down.ts';
import { git, harness, write, type Scene } from './support.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

/** Clipboard, title, cleared screen in its 8-bit form, text turned round, a line of its own, overwritten from its start. */
const EVIL = 'p\u001b]52;c;ZXZpbA==\u0007\u001b]0;OWNED\u0007\nFORGED LINE \u009b2J\u202etxt\u2066\rFORGED AGAIN \u001b[2K';
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]/;

function expectClean(text: string, about: string): void {
  const found = CONTROL.exec(text);
  expect(found === null ? null : text.slice(Math.max(0, found.index - 60), found.index + 20), about).toBeNull();
  expect(
    text.split('\n').filter((line) => line.startsWith('FORGED')),
    about,
  ).toEqual([]);
}

async function hostileProject(): Promise<Scene> {
  const agent = `printf '%b' 'I work \\033]52;c;ZXZpbA==\\007\\nFORGED by the agent \\302\\2332J\\n'\n${WRITE_SUBTRACT}\n${RUN_SUBTRACT}\n${claim(2)}\necho 'logs/' >> .gitignore\nprintf x > "$(printf 'a\\033]0;OWNED\\007b.txt')"`;
  const scene = await projectWithAgent(agent);
  const list = JSON.parse(await readFile(join(scene.project, 'features.json'), 'utf8')) as {
    project: string;
    features: { description: string }[];
  };
  list.project = EVIL;
  for (const feature of list.features) feature.description += EVIL;
  await write(scene, { 'features.json': `${JSON.stringify(list, null, 2)}\n` });
  const settings = await readFile(join(scene.project, '.harness.yaml'), 'utf8');
  await write(scene, { '.harness.yaml': settings.replace('name: calculator', `name: ${JSON.stringify(EVIL)}`) });
  await git(scene, 'commit', '-q', '-am', 'A list');
  return scene;
}

const SCREENS = [
  ['status'],
  ['status'],
  ['summary'],
  ['features'],
  ['gates'],
  ['why', '1'],
  ['log', 'tail'],
  ['log', 'session', '1'],
  ['run', '--dry-run'],
  ['run'],
];

test('no screen lets a name control the terminal or begin a line of its own; JSON is exact', { timeout: 600_000 }, async () => {
  const scene = await hostileProject();
  const first = await harness(scene, 'run');
  expect(first.code, first.stdout + first.stderr).toBe(8);
  expectClean(first.stdout + first.stderr, 'run');
  for (const screen of SCREENS) {
    const run = await harness(scene, ...screen);
    expectClean(run.stdout + run.stderr, screen.join(' '));
  }
  expectClean(await readFile(join(scene.project, '.harness/escalation.md'), 'utf8').catch(() => ''), 'escalation.md');
  const json = await harness(scene, 'status', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ project: EVIL });
  expect(json.stdout.slice(0, -1)).not.toMatch(/[\u0000-\u001f]/);
});

test.runIf(hasScript)('at a terminal there are the own colours and nothing else, remembered or not', { timeout: 600_000 }, async () => {
  const scene = await hostileProject();
  await harness(scene, 'run');
  for (const screen of ['status', 'status', 'summary', 'diff 1', 'features']) {
    const command = `stty cols 100 rows 50; exec '${process.execPath}' '${program}' ${screen} --cwd '${scene.project}'`;
    const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], { env: { ...scene.env, TERM: 'xterm' } });
    expectClean(stdout.replaceAll('\r\n', '\n').replace(/\u001b\[(?:1|2|22|31|32|33|39)m/g, ''), screen);
  }
});

test('a message about settings or a path is clean too', async () => {
  const scene = await projectWithAgent('exit 0');
  await writeFile(join(scene.project, '.harness.yaml'), 'project: { name: p }\ntesting: { full: npm test }\n"\\e]0;OWNED\\a": 1\n');
  const run = await harness(scene, 'run');
  expect(run.code).toBe(2);
  expectClean(run.stdout + run.stderr, 'settings');
  await writeFile(join(scene.project, '.harness.yaml'), `x: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`);
  expect(await harness(scene, 'status')).toMatchObject({ code: 2, stderr: expect.stringContaining('nested too deeply') });
});
