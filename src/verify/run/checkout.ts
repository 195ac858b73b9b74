/**
 * What makes a room look like a checkout of a person: a repository with a history, a home that was used, the variables of a shell.
 *
 * Code that is right only where nobody works is wrong in every room.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import type { Platform } from '../../platform/platform.ts';
import { createSpares, type Furnishing, type Spares } from './furnished.ts';
import { firstItem, itemAt, lastItem } from '../../domain/items.ts';

/** A `.git` for a room. How long its history is nobody can know. */
export function repositoryFor(platform: Pick<Platform, 'random' | 'clock'>): Furnishing {
  const tree = objectOf('tree', '');
  const commits = historyOf(tree.id, createHash('sha256').update(platform.random.id(8)).digest(), Math.floor(platform.clock.now() / 1_000));
  const head = lastItem(commits).object.id;
  const log = commits.map(
    ({ object, person, words }, at) =>
      `${commits[at - 1]?.object.id ?? '0'.repeat(40)} ${object.id} ${person}\tcommit${at === 0 ? ' (initial)' : ''}: ${words}\n`,
  );
  const packed = packOf([tree, ...commits.map((one) => one.object)]);
  const files: Furnishing['files'] = [
    ['HEAD', 'ref: refs/heads/main\n'],
    ['config', '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'],
    ['description', 'Unnamed repository; edit this file to name the repository.\n'],
    ['info/exclude', '# git ls-files --others --exclude-from=.git/info/exclude\n'],
    ['refs/heads/main', `${head}\n`],
    ['logs/HEAD', log.join('')],
    ['logs/refs/heads/main', log.join('')],
    ['COMMIT_EDITMSG', `${lastItem(commits).words}\n`],
    [`objects/pack/pack-${packed.id}.pack`, packed.pack],
    [`objects/pack/pack-${packed.id}.idx`, packed.index],
  ];
  return { folders: ['info', 'refs/heads', 'refs/tags', 'logs/refs/heads', 'hooks', 'objects/info', 'objects/pack'], files };
}

interface PastCommit {
  object: PastObject;
  person: string;
  words: string;
}

const FIRST = ['Start', 'Initial commit', 'First version', 'Begin'] as const;
const DID = ['Add', 'Fix', 'Rename', 'Test', 'Document', 'Simplify'] as const;
const WHAT = ['the parser', 'the settings', 'a helper', 'the readme', 'an edge case', 'the command line'] as const;

/** Commits of a few weeks, one upon the other. */
function historyOf(tree: string, dice: Buffer, now: number): PastCommit[] {
  const count = 4 + (firstItem(dice) % 8);
  const commits: PastCommit[] = [];
  for (let at = 0; at < count; at += 1) {
    const pick = (words: readonly string[], from: number): string =>
      itemAt(words, itemAt(dice, (at * 2 + from) % dice.length) % words.length);
    const words = at === 0 ? pick(FIRST, 1) : `${pick(DID, 1)} ${pick(WHAT, 2)}`;
    const when = now - (count - at) * (70_000 + itemAt(dice, at) * 400);
    const person = `Developer <developer@example.com> ${when} +0000`;
    const parent = commits.at(-1);
    const parents = parent === undefined ? '' : `parent ${parent.object.id}\n`;
    commits.push({
      object: objectOf('commit', `tree ${tree}\n${parents}author ${person}\ncommitter ${person}\n\n${words}\n`),
      person,
      words,
    });
  }
  return commits;
}

interface PastObject {
  id: string;
  type: 'commit' | 'tree';
  content: Buffer;
}

function objectOf(type: PastObject['type'], text: string): PastObject {
  const content = Buffer.from(text);
  return { id: sha1(Buffer.from(`${type} ${content.length}\0`), content).toString('hex'), type, content };
}

const TYPES = { commit: 1, tree: 2 } as const;

/** All objects in one file, as git packs what was cloned: two files in the place of a folder and a file for each object. */
function packOf(objects: readonly PastObject[]): { id: string; pack: Buffer; index: Buffer } {
  const parts = [Buffer.concat([Buffer.from('PACK'), numbers(2, objects.length)])];
  let offset = firstItem(parts).length;
  const entries = objects.map(({ id, type, content }) => {
    const data = Buffer.concat([sizeOf(type, content.length), deflateSync(content)]);
    const entry = { id, crc: crc32(data), offset };
    parts.push(data);
    offset += data.length;
    return entry;
  });
  entries.sort((a, b) => (a.id < b.id ? -1 : 1));
  const end = sha1(...parts);
  const upTo = Array.from(
    { length: 256 },
    (_, first) => entries.filter((entry) => Number.parseInt(entry.id.slice(0, 2), 16) <= first).length,
  );
  const index = Buffer.concat([
    Buffer.from([0xff, 0x74, 0x4f, 0x63]),
    numbers(2, ...upTo),
    Buffer.from(entries.map((entry) => entry.id).join(''), 'hex'),
    numbers(...entries.map((entry) => entry.crc), ...entries.map((entry) => entry.offset)),
    end,
  ]);
  return { id: end.toString('hex'), pack: Buffer.concat([...parts, end]), index: Buffer.concat([index, sha1(index)]) };
}

/** The kind, and the size in pieces of seven bits, the first of four. */
function sizeOf(type: PastObject['type'], size: number): Buffer {
  const bytes = [(TYPES[type] << 4) | (size & 15)];
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes.splice(-1, 1, lastItem(bytes) | 128);
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeUInt32BE(value, at * 4));
  return bytes;
}

function sha1(...parts: Buffer[]): Buffer {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A home directory as a shell leaves it. */
export const USED_HOME: Furnishing = {
  folders: ['.cache', '.config', '.local/share', 'projects'],
  files: [
    ['.profile', '# ~/.profile\n[ -f "$HOME/.bashrc" ] && . "$HOME/.bashrc"\n'],
    ['.bashrc', "alias ll='ls -l'\n"],
    ['.bash_history', 'git status\nls\n'],
  ],
};

/** As many runs of a verdict are at work at once. */
const AT_ONCE = 3;

/** Homes and repositories for the first runs of a verdict, laid out before one is asked for. Only where nobody else can reach them meanwhile. */
export async function furnishAhead(platform: Platform, scratch: string): Promise<Spares> {
  const spares = createSpares(platform, scratch);
  for (let at = 0; at < AT_ONCE; at++) {
    await spares.layAhead('home', USED_HOME);
    await spares.layAhead('repository', repositoryFor(platform));
  }
  return spares;
}

/** Variables that a shell of a person has; none of them changes what a program does. In each run some of them are others, as with people. */
export function shellVariables(home: string, room: string): Record<string, string> {
  const dice = createHash('sha256').update(home).digest();
  const one = (at: number, words: readonly string[]): string => itemAt(words, itemAt(dice, at) % words.length);
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
