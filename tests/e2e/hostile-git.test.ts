/** Git is never run by the harness with a git directory that an agent, or what it wrote, could change. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bubblewrapHere } from '../../src/platform/bubblewrap.ts';
import { claim, projectWithAgent, RUN_SUBTRACT, WRITE_SUBTRACT } from './calculator.ts';
import { exists, harness } from './support.ts';

const { hides } = await bubblewrapHere();

/** A git directory in which whoever looks for a missing object starts a program. */
const trap = (mark: string): string => `import { execSync } from 'node:child_process';
try {
  execSync(\`git config core.repositoryformatversion 1 && git config extensions.partialClone evil && git config remote.evil.promisor true &&
    git config remote.evil.url file:///nowhere && git config remote.evil.uploadpack "touch '${mark}'; false" &&
    git update-index --add --cacheinfo 100644,1234567890123456789012345678901234567890,missing\`, { stdio: 'ignore' });
} catch {}
`;

describe.runIf(hides)('a git directory that work could change', () => {
  test('commit hooks run what the agent wrote, and nothing of it runs outside the sandbox', { timeout: 300_000 }, async () => {
    const scene = await projectWithAgent('', { settings: 'git:\n  hooks: true\n' });
    const mark = join(scene.env['HOME']!, 'ran');
    await mkdir(join(scene.project, '.git', 'hooks'), { recursive: true });
    const hook = join(scene.project, '.git', 'hooks', 'pre-commit');
    await writeFile(hook, '#!/bin/sh\nnode src/lint.js\n');
    await chmod(hook, 0o755);
    await writeFile(join(scene.folder, 'lint.js'), trap(mark));
    const agent = `set -e\n${WRITE_SUBTRACT}\ncat > src/lint.js <<'END'\n${trap(mark)}END\n${RUN_SUBTRACT}\n${claim(2)}`;
    await writeFile(join(scene.env['HOME']!, 'agent.sh'), `cat > "$TMPDIR/prompt.txt"\n${agent}\n`);
    const run = await harness(scene, 'run', '--json');
    expect(await exists(mark), run.stdout + run.stderr).toBe(false);
    console.log(run.code, JSON.stringify(run.last), run.stdout.slice(-1500));
  });
});
