/** A mission whose accepted work becomes pull requests: one for each feature, updated, not duplicated. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { startGithub, type FakeGithub } from '../../src/github/test-support.ts';
import { MISSION_AGENT, planOf } from './mission-agent.ts';
import { git, harness, makeScene, startHarness } from './support.ts';

const TOKEN = 'ghp_0123456789secret';
const SETTINGS = `project:
  name: calc
testing:
  full: npm test
agent:
  backend: command
  command: node "$HOME/agent.mjs"
git:
  push: true
github:
  repo: user/calc
mission:
  branch_isolation:
    on_pass: pr
`;

let github: FakeGithub;
beforeEach(async () => {
  github = await startGithub();
});
afterEach(() => github.close());

test.runIf(isLong)(
  'accepted work is pushed, and one pull request stands for it, however often the mission is run',
  async () => {
    const at = await makeScene({
      'package.json': '{ "name": "calc", "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/base.js': 'export const base = 1;\n',
      'test/base.test.js':
        "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { base } from '../src/base.js';\ntest('base', () => assert.equal(base, 1));\n",
      'SPEC.md': '# Sums\n\nDouble and add.\n',
      '.gitignore': '.harness/\n',
      '.harness.yaml': SETTINGS,
    });
    await git(at, 'init', '-q', '--bare', join(at.folder, 'remote.git'));
    await git(at, 'remote', 'add', 'origin', join(at.folder, 'remote.git'));
    await writeFile(join(at.env['HOME']!, 'agent.mjs'), MISSION_AGENT);
    await writeFile(join(at.env['HOME']!, 'plan.json'), JSON.stringify(planOf(1)));
    await writeFile(join(at.env['HOME']!, 'lies.json'), '{}');
    await harness(at, 'doctor', '--verify');
    const env = { GITHUB_API_URL: github.url, GITHUB_TOKEN: TOKEN };
    const run = () => startHarness(at, ['mission', 'run', '--spec', 'SPEC.md', '--json'], env).ended;
    const first = await run();
    expect(first, first.stdout + first.stderr).toMatchObject({ code: 8 });
    expect(github.pulls).toMatchObject([{ head: 'harness/F-001', base: 'main', state: 'open' }]);
    expect(github.pulls[0]!.body).toMatch(/What it proves:[\s\S]*How it was judged:/);
    expect(await git(at, 'ls-remote', 'origin', 'refs/heads/harness/F-001')).toContain('harness/F-001');
    expect((await run()).code).toBe(8);
    expect(github.pulls).toHaveLength(1);
    expect(first.stdout + first.stderr).not.toContain(TOKEN);
    await git(at, 'merge', '-q', 'harness/F-001');
    const merged = await run();
    expect(merged, merged.stdout + merged.stderr).toMatchObject({ code: 0 });
  },
  180_000,
);
