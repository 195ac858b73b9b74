/** What an agent does to its copy, to processes and to the machine never reaches home. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { claim, HONEST, projectWithAgent } from './calculator.ts';
import { eventsOf, exists, git, harness, processesWith, snapshot } from './support.ts';

const sandboxed = canSandbox();

test('an agent that destroys the git directory of its copy leaves home as it was, and its work is still judged', async () => {
  const scene = await projectWithAgent(`rm -rf .git\n${claim(2)}`);
  const before = await snapshot(scene);
  const refused = await harness(scene, 'run', '--json');
  expect(refused.code, refused.stderr).toBe(4);
  expect(await snapshot(scene)).toEqual(before);
  expect(await git(scene, 'fsck', '--no-progress', '--no-dangling')).not.toMatch(/missing|broken|corrupt/);
});

test('commits and rewritten history in the copy do not reach home: one commit lands', async () => {
  const scene = await projectWithAgent(`${HONEST}
git add -A && git commit -q -m 'mine' && git commit -q --amend -m 'rewritten'
git checkout -q --orphan other && git commit -q -m 'no history' && git branch -D main && git branch -m main
git tag v9 && git config core.hooksPath /nowhere && mkdir -p .git/hooks && echo 'exit 1' > .git/hooks/pre-commit`);
  const head = await git(scene, 'rev-parse', 'HEAD');
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(head);
  expect(await git(scene, 'tag')).toBe('');
  expect(await git(scene, 'log', '--format=%s')).not.toMatch(/mine|rewritten|no history/);
  const after = await snapshot(scene);
  expect(after['.git/config']).toBe(before['.git/config']);
  expect(Object.keys(after).filter((path) => path.startsWith('.git/hooks'))).toEqual(
    Object.keys(before).filter((path) => path.startsWith('.git/hooks')),
  );
});

test('no process of the agent outlives its session, however it hides', async () => {
  const mark = `31${String(process.pid)}7.25`;
  const scene = await projectWithAgent(`setsid sleep ${mark} >/dev/null 2>&1 &
(trap '' TERM HUP; nohup sleep ${mark} >/dev/null 2>&1 & )
${HONEST}`);
  const run = await harness(scene, 'run', '--json');
  expect(run.code, run.stdout + run.stderr).toBe(0);
  expect(await processesWith(mark)).toEqual([]);
});

test('the agent meets the environment of the contract and nothing else of the harness', async () => {
  const scene = await projectWithAgent('env > "$HARNESS_PROJECT_DIR/seen.txt"; pwd >> seen.txt; exit 3', { settings: '  env: [GIVEN]\n' });
  const others = { HIDDEN_TOKEN: 'no', USER: 'me', LOGNAME: 'me', SHELL: '/bin/zsh', TERM: 'xterm', TZ: 'Asia/Tokyo', DISPLAY: ':0' };
  const started = await harness({ ...scene, env: { ...scene.env, ...others, GIVEN: 'yes', LC_ALL: 'C' } }, 'run', '--json');
  expect(started.code, started.stderr).toBe(10);
  const seen = await git(scene, 'show', 'refs/harness/wip/2:seen.txt');
  const workspace = eventsOf(started, 'session.start')[0]?.['workspace'] as string;
  expect(workspace.startsWith(join(scene.env['HARNESS_HOME']!, 'work'))).toBe(true);
  for (const line of [
    'HARNESS_SESSION=1',
    'HARNESS_ROLE=project/coding',
    'HARNESS_FEATURE_ID=2',
    'HARNESS_TEST_FILE=test/subtract.test.js',
    `HARNESS_PROJECT_DIR=${workspace}`,
    'GIVEN=yes',
    'LC_ALL=C',
  ]) {
    expect(seen.split('\n')).toContain(line);
  }
  const listed =
    /^(PATH|HOME|LANG|LANGUAGE|LC_\w+|TMPDIR|GIVEN|HARNESS_(SESSION|ROLE|FEATURE_ID|TEST_FILE|PROJECT_DIR|DEPTH)|PWD|OLDPWD|SHLVL|_)=/;
  expect(seen.split('\n').filter((line) => line.includes('=') && !listed.test(line))).toEqual([]);
  expect(seen.trimEnd().endsWith(workspace)).toBe(true);
  expect(seen).not.toMatch(/HIDDEN_TOKEN|HARNESS_HOME|GIT_CONFIG/);
});

describe.runIf(sandboxed)('with a sandbox on this machine', () => {
  test('writes to home by its absolute path fail, and secrets, git directory and state are not to be seen', async () => {
    const scene = await projectWithAgent('true');
    await mkdir(join(scene.env['HOME']!, '.ssh'));
    await writeFile(join(scene.env['HOME']!, '.ssh', 'id'), 'secret');
    const { project } = scene;
    const look = `for f in "$HOME/.ssh/id" "${project}/.git/HEAD" "${project}/.harness/session_state.json"; do [ -e "$f" ] && echo "saw $f" >> found.txt; done
[ -e "${project}/package.json" ] && echo readable >> found.txt
echo x > "${project}/src/add.js" && echo wrote >> found.txt
echo x > "${project}/new.js" && echo wrote >> found.txt
rm -rf "${project}/test" "${project}/.git" "$HOME/.ssh"
exit 0`;
    await writeFile(join(scene.env['HOME']!, 'agent.sh'), look);
    const before = await snapshot(scene);
    const run = await harness(scene, 'run', '--json');
    expect(run.code, run.stderr).toBe(10);
    expect(await snapshot(scene)).toEqual(before);
    expect(await readFile(join(scene.env['HOME']!, '.ssh', 'id'), 'utf8')).toBe('secret');
    expect(await git(scene, 'show', 'refs/harness/wip/2:found.txt')).toBe('readable');
    expect(await exists(join(project, 'new.js'))).toBe(false);
  });
});

function canSandbox(): boolean {
  try {
    execFileSync('bwrap', ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
