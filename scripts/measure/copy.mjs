// A copy of the sources at a commit, or as they lie here, with this package's dependencies beside it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export function takeCopy(revision, folder) {
  mkdirSync(folder);
  if (revision === null) copyFiles(folder);
  else execFileSync('tar', ['-x', '-C', folder], { input: git('archive', '--format=tar', revision) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function copyFiles(folder) {
  const listed = git('ls-files', '-co', '--exclude-standard', '-z').toString('utf8');
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, maxBuffer: 1 << 30 });
}
