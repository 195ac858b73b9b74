import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sandboxState } from '../platform/sandbox.ts';
import { prepareWorkspace } from './agent-copy.ts';
import { agentSandbox, hiddenFromTests } from './sandbox-policy.ts';
import { createBench, type Bench } from './test-support.ts';

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.dispose());

const { available } = await sandboxState();

test.runIf(available)(
  "in the sandbox an agent uses its git and writes its copy, and sees neither credentials nor home's git, state or other copies",
  async () => {
    bench.write({ 'a.txt': 'a', '.gitignore': '.harness/\n', '.harness/session_state.json': '{}' });
    bench.commit();
    const home = await bench.home();
    mkdirSync(join(bench.folder, 'user/dotfiles/ssh'), { recursive: true });
    writeFileSync(join(bench.folder, 'user/dotfiles/ssh/id'), 'key');
    symlinkSync('dotfiles/ssh', join(bench.folder, 'user/.ssh'));
    writeFileSync(join(bench.folder, 'user/.netrc'), 'password');
    const options = { home, harnessHome: bench.harnessHome, base: home.head!, tree: bench.git('rev-parse', 'HEAD^{tree}') };
    const other = await prepareWorkspace(bench.platform, { ...options, lane: 'other' });
    const copy = await prepareWorkspace(bench.platform, options);
    const temporary = join(copy.folder, 'tmp');
    mkdirSync(temporary);
    const sandbox = await agentSandbox(bench.platform, {
      home,
      stateDir: join(bench.root, '.harness'),
      harnessHome: bench.harnessHome,
      workspace: copy.path,
      temporary,
      stateDirs: [join(bench.folder, 'missing')],
      network: false,
    });
    const run = async (script: string): Promise<{ code: number | null; out: string }> => {
      const result = await bench.platform.processes.run({ file: '/bin/sh', args: ['-c', script], cwd: copy.path, env: bench.env, sandbox });
      return { code: result.code, out: `${result.stdout}${result.stderr}`.trim() };
    };
    expect(await run('echo b > b.txt && git add -A && git commit -qm b && git log --format=%s && git status --porcelain')).toEqual({
      code: 0,
      out: 'b\nwork',
    });
    for (const hidden of [
      '$HOME/.ssh/id',
      '$HOME/dotfiles/ssh/id',
      `${bench.root}/.git/HEAD`,
      `${bench.root}/.harness/session_state.json`,
      `${other.path}/a.txt`,
    ])
      expect((await run(`cat ${hidden}`)).code).not.toBe(0);
    expect((await run('cat $HOME/.netrc')).out).not.toContain('password');
    expect(await run(`cat ${bench.root}/a.txt`)).toEqual({ code: 0, out: 'a' });
    for (const place of [bench.root, `${copy.folder}/pristine.git`, '$HOME']) expect((await run(`touch ${place}/x`)).code).not.toBe(0);
    expect((await run(`touch ${temporary}/x`)).code).toBe(0);
  },
);

test('tests do not see the copies of agents', async () => {
  bench.commit();
  const home = await bench.home();
  expect(hiddenFromTests(bench.platform, { home, stateDir: '/s', harnessHome: '/h' })).toEqual(
    expect.arrayContaining(['/h/work', '/s', home.gitDir, join(bench.folder, 'user/.ssh')]),
  );
});
