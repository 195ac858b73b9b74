/**
 * Which processes came from which: the tree as the kernel shows it now.
 *
 * 1. A process is a number and the time it started; numbers are used again.
 * 2. Only what is asked for is looked at: the cost grows with the tree below the roots, not with the machine.
 * 3. Where there is no /proc, nothing is found.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface KnownProcess {
  pid: number;
  /** In the kernel's own terms. */
  started: string;
}

interface Status {
  parent: number;
  /** 0: no terminal. */
  terminal: number;
  started: string;
}

/** Everything below these processes, the processes themselves left out. `except` and what is below it is not looked at. */
export async function descendantsOf(roots: readonly number[], except: ReadonlySet<number> = new Set()): Promise<KnownProcess[]> {
  const found = new Map<number, KnownProcess>();
  const waiting = [...roots];
  while (waiting.length > 0) {
    for (const pid of await childrenOf(waiting.pop()!)) {
      if (found.has(pid) || except.has(pid)) continue;
      const status = await statusOf(pid);
      if (status === null) continue;
      found.set(pid, { pid, started: status.started });
      waiting.push(pid);
    }
  }
  return [...found.values()];
}

/** These processes with the time they started; those that are gone are left out. */
export async function identify(pids: readonly number[]): Promise<KnownProcess[]> {
  const found = await Promise.all(pids.map(async (pid) => ({ pid, started: (await statusOf(pid))?.started ?? null })));
  return found.flatMap(({ pid, started }) => (started === null ? [] : [{ pid, started }]));
}

/** Those of them that still run. */
export async function stillRunning(processes: readonly KnownProcess[]): Promise<KnownProcess[]> {
  const alive = await Promise.all(processes.map(async (known) => (await statusOf(known.pid))?.started === known.started));
  return processes.filter((_, index) => alive[index]);
}

/** Processes whose parent is gone, without a terminal, that stand in this folder or below it. */
export async function orphansIn(folder: string): Promise<KnownProcess[]> {
  const found: KnownProcess[] = [];
  for (const entry of await readdir('/proc').catch(() => [])) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (cwd !== folder && !cwd.startsWith(`${folder}/`)) continue;
    const status = await statusOf(pid);
    if (status !== null && status.terminal === 0 && (await adoptsOrphans(status.parent))) found.push({ pid, started: status.started });
  }
  return found;
}

/** Processes of this program that stand in the folder or below it. */
export async function runningIn(folder: string, program: string): Promise<KnownProcess[]> {
  const found: KnownProcess[] = [];
  for (const entry of await readdir('/proc').catch(() => [])) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== program) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const status = cwd === folder || cwd.startsWith(`${folder}/`) ? await statusOf(pid) : null;
    if (status !== null) found.push({ pid, started: status.started });
  }
  return found;
}

async function adoptsOrphans(pid: number): Promise<boolean> {
  if (pid === 1) return true;
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim() === 'systemd';
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'latin1').catch(() => '')));
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((word) => word !== '')
      .map(Number),
  );
}

/** `null` for a process that is gone, also when nobody has collected it yet. */
async function statusOf(pid: number): Promise<Status | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return { parent: Number(fields[1]), terminal: Number(fields[4]), started: fields[19] ?? '' };
}
