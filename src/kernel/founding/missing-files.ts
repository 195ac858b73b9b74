/** The harness's own files that a repository does not have yet: what they will say, and the one commit that brings them. */
import { join } from 'node:path';
import { usageError } from '../../domain/errors.ts';
import { tryGit } from '../../platform/git.ts';
import type { Platform } from '../../platform/platform.ts';
import { commitFiles, finishCommit, hasPendingCommit, type FileToCommit } from '../../workspace/commit-files.ts';
import type { Home } from '../../workspace/home.ts';
import { dropIndexLock } from '../../workspace/index-lock.ts';
import type { Place } from '../place.ts';
import { progressFileText, scriptText, withStateIgnored } from './scaffold.ts';

/** A feature list that a person names: the file's whole path, and its text. */
interface GivenList {
  source: string;
  text: string;
}

type Ground = Pick<Place, 'platform' | 'config'> & { home: Home };

/** `settings`: the text of the settings file; null where there is one. */
export async function missingFiles(place: Ground, settings: string | null, given: GivenList): Promise<FileToCommit[]> {
  const { platform, home } = place;
  const isThere = settings === null || (await platform.files.exists(join(home.root, '.harness.yaml')));
  return [
    ...(isThere ? await untracked(platform, home, ['.harness.yaml']) : [{ path: '.harness.yaml', content: settings }]),
    ...(await listFile(place, given)),
    ...(await ownFiles(place)),
    ...(await ignoreFile(place)),
  ];
}

async function listFile({ platform, home, config }: Ground, { source, text }: GivenList): Promise<FileToCommit[]> {
  const { root } = home;
  const list = config.paths.features;
  if (source !== join(root, list)) {
    const present = await platform.files.readTextIfExists(join(root, list));
    if (present !== null && present !== text)
      throw usageError(
        `${list} exists already and differs from the file given.`,
        `Adopt it with: harness init --features ${list}, or remove it first.`,
      );
    if (present === null) return [{ path: list, content: text }];
  }
  return await untracked(platform, home, [list]);
}

async function ownFiles({ platform, home, config }: Ground): Promise<FileToCommit[]> {
  const wanted: FileToCommit[] = [{ path: config.paths.progress, content: progressFileText(config.project.name) }];
  if (usesScript(config.environment.init, 'init')) wanted.push({ path: 'init.sh', content: scriptText('init'), executable: true });
  if (usesScript(config.environment.reset, 'reset')) wanted.push({ path: 'reset.sh', content: scriptText('reset'), executable: true });
  const files: FileToCommit[] = [];
  for (const file of wanted) {
    if (!(await platform.files.exists(join(home.root, file.path)))) files.push(file);
    else files.push(...(await untracked(platform, home, [file.path])));
  }
  return files;
}

async function ignoreFile({ platform, home, config }: Ground): Promise<FileToCommit[]> {
  const { root } = home;
  // Of the folder: the rule inside it hides its content from git, not the folder from an agent in the working tree.
  const ignored = await tryGit(platform, ['check-ignore', '-q', '--no-index', `${config.paths.state_dir}/`], { cwd: root });
  if (ignored.code === 0) return [];
  const isLink = (await platform.files.lstat(join(root, '.gitignore')).catch(() => null))?.isSymbolicLink() === true;
  if (isLink) throw usageError('.gitignore is a symbolic link, which git does not follow.', 'fix: replace it with a file, then commit it');
  const before = await platform.files.readTextIfExists(join(root, '.gitignore'));
  return [{ path: '.gitignore', content: withStateIgnored(before, config.paths.state_dir) }];
}

/** A script is made where the settings leave the step to it or name it. */
function usesScript(command: string | null, kind: 'init' | 'reset'): boolean {
  return command === null || command === `./${kind}.sh`;
}

async function untracked(platform: Platform, home: Home, paths: readonly string[]): Promise<FileToCommit[]> {
  const files: FileToCommit[] = [];
  for (const path of paths) {
    const known = await tryGit(platform, ['ls-files', '--error-unmatch', '--', path], { cwd: home.root });
    if (known.code !== 0 && (await platform.files.exists(join(home.root, path)))) files.push({ path });
  }
  return files;
}

export interface Completed {
  created: string[];
  /** Null: nothing was missing. */
  commit: string | null;
}

/** Called by the holder of the lock. A commit that was cut off is brought to its end first, and then it is asked again what is missing. */
export async function commitMissing(
  { platform, home }: Pick<Ground, 'platform' | 'home'>,
  planned: FileToCommit[],
  missing: () => Promise<FileToCommit[]>,
): Promise<Completed> {
  if (await hasPendingCommit(platform, home)) await dropIndexLock(platform, home);
  const files = (await finishCommit(platform, home)) === null ? planned : await missing();
  if (files.length === 0) return { created: [], commit: null };
  const result = await commitFiles(platform, home, {
    files,
    message: 'Set up the harness\n\nFeature list, settings and scripts for verified agent sessions.',
  });
  if (result.kind === 'moved') throw usageError('The branch moved while the files were being committed.', 'Run the command again.');
  return { created: files.map((file) => file.path), commit: result.kind === 'committed' ? result.commit : null };
}
