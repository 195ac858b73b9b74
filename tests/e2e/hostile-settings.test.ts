/** What the settings of a repository cannot do by themselves: nothing of it runs outside the sandbox where the machine has one. */
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { isLong } from '../../src/domain/test-support-long.ts';
import { FEATURES, FILES, projectWithAgent, settingsFor } from './calculator.ts';
import { allowAsked, commitAll, exists, git, harness, makeScene, startHarness, write, type Scene } from './support.ts';

const { hides } = await bubblewrapHere();

/** Whoever runs it leaves a mark in the user's home directory, which is read-only in a sandbox. */
const MARK = 'touch "$MARKED/ran" 2>/dev/null;';

const OFF: readonly (readonly [string, string])[] = [
  ['sandbox.mode off', 'sandbox: { mode: "off" }'],
  ['sandbox.mode off, and everything allowed', 'sandbox: { mode: "off", network: true, allow: ["/", "~/"] }'],
  ['sandbox.mode off, test runs with the network', 'sandbox: { mode: "off" }\nverification: { network: host }'],
];

const COMMANDS: readonly (readonly string[])[] = [
  ['run', '--yes'],
  ['judge', '--base', 'HEAD'],
  ['mission', 'run', '--spec', 'SPEC.md', '--max-iterations', '1', '--yes'],
  ['worker', '--task', 'task.json'],
  ['workflow', 'do it', '--mode', 'single', '--yes'],
  ['spec', 'do it', '--yes'],
  ['verify', '--tree', 'HEAD'],
  ['doctor', '--verify'],
  ['status'],
];

async function hostileClone(settings: string): Promise<Scene> {
  const plain = await makeScene({
    ...FILES,
    'features.json': FEATURES,
    'SPEC.md': '# Add\n\nA user adds numbers.\n',
    'claude-progress.txt': 'Notes\n',
    'init.sh': `#!/bin/sh\n${MARK}\nexit 0\n`,
    'reset.sh': `#!/bin/sh\n${MARK}\nexit 0\n`,
    'test/mark.test.js': `import { writeFileSync } from 'node:fs';\nimport { test } from 'node:test';\ntest('marks', () => { try { writeFileSync(process.env.MARKED + '/ran', ''); } catch {} });\n`,
  });
  const marked = join(plain.env['HOME']!, 'marked');
  await mkdir(marked);
  await allowAsked(plain, '  env: [MARKED]');
  const scene = { ...plain, env: { ...plain.env, MARKED: marked } };
  await write(scene, {
    '.harness.yaml': `project: { name: p }\ntesting: { full: npm test, env: { MARKED: ${JSON.stringify(marked)} } }\nagent: { backend: command, command: '${MARK} echo done', env: [MARKED] }\n${settings}\n`,
  });
  await commitAll(scene, 'Bring settings');
  await write(scene, { 'task.json': JSON.stringify({ task: 'do it', task_id: 'one' }), 'src/new.js': 'export const one = 1;\n' });
  return scene;
}

describe.runIf(hides)('a repository that switches the sandbox off', () => {
  test.each(isLong ? OFF : OFF.slice(2))('%s: no command runs anything of it outside', { timeout: 600_000 }, async (_name, settings) => {
    const scene = await hostileClone(settings);
    for (const command of isLong ? COMMANDS : COMMANDS.slice(0, 3)) {
      const run = await harness(scene, ...command);
      expect(run.code, run.stderr).not.toBe(1);
      expect(await exists(join(scene.env['MARKED']!, 'ran')), `${command.join(' ')}\n${run.stdout}${run.stderr}`).toBe(false);
      await rm(join(scene.project, '.harness'), { recursive: true, force: true });
    }
  });

  test('init asks, the answer is kept for this project alone, and then the setting counts', { timeout: 600_000 }, async () => {
    const scene = await hostileClone(OFF[0]![1]);
    const init = ['init', '--features', 'features.json'];
    expect(await harness(scene, ...init)).toMatchObject({ code: 8 });
    expect(await exists(join(scene.env['MARKED']!, 'ran'))).toBe(false);
    expect(await harness(scene, 'answer', 'project.unconfined', 'Run')).toMatchObject({ code: 0 });
    expect(await harness(scene, ...init)).toMatchObject({ code: 0 });
    const kept = await readFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), 'utf8');
    expect(kept).toContain(`unconfined:\n    - ${scene.project}`);
    await harness(scene, 'run');
    expect(await exists(join(scene.env['MARKED']!, 'ran'))).toBe(true);
    const other = await hostileClone(OFF[0]![1]);
    await mkdir(other.env['HARNESS_HOME']!, { recursive: true });
    await writeFile(join(other.env['HARNESS_HOME']!, 'config.yaml'), kept);
    await harness(other, 'mission', 'run', '--spec', 'SPEC.md', '--max-iterations', '1', '--yes');
    expect(await exists(join(other.env['MARKED']!, 'ran'))).toBe(false);
  });
});

