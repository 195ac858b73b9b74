/**
 * Which processes came from which: the tree as the kernel shows it now.
 *
 * 1. A process is a number and the time it started; numbers are used again.
 * 2. Only what is asked for is looked at: the cost grows with the tree below the roots, not with the machine.
 * 3. Where there is no /proc, nothing is found.
 * 4. Looks are synchronous inside: the kernel answers from memory, and waiting for each answer takes many times as long.
 */
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { firstItem } from '../domain/items.ts';

export interface KnownProcess {
  pid: number;
  /** In the kernel's own terms. */
  started: string;
}

interface Status {
  parent: number;
  group: number;
  /** 0: no terminal. */
  terminal: number;
  started: string;
}

/** Everything below these processes, the processes themselves left out. `except` and what is below it is not looked at. */
export async function descendantsOf(roots: readonly number[], except: ReadonlySet<number> = new Set()): Promise<KnownProcess[]> {
  const found = new Map<number, KnownProcess>();
  const waiting = [...roots];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const pid of childrenOf(next)) {
      if (found.has(pid) || except.has(pid)) continue;
      const status = statusOf(pid);
      if (status === null) continue;
      found.set(pid, { pid, started: status.started });
      waiting.push(pid);
    }
  }
  return [...found.values()];
}

/** These processes with the time they started; those that are gone are left out. */
export async function identify(pids: readonly number[]): Promise<KnownProcess[]> {
  return pids.flatMap((pid) => {
    const status = statusOf(pid);
    return status === null ? [] : [{ pid, started: status.started }];
  });
}

/** Those of them that still run. */
export async function stillRunning(processes: readonly KnownProcess[]): Promise<KnownProcess[]> {
  return processes.filter((known) => statusOf(known.pid)?.started === known.started);
}

/** Processes whose parent is gone, without a terminal, that stand in this folder or below it. */
export async function orphansIn(folder: string): Promise<KnownProcess[]> {
  const found: KnownProcess[] = [];
  for (const pid of processNumbers()) {
    if (pid === process.pid || !standsIn(pid, folder)) continue;
    const status = statusOf(pid);
    if (status !== null && status.terminal === 0 && adoptsOrphans(status.parent)) found.push({ pid, started: status.started });
  }
  return found;
}

/** Processes of this program that stand in the folder or below it. */
export async function runningIn(folder: string, program: string): Promise<KnownProcess[]> {
  const found: KnownProcess[] = [];
  for (const pid of processNumbers()) {
    if (readProcessFile(pid, 'comm')?.toString('utf8').trim() !== program || !standsIn(pid, folder)) continue;
    const status = statusOf(pid);
    if (status !== null) found.push({ pid, started: status.started });
  }
  return found;
}

/** Whether a process of this group is more than the shell of one that nobody has collected; true where there is no /proc. */
export function hasLivingMember(group: number): boolean {
  const pids = processNumbers();
  return pids.length === 0 || pids.some((pid) => memberStatus(pid, group) !== null);
}

/** The processes of a group, without its leader and the leader's own children. */
export function belowLeader(group: number): number[] {
  return processNumbers().filter((pid) => pid !== group && (memberStatus(pid, group)?.parent ?? group) !== group);
}

function memberStatus(pid: number, group: number): Status | null {
  const status = statusOf(pid);
  return status?.group === group ? status : null;
}

export function processNumbers(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => Number.isInteger(pid));
  } catch {
    return [];
  }
}

/** The kernel says everything that is short at once; there are hundreds of processes, and each is asked. */
const page = Buffer.alloc(64 * 1024);

/** `null` for a process that is gone or somebody else's. */
export function readProcessFile(pid: number, name: 'comm' | 'environ' | 'stat' | `task/${string}/children`): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(`/proc/${pid}/${name}`, 'r');
    const parts: Buffer[] = [];
    for (let length = readSync(file, page, 0, page.length, null); length > 0; length = readSync(file, page, 0, page.length, null)) {
      parts.push(Buffer.from(page.subarray(0, length)));
      if (length < page.length && name !== 'environ') break;
    }
    return parts.length === 1 ? firstItem(parts) : Buffer.concat(parts);
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function standsIn(pid: number, folder: string): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return cwd === folder || cwd.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}

function adoptsOrphans(pid: number): boolean {
  return pid === 1 || readProcessFile(pid, 'comm')?.toString('utf8').trim() === 'systemd';
}

function childrenOf(pid: number): number[] {
  let threads: string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const lists = threads.map((thread) => readProcessFile(pid, `task/${thread}/children`)?.toString('latin1') ?? '');
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  );
}

/** `null` for a process that is gone, also when nobody has collected it yet. */
function statusOf(pid: number): Status | null {
  const stat = readProcessFile(pid, 'stat');
  return stat === null ? null : parseStatus(stat.toString('latin1'));
}

function parseStatus(stat: string): Status | null {
  // The second field is the program's name in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return { parent: Number(fields[1]), group: Number(fields[2]), terminal: Number(fields[4]), started: fields[19] ?? '' };
}
