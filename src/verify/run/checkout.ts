/**
 * What makes a room look like a checkout of a person: a repository with a history, a home that was used, the variables of a shell.
 *
 * Code that is right only where nobody works is wrong in every room.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { Platform } from '../../platform/platform.ts';

/** Makes `.git` where the room has none; says what is to be removed afterwards. How long the history is nobody can know. */
export async function makeRepository(platform: Platform, room: string): Promise<string[]> {
  const folder = join(room, '.git');
  if (await platform.files.exists(folder)) return [];
  const tree = loose('tree', '');
  const commits = historyOf(tree.id, createHash('sha256').update(platform.random.id(8)).digest(), Math.floor(platform.clock.now() / 1_000));
  const head = commits.at(-1)!.object.id;
  const log = commits.map(
    ({ object, person, words }, at) =>
      `${commits[at - 1]?.object.id ?? '0'.repeat(40)} ${object.id} ${person}\tcommit${at === 0 ? ' (initial)' : ''}: ${words}\n`,
  );
  const objects = [tree, ...commits.map((one) => one.object)];
  const files: [string, string | Uint8Array][] = [
    ['HEAD', 'ref: refs/heads/main\n'],
    ['config', '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'],
    ['description', 'Unnamed repository; edit this file to name the repository.\n'],
    ['info/exclude', '# git ls-files --others --exclude-from=.git/info/exclude\n'],
    ['refs/heads/main', `${head}\n`],
    ['logs/HEAD', log.join('')],
    ['logs/refs/heads/main', log.join('')],
    ['COMMIT_EDITMSG', `${commits.at(-1)!.words}\n`],
    ...objects.map((one): [string, Uint8Array] => [one.path, one.content]),
  ];
  for (const name of ['info', 'refs/heads', 'refs/tags', 'logs/refs/heads', 'hooks', ...objects.map((one) => one.path.slice(0, 10))])
    await platform.files.mkdir(join(folder, name));
  for (const [name, content] of files) await platform.files.write(join(folder, name), content);
  return [folder];
}

interface PastCommit {
  object: ReturnType<typeof loose>;
  person: string;
  words: string;
}

const FIRST = ['Start', 'Initial commit', 'First version', 'Begin'] as const;
const DID = ['Add', 'Fix', 'Rename', 'Test', 'Document', 'Simplify'] as const;
const WHAT = ['the parser', 'the settings', 'a helper', 'the readme', 'an edge case', 'the command line'] as const;

/** Commits of a few weeks, one upon the other. */
function historyOf(tree: string, dice: Buffer, now: number): PastCommit[] {
  const count = 4 + (dice[0]! % 8);
  const commits: PastCommit[] = [];
  for (let at = 0; at < count; at += 1) {
    const pick = (words: readonly string[], from: number): string => words[dice[(at * 2 + from) % dice.length]! % words.length]!;
    const words = at === 0 ? pick(FIRST, 1) : `${pick(DID, 1)} ${pick(WHAT, 2)}`;
    const when = now - (count - at) * (70_000 + dice[at]! * 400);
    const person = `Developer <developer@example.com> ${when} +0000`;
    const parent = commits.at(-1);
    const parents = parent === undefined ? '' : `parent ${parent.object.id}\n`;
    commits.push({ object: loose('commit', `tree ${tree}\n${parents}author ${person}\ncommitter ${person}\n\n${words}\n`), person, words });
  }
  return commits;
}

function loose(type: string, content: string): { id: string; path: string; content: Uint8Array } {
  const bytes = Buffer.from(`${type} ${Buffer.byteLength(content)}\0${content}`);
  const id = createHash('sha1').update(bytes).digest('hex');
  return { id, path: `objects/${id.slice(0, 2)}/${id.slice(2)}`, content: deflateSync(bytes) };
}

/** A home directory as a shell leaves it. */
export async function furnishHome(platform: Platform, home: string): Promise<void> {
  for (const folder of ['.cache', '.config', '.local/share', 'projects']) await platform.files.mkdir(join(home, folder));
  const files = {
    '.profile': '# ~/.profile\n[ -f "$HOME/.bashrc" ] && . "$HOME/.bashrc"\n',
    '.bashrc': "alias ll='ls -l'\n",
    '.bash_history': 'git status\nls\n',
  };
  for (const [name, content] of Object.entries(files)) await platform.files.write(join(home, name), content);
}

/** Variables that a shell of a person has; none of them changes what a program does. In each run some of them are others, as with people. */
export function shellVariables(home: string, room: string): Record<string, string> {
  const dice = createHash('sha256').update(home).digest();
  const one = (at: number, words: readonly string[]): string => words[dice[at]! % words.length]!;
  const user = one(0, ['developer', 'dev', 'user', 'me', 'admin']);
  return {
    USER: user,
    LOGNAME: user,
    SHELL: '/bin/bash',
    SHLVL: '1',
    TERM: 'xterm-256color',
    PWD: room,
    OLDPWD: home,
    EDITOR: one(1, ['vi', 'vim', 'nano', 'emacs']),
    PAGER: one(2, ['less', 'more', 'cat']),
    HOSTNAME: `${one(3, ['workstation', 'laptop', 'desk', 'build'])}-${dice[4]}`,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_SESSION_TYPE: 'tty',
    XDG_DATA_HOME: join(home, '.local/share'),
  };
}