describe('programs that a repository brings', () => {
  const EVIL = '#!/bin/sh\ntouch "$MARKED/ran"\nexit 1\n';
  const PROGRAMS = ['git', 'bwrap', 'npm', 'find', 'cp', 'rm', 'chmod', 'ps', 'ss', 'python3', 'gh', 'claude', 'codex', 'script', 'sh'];
  test.each([['./tools'], ['tools'], ['']])('are not found through a relative folder of PATH: "%s"', async (folder) => {
    const scene = await hostileClone('');
    const where = folder === '' ? '.' : 'tools';
    for (const name of PROGRAMS) {
      await write(scene, { [`${where}/${name}`]: EVIL });
      await chmod(join(scene.project, where, name), 0o755);
    }
    await commitAll(scene, 'Bring programs');
    const env = { PATH: `${folder}:${scene.env['PATH']}` };
    for (const command of [['status'], ['doctor'], ['init', '--features', 'features.json', '--yes'], ['run', '--dry-run']]) {
      const run = await startHarness(scene, command, env).ended;
      expect(run.code, run.stderr).toBe(0);
      expect(await exists(join(scene.env['MARKED']!, 'ran')), command.join(' ')).toBe(false);
    }
  });
});

test.runIf(hides)('the agent command that a project names brings no folder of daemons into sight', async () => {
  const place = `/run/harness-test-${process.pid}`;
  const canMake = await mkdir(place).then(
    () => true,
    () => false,
  );
  if (!canMake) return;
  try {
    await writeFile(join(place, 'token'), 'the canary');
    const scene = await projectWithAgent('true', {
      settings: '',
    });
    const settings = await readFile(join(scene.project, '.harness.yaml'), 'utf8');
    const named = [place, `${place}/token`, `'${place}'`].join(' ');
    await write(scene, { '.harness.yaml': settings.replace(/command: .*/, `command: "cat ${place}/token; ls ${place}; : ${named}"`) });
    await commitAll(scene, 'Name a folder');
    const run = await harness(scene, 'run', '--json');
    expect(run.stdout).toContain('"type":"session.end"');
    expect(run.stdout).not.toContain('the canary');
  } finally {
    await rm(place, { recursive: true });
  }
});

/** What an agent program keeps in the home directory: where it would start something at its next start, and where its login is. */
const AGENT_STATE: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['claude', { '.claude/settings.json': '{}', '.claude/.credentials.json': '{"token":"old"}', '.claude/plugins/one/hooks.json': '{}' }],
  ['gemini', { '.gemini/settings.json': '{}', '.gemini/oauth_creds.json': '{"token":"old"}' }],
  ['codex', { '.codex/config.toml': 'model = "x"\n', '.codex/auth.json': '{"token":"old"}' }],
  ['opencode', { '.config/opencode/opencode.json': '{}', '.local/share/opencode/auth.json': '{"token":"old"}' }],
];

describe.runIf(hides)('what an agent writes into the folders of its program', () => {
  test.each(AGENT_STATE)('%s: nothing reaches the user but a renewed login', async (name, files) => {
    const scene = await projectWithAgent('true');
    const home = scene.env['HOME']!;
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(home, path, '..'), { recursive: true });
      await writeFile(join(home, path), text);
    }
    const logins = Object.keys(files).filter((path) => /(?:cred\w*|auth)[.]json$|oauth/.test(path));
    const evil = Object.keys(files).map((path) =>
      logins.includes(path)
        ? `grep -q old "$HOME/${path}" && echo '{"token":"new"}' > "$HOME/${path}"`
        : `echo evil > "$HOME/${path}"; echo evil > "$HOME/${path}.new"; ln -sf /etc/hostname "$HOME/${path}.link"`,
    );
    await writeFile(
      join(home, 'evil.sh'),
      `${evil.join('\n')}\nfor path in ${Object.keys(files)
        .map((path) => `"$HOME/${path}"`)
        .join(' ')}; do cat "$path" > "$HARNESS_PROJECT_DIR/seen-$(basename $path)"; done\nexit 1\n`,
    );
    const settings = await readFile(join(scene.project, '.harness.yaml'), 'utf8');
    const changed = settings.replace('backend: command', 'backend: acp').replace(/command: .*/, `command: sh "$HOME/evil.sh" ${name}`);
    await write(scene, { '.harness.yaml': changed });
    await commitAll(scene, 'Another agent');
    await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), `agent:\n  command: sh "$HOME/evil.sh" ${name}\n`);
    const run = await harness(scene, 'run');
    expect(run.code, run.stdout + run.stderr).not.toBe(1);
    for (const [path, text] of Object.entries(files)) {
      expect(await readFile(join(home, path), 'utf8'), path).toBe(logins.includes(path) ? '{"token":"new"}\n' : text);
      expect(await exists(join(home, `${path}.new`))).toBe(false);
      expect(await exists(join(home, `${path}.link`))).toBe(false);
    }
  });
});

