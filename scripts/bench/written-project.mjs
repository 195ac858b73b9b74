// A project of named files with one commit, and the environment of a user who has nothing else.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** `desk`: files in the user's home, beside the project. */
export async function writeProject(folder, files, desk = {}) {
  const project = join(folder, 'project');
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'user'),
    HARNESS_HOME: join(folder, 'own'),
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
  };
  await writeAll(env.HOME, {
    ...desk,
    '.gitconfig': '[user]\n\tname = Bench\n\temail = bench@example.com\n[init]\n\tdefaultBranch = main\n',
  });
  await writeAll(project, files);
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Start'],
  ])
    execFileSync('git', args, { cwd: project, env });
  return { project, env };
}

async function writeAll(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
