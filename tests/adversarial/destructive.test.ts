/**
 * Agents that destroy what they can reach. Home is byte-identical afterwards: files, modes, links, ignored and untracked ones, index,
 * refs, hooks, settings and the stash; and an honest session that starts over after it still works.
 *
 * Where the machine has no sandbox, only what happens inside the copy is promised.
 */
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { HONEST, projectWithAgent, setAgent } from '../e2e/calculator.ts';
import { git, harness, snapshot, type Scene } from '../e2e/support.ts';

/** Inside the copy. HOME_PROJECT stands for the user's repository. */
const IN_THE_COPY: Readonly<Record<string, string>> = {
  'removes the repository of its copy': 'rm -rf .git',
  'removes everything': 'rm -rf -- * .[!.]*',
  'resets and cleans': 'git reset -q --hard; git clean -qxfd; git stash -q -u; git stash clear',
  'rewrites its history': 'git checkout -q --orphan x; git commit -q -m x; git branch -q -D main; git gc -q --prune=now',
  'makes nothing readable': 'chmod 000 src test features.json',
  'fills its copy with pipes and odd names':
    'mkfifo a b; printf x > "$(printf "bad\\nname")"; mkdir -p deep/$(printf "d/%.0s" $(seq 1 200))',
  'links its folders to home':
    'rm -rf src && ln -s HOME_PROJECT/src src && ln -s HOME_PROJECT all && echo broken > src/add.js; rm -rf all/*; rm -f src/*',
  'points its repository at home':
    'rm -rf .git && echo "gitdir: HOME_PROJECT/.git" > .git; git add -A; git commit -q -m taken; git reset -q --hard HEAD~1; git stash clear',
  'sets its work tree to home': 'git config core.worktree HOME_PROJECT; git checkout-index -q -f -a; git clean -qxfd; git reset -q --hard',
  'pushes into home':
    'git commit -q --allow-empty -m x; git push -q -f HOME_PROJECT HEAD:main HEAD:other; git push -q --mirror HOME_PROJECT',
};

const AT_HOME: Readonly<Record<string, string>> = {
  'removes the files of home': 'rm -rf HOME_PROJECT/*',
  'removes the repository of home': 'rm -rf HOME_PROJECT/.git',
  'resets and cleans home': 'git -C HOME_PROJECT reset -q --hard HEAD~1; git -C HOME_PROJECT clean -qxfd',
  'drops the stash of home': 'git -C HOME_PROJECT stash drop; git -C HOME_PROJECT stash clear; rm -f HOME_PROJECT/.git/refs/stash',
  'deletes the branches of home': 'git --git-dir=HOME_PROJECT/.git update-ref -d refs/heads/main; echo x > HOME_PROJECT/.git/HEAD',
  'plants hooks at home':
    'for h in pre-commit post-commit reference-transaction; do printf "#!/bin/sh\\ntouch CANARY\\n" > HOME_PROJECT/.git/hooks/$h; chmod +x HOME_PROJECT/.git/hooks/$h; done',
  'plants settings at home':
    'git -C HOME_PROJECT config core.fsmonitor "touch CANARY"; git -C HOME_PROJECT config core.hooksPath .; git -C HOME_PROJECT config filter.x.clean "touch CANARY"',
  'moves home away': 'mv HOME_PROJECT HOME_PROJECT-gone; chmod -R 000 HOME_PROJECT',
  'writes through a hard link':
    'ln HOME_PROJECT/src/add.js here.js && echo broken > here.js; ln HOME_PROJECT/untracked.txt there.txt && echo gone > there.txt',
  'leaves a process behind that removes home later':
    '(setsid sh -c "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.3; rm -rf HOME_PROJECT/src HOME_PROJECT/untracked.txt; touch CANARY; done" >/dev/null 2>&1 &)',
  'claims after it removed the list of home':
    'rm -f HOME_PROJECT/features.json; echo "{}" > HOME_PROJECT/features.json; echo "{}" > features.json',
  'removes what lies around its copy': 'rm -rf ../pristine.git ../manifest.json ../../*; rm -rf "$HARNESS_PROJECT_DIR/.."/*',
};

let sandboxed = false;
beforeAll(async () => {
  sandboxed = (await bubblewrapHere()).hides;
});

const STANDING_FOR_ALL = [
  'removes the repository of its copy',
  'makes nothing readable',
  'links its folders to home',
  'points its repository at home',
  'sets its work tree to home',
];

test.concurrent.each(Object.entries(IN_THE_COPY).filter(([title]) => isLong || STANDING_FOR_ALL.includes(title)))(
  'an agent that %s leaves home as it was',
  (_title, script) => leavesHomeAlone(script),
  180_000,
);

test('an agent that tries everything against home in one session gets nowhere', async () => {
  // Each in a shell of its own, so that none ends the ones after it.
  const all = Object.values(AT_HOME).map((script) => `(\n${script}\n)`);
  if (sandboxed) await leavesHomeAlone(all.join('\n'));
  else expect(sandboxed).toBe(false);
}, 180_000);

test.runIf(isLong).concurrent.each(Object.entries(AT_HOME))(
  'an agent that %s does not get there',
  async (_title, script) => {
    if (sandboxed) await leavesHomeAlone(script);
    else expect(sandboxed).toBe(false);
  },
  180_000,
);

async function leavesHomeAlone(script: string): Promise<void> {
  const scene = await projectWithAgent('true');
  const canary = join(scene.folder, 'canary');
  await fillHome(scene);
  await setAgent(scene, script.replaceAll('HOME_PROJECT', scene.project).replaceAll('CANARY', canary));
  const before = await snapshot(scene);
  const run = await harness(scene, 'run', '--json');
  expect([0, 1, 2], run.stdout + run.stderr).not.toContain(run.code);
  expect(await snapshot(scene)).toEqual(before);
  await expect(rm(canary)).rejects.toThrow(/ENOENT/);
  expect(await git(scene, 'fsck', '--no-dangling', '--connectivity-only')).toBe('');
  await setAgent(scene, `git reset -q --hard && git clean -qffd\n${HONEST}`);
  const next = await harness(scene, 'run', '--json');
  expect(next, next.stdout + next.stderr).toMatchObject({ code: 0 });
}

/** Work of the user's own in every place where git and the file system can keep some. */
async function fillHome(scene: Scene): Promise<void> {
  await appendFile(join(scene.project, 'src/add.js'), '// half an idea\n');
  await git(scene, 'stash', 'push', '-q', '-m', 'an idea');
  await writeFile(join(scene.project, 'private/keys.txt'), 'ignored\n');
  await writeFile(join(scene.project, 'notes.txt'), 'untracked\n');
  await git(scene, 'branch', 'mine');
  await git(scene, 'tag', 'v1');
}