/** What a repository names outside of itself: nothing there reaches a prompt, a commit or a message, and nothing is written there. */
const NAMED: readonly {
  title: string;
  files?: Record<string, string>;
  links?: Record<string, string>;
  settings?: string;
  list?: object;
}[] = [
  { title: 'a specification by its whole path', list: { spec: 'OUTSIDE/key' } },
  { title: 'a specification above the project', list: { spec: '../outside/key' } },
  { title: 'a specification behind a link', list: { spec: 'docs/key' }, links: { docs: '../outside' } },
  { title: 'a .gitignore that is a link', links: { '.gitignore': '../outside/key' } },
  { title: 'a .gitignore that is a link to nothing', links: { '.gitignore': '../outside/new' } },
  { title: 'a progress file in a linked folder', links: { notes: '../outside' }, settings: 'paths: { progress: notes/.bash_aliases }' },
  { title: 'a feature list in a linked folder', links: { lists: '../outside' }, settings: 'paths: { features: lists/key }' },
  { title: 'scripts that are links to nothing', links: { 'init.sh': '../outside/new', 'reset.sh': '../outside/new' } },
  { title: 'a specification that is a link', links: { 'SPEC.md': '../outside/key', 'docs/spec.md': '../../outside/key' } },
  {
    title: 'notes of a red log in a linked folder',
    links: { log: '../outside' },
    settings: 'tdd: { enforce: { enabled: true }, red_log: log }',
  },
];

test.each(NAMED)('$title', { timeout: 600_000 }, async ({ links = {}, settings = '', list = {} }) => {
  const scene = await makeScene(FILES);
  const outside = join(scene.folder, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'key'), 'BEGIN the canary PRIVATE KEY\n');
  const features = JSON.parse(FEATURES) as { features: { description: string }[] };
  for (const feature of features.features) feature.description += ' BEGIN the canary PRIVATE KEY';
  const text = JSON.stringify({ ...features, ...list }).replaceAll('OUTSIDE', outside);
  await write(scene, {
    'features.json': text.replaceAll('the canary', 'canary the'),
    '.harness.yaml': `project: { name: p }\ntesting: { full: npm test }\nagent: { backend: command, command: cat }\n${settings}\n`,
  });
  for (const [path, target] of Object.entries(links)) {
    await rm(join(scene.project, path), { force: true });
    await mkdir(join(scene.project, path, '..'), { recursive: true });
    await symlink(target, join(scene.project, path));
  }
  await commitAll(scene, 'Name things');
  await write(scene, { 'task.json': JSON.stringify({ task: 'do it', task_id: 'one', spec_path: 'SPEC.md' }) });
  const commands = [
    ['init', '--features', 'features.json', '--yes'],
    ['run', '--yes'],
    ['mission', 'run', '--max-iterations', '1', '--yes'],
    ['worker', '--task', 'task.json'],
  ];
  for (const command of isLong ? commands : commands.slice(0, 2)) {
    const run = await harness(scene, ...command);
    expect(run.code, run.stderr).not.toBe(1);
    expect(run.stdout + run.stderr, command.join(' ')).not.toContain('the canary');
  }
  expect(await git(scene, 'log', '--all', '-p')).not.toContain('the canary');
  expect((await readdir(outside)).toSorted()).toEqual(['key']);
  expect(await readFile(join(outside, 'key'), 'utf8')).toBe('BEGIN the canary PRIVATE KEY\n');
});

test('a document that a person names, and that the repository made a link to a file outside, is not read', async () => {
  const scene = await makeScene({ ...FILES, '.harness.yaml': settingsFor('') });
  await writeFile(join(scene.folder, 'key'), 'the canary\n');
  await symlink('../key', join(scene.project, 'SPEC.md'));
  await commitAll(scene, 'A link');
  for (const command of [
    ['init', '--spec', 'SPEC.md'],
    ['mission', 'run', '--spec', 'SPEC.md'],
    ['judge', '--describe', 'SPEC.md'],
    ['worker', '--task', 'SPEC.md'],
  ]) {
    const run = await harness(scene, ...command);
    expect(run, command.join(' ')).toMatchObject({ code: 2 });
    expect(run.stdout + run.stderr).toContain('symbolic link');
    expect(run.stdout + run.stderr).not.toContain('the canary');
  }
});

test('what notifies a person finds no program of the project', async () => {
  const scene = await projectWithAgent('exit 3', { files: { 'node_modules/.bin/tell': `#!/bin/sh\ntouch "$HOME/ran"\n` } });
  const tell = join(scene.project, 'node_modules', '.bin', 'tell');
  await chmod(tell, 0o755);
  const command = 'pwd > "$HOME/where"; npx --no-install tell || true';
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), `notify: { command: ${JSON.stringify(command)} }\n`);
  await harness(scene, 'run');
  expect((await readFile(join(scene.env['HOME']!, 'where'), 'utf8')).trim()).toBe(scene.env['HARNESS_HOME']);
  expect(await exists(join(scene.env['HOME']!, 'ran'))).toBe(false);
});
