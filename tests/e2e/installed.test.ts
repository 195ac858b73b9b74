/** What is published is enough: without the packages that a checkout has beside it, an honest session is judged and lands. */
import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import packed from '../../package.json' with { type: 'json' };
import { HONEST, projectWithAgent } from './calculator.ts';
import { git } from './support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('the published files alone judge a session', async () => {
  const scene = await projectWithAgent(HONEST);
  const installed = join(scene.folder, 'installed');
  const left = packed.files.filter((one) => one.startsWith('!')).map((one) => join(ROOT, one.slice(1)));
  for (const name of ['package.json', ...packed.files.filter((one) => one !== 'docs' && !one.startsWith('!'))])
    await cp(join(ROOT, name), join(installed, name), { recursive: true, filter: (path) => !left.includes(path) });
  const before = await git(scene, 'rev-parse', 'HEAD');
  const { stdout } = await promisify(execFile)(process.execPath, [join(installed, 'bin/harness.js'), 'run', '--json'], {
    cwd: scene.project,
    env: scene.env,
  });
  expect(stdout).toContain('"outcome":"verified"');
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
});
