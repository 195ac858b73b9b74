/**
 * Git as a weapon: nothing in the agent's copy runs on the host while it is captured and judged, and nothing hides a change.
 *
 * 1. Every program that git could be told to start would touch a canary; the canary never appears.
 * 2. The captured tree equals a walk that shares no code with the capture.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareWorkspace, type AgentCopy } from '../../src/workspace/agent-copy.ts';
import { captureWorkspace } from '../../src/workspace/capture.ts';
import { createCleanRooms } from '../../src/workspace/clean-room.ts';
import type { Home } from '../../src/workspace/home.ts';
import { createBench, picture, pictureOfTree, type Bench } from '../../src/workspace/test-support.ts';

let bench: Bench;
let home: Home;
let copy: AgentCopy;
let canary: string;

beforeEach(async () => {
  bench = createBench();
  bench.write({ 'src/a.js': 'a\n', 'src/b.js': 'b\n', 'docs/guide.md': 'x\n', '.gitignore': 'cache/\n' });
  bench.commit();
  home = await bench.home();
  copy = await prepareWorkspace(bench.platform, {
    home,
    harnessHome: bench.harnessHome,
    base: home.head!,
    tree: bench.git('rev-parse', 'HEAD^{tree}'),
  });
  canary = join(bench.folder, 'canary');
});
afterEach(() => bench.dispose());

const WEAPONS: Readonly<Record<string, string>> = {
  hooks:
    'for h in pre-commit post-checkout post-index-change reference-transaction update post-update fsmonitor-watchman; do printf "#!/bin/sh\\ntouch CANARY\\n" > .git/hooks/$h; chmod +x .git/hooks/$h; done',
  'a hooks path': 'mkdir h; printf "#!/bin/sh\\ntouch CANARY\\n" > h/post-index-change; chmod +x h/*; git config core.hooksPath "$PWD/h"',
  fsmonitor: 'git config core.fsmonitor "touch CANARY"; git config core.untrackedCache true',
  'a filter in attributes':
    'git config filter.x.clean "touch CANARY; cat"; git config filter.x.smudge "touch CANARY; cat"; git config filter.x.process "touch CANARY"; git config filter.x.required true; echo "* filter=x" > .gitattributes; mkdir -p .git/info; echo "* filter=x" > .git/info/attributes',
  'a diff program':
    'git config diff.x.command "touch CANARY"; git config diff.x.textconv "touch CANARY"; git config diff.external "touch CANARY"; echo "* diff=x merge=x" > .gitattributes; git config merge.x.driver "touch CANARY"',
  'line ends and working-tree encodings':
    'echo "* text eol=crlf working-tree-encoding=UTF-16" > .gitattributes; git config core.autocrlf true',
  'replaced objects': 'n=$(echo other | git hash-object -w --stdin); git replace "$(git rev-parse HEAD:src/a.js)" "$n"',
  'a grafted past': 'mkdir -p .git/info; git rev-parse HEAD > .git/info/grafts; git rev-parse HEAD > .git/shallow',
  'files assumed unchanged': 'git update-index --assume-unchanged src/a.js; git update-index --skip-worktree src/b.js',
  'excludes of its own':
    'mkdir -p .git/info; printf "src/\\ndocs/\\n*.new\\n" > .git/info/exclude; git config core.excludesFile "$PWD/.git/info/exclude"',
  'a sparse checkout': 'git config core.sparseCheckout true; mkdir -p .git/info; echo /docs/ > .git/info/sparse-checkout',
  'alternates that lead elsewhere':
    'mkdir -p .git/objects/info; echo /nowhere/objects > .git/objects/info/alternates; echo "$HOME/.git/objects" >> .git/objects/info/alternates',
  'programs of git itself':
    'git config core.sshCommand "touch CANARY"; git config core.editor "touch CANARY"; git config core.pager "touch CANARY"; git config credential.helper "!touch CANARY"; git config gpg.program "touch CANARY"; git config core.askPass "touch CANARY"; git config alias.status "!touch CANARY"',
  'included settings': 'printf "[core]\\n\\tfsmonitor = touch CANARY\\n" > evil.cfg; git config include.path "$PWD/evil.cfg"',
  'a new repository in its place':
    'rm -rf .git; git init -q; git config core.fsmonitor "touch CANARY"; git add -A; git -c user.name=a -c user.email=a@b commit -q -m x',
  'a bare repository among its files':
    'git init -q --bare lib; git -C lib config core.fsmonitor "touch CANARY"; git -C lib config core.hooksPath .; printf "#!/bin/sh\\ntouch CANARY\\n" > lib/hooks/post-index-change; chmod +x lib/hooks/post-index-change',
  'a locked and broken index': 'touch .git/index.lock; echo broken > .git/index; rm .git/HEAD',
};

test.each(Object.entries(WEAPONS))('%s run nothing and hide nothing', async (_title, script) => {
  const full = `set -e\n${script.replaceAll('CANARY', canary)}\necho changed > src/a.js\necho changed > src/b.js\necho new > docs/x.new\nmkdir -p src/deep && echo deep > src/deep/c.js\nrm docs/guide.md\nrm -f "${canary}"`;
  execFileSync('/bin/sh', ['-c', full], { cwd: copy.path, env: bench.env, stdio: ['ignore', 'ignore', 'pipe'] });
  const captured = await captureAndMaterialise();
  expect(pictureOfTree(bench, captured.tree)).toEqual(picture(copy.path, ['.git']));
  expect(existsSync(canary)).toBe(false);
});

test('a history rewritten in the copy does not change what is told as changed', async () => {
  writeFileSync(join(copy.path, 'src/a.js'), 'changed\n');
  bench.gitIn(copy.path, 'commit', '-q', '-a', '--amend', '-m', 'always so');
  bench.gitIn(copy.path, 'reflog', 'expire', '--expire=now', '--all');
  const captured = await captureAndMaterialise();
  expect(captured.changed.map((change) => change.path)).toEqual(['src/a.js']);
});

test('nested repositories, links out, and names that fold together are each told', async () => {
  const shell =
    'git init -q lib; echo 1 > lib/one.js; mkdir -p .GIT "lib2/.git "; echo x > .GIT/config; echo x > src/A.js; printf x > docs/caf\u00e9; printf x > docs/cafe\u0301';
  execFileSync('/bin/sh', ['-c', shell], { cwd: copy.path, env: bench.env });
  symlinkSync('/etc', join(copy.path, 'etc'));
  symlinkSync('../../../..', join(copy.path, 'up'));
  const captured = await captureAndMaterialise();
  const kinds = new Set(captured.findings.map((finding) => finding.kind));
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['invalid_name', 'name_collision', 'nested_git', 'symlink_outside']));
  expect(pictureOfTree(bench, captured.tree)).toMatchObject({ 'lib/one.js': expect.any(String), etc: 'link /etc', up: 'link ../../../..' });
});

test('a link that was followed on the way out never leads a clean room anywhere', async () => {
  const outside = join(bench.folder, 'outside');
  mkdirSync(outside);
  execFileSync('/bin/sh', ['-c', `rm -rf docs && ln -s ${outside} docs`], { cwd: copy.path, env: bench.env });
  const first = await captureAndMaterialise();
  execFileSync('/bin/sh', ['-c', 'rm docs && mkdir docs && echo inside > docs/guide.md'], { cwd: copy.path, env: bench.env });
  await captureAndMaterialise();
  expect(picture(outside)).toEqual({});
  expect(first.findings).toMatchObject([{ kind: 'symlink_outside', path: 'docs' }]);
});

/** Captured, checked out for the judge, and compared: everything the host does with the agent's files. */
async function captureAndMaterialise(): ReturnType<typeof captureWorkspace> {
  const captured = await captureWorkspace(bench.platform, {
    home,
    copy,
    baseTree: home.head!,
    ref: 'refs/harness/candidates/1',
    message: 'candidate',
    parent: home.head,
  });
  const rooms = createCleanRooms(bench.platform, { home, harnessHome: bench.harnessHome });
  const room = await rooms.prepare(captured.tree, { name: 'judge' });
  expect(picture(room.path)).toEqual(pictureOfTree(bench, captured.tree));
  return captured;
}
