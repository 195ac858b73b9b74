/**
 * The files of all unix sockets that some program of this machine holds open.
 *
 * 1. Most are at the path that the kernel's list names, and nothing more is asked.
 * 2. One bound by a relative path, renamed, or with more names than one is found by its inode. Each is searched for once.
 * 3. What could not be looked for is reported, never passed over in silence.
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { findInodes } from './find-inodes.ts';
import { processNumbers } from './process-tree.ts';
import { socketFiles, type SocketFile } from './socket-inodes.ts';

export interface BoundSockets {
  paths: string[];
  /** Folders with a socket whose name is no text, and which can be covered only as a whole. */
  folders: string[];
  /** What the kernel calls those that may be within reach and were not found. */
  missed: string[];
}

interface Bound {
  number: string;
  /** One character for each byte, as it was bound. */
  name: string;
}

interface Known {
  paths: string[];
  folders: string[];
  isMissed: boolean;
}

const MOST_MS = 500;
/** Private to each sandbox, or no place for files. */
const NOT_SEARCHED = ['/proc', '/sys', '/dev', '/tmp', '/var/tmp', '/run', '/var/run'];
const known = new Map<string, Known>();
let looking: Promise<unknown> = Promise.resolve();

export async function boundSockets(): Promise<BoundSockets> {
  const bound = readTable();
  const strays = straysOf(bound);
  const isNew = ({ key }: Stray): boolean => !(known.get(key)?.paths.every(isSocket) ?? false);
  if (strays.some(isNew)) await (looking = looking.then(() => lookFor(strays.filter(isNew))));
  const found = strays.map(({ key }) => known.get(key)).filter((one) => one !== undefined);
  return {
    paths: [
      ...new Set([...bound.map(({ name }) => textOf(name)).filter((name) => name.startsWith('/')), ...found.flatMap((one) => one.paths)]),
    ],
    folders: [...new Set(found.flatMap((one) => one.folders))],
    missed: strays.filter(({ key }) => known.get(key)?.isMissed === true).map(({ name }) => textOf(name)),
  };
}

/** Each entry begins with an address of the kernel; a name may hold line breaks. Sockets that are connected have the name of the one they came from. */
function readTable(): Bound[] {
  let table: string;
  try {
    table = readFileSync('/proc/net/unix', 'latin1');
  } catch {
    return [];
  }
  const entries = table.matchAll(
    /^[0-9a-f]{8,16}: \S+ \S+ \S+ \S+ (\S+) +(\d+) ([^]*?)\n(?=[0-9a-f]{8,16}: \S+ \S+ \S+ \S{4} \S\S +\d|$(?![^]))/gm,
  );
  return [...entries].flatMap(([, state, number = '', name = '']) => (state === CONNECTED ? [] : [{ number, name }]));
}

const CONNECTED = '03';

interface Stray extends Bound {
  key: string;
  /** Known where the file is there and has other names too. */
  inode?: number;
  names: number;
}

function straysOf(bound: readonly Bound[]): Stray[] {
  const times = new Map<string, number>();
  for (const { name } of bound) times.set(name, (times.get(name) ?? 0) + 1);
  return bound.flatMap((one): Stray[] => {
    const stat = one.name.startsWith('/') ? statOf(one.name) : undefined;
    if (stat === undefined || times.get(one.name) !== 1 || textOf(one.name).includes('\ufffd'))
      return [{ ...one, key: one.number, names: 1 }];
    const inode = Number(stat.ino & 0xffffffffn);
    return stat.nlink === 1n ? [] : [{ ...one, key: `${one.number} ${stat.nlink}`, inode, names: Number(stat.nlink) }];
  });
}

async function lookFor(strays: readonly Stray[]): Promise<void> {
  const files = await socketFiles();
  const searched: (Stray & SocketFile)[] = [];
  for (const stray of strays) {
    const file = files?.get(stray.number);
    if (file !== undefined) searched.push({ ...stray, ...file });
    else if (stray.inode !== undefined) searched.push({ ...stray, inode: stray.inode, device: '' });
    else known.set(stray.key, { paths: [], folders: [], isMissed: files === null && !stray.name.startsWith('@') });
  }
  if (searched.length === 0) return;
  const found = await findInodes({
    wanted: new Map(searched.map(({ inode, names }) => [inode, names])),
    devices: new Set(searched.map(({ device }) => device)),
    likely: likelyFolders(searched),
    except: NOT_SEARCHED,
    mostMs: MOST_MS,
  });
  for (const { key, inode, names } of searched) {
    const paths = found.sockets.filter((one) => one.inode === inode).map((one) => one.path);
    known.set(key, { paths, folders: found.folders, isMissed: !found.isComplete && paths.length < names });
  }
}

/** Beside the name that it was bound by, where its program stands, and the home directory before the rest of the machine. */
function likelyFolders(strays: readonly Stray[]): string[] {
  const named = strays.flatMap(({ name }) => (name.startsWith('/') ? [textOf(dirname(name))] : []));
  return [...new Set([...named, ...foldersOf(strays), homedir()])];
}

/** Where the programs stand that hold sockets with a relative path. */
function foldersOf(strays: readonly Stray[]): string[] {
  const links = new Set(strays.filter(({ name }) => !name.startsWith('/')).map(({ number }) => `socket:[${number}]`));
  if (links.size === 0) return [];
  return processNumbers().flatMap((pid) => {
    try {
      const holds = readdirSync(`/proc/${pid}/fd`).some((name) => links.has(linkOf(`/proc/${pid}/fd/${name}`)));
      return holds ? [readlinkSync(`/proc/${pid}/cwd`)] : [];
    } catch {
      return [];
    }
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

function statOf(name: string) {
  try {
    const stat = lstatSync(Buffer.from(name, 'latin1'), { throwIfNoEntry: false, bigint: true });
    return stat?.isSocket() === true ? stat : undefined;
  } catch {
    return undefined;
  }
}

function textOf(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
