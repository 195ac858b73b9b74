/**
 * Who a process is, beyond its number: numbers are used again.
 *
 * 1. Two identities are of the same process only if all their fields are equal.
 * 2. A process that has ended but was not yet collected by its parent is gone; a stopped one is there.
 * 3. What cannot be found out is an empty string, on both sides of a comparison.
 */
import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';

export interface ProcessIdentity {
  pid: number;
  /** When the process started, in the kernel's own terms. */
  started: string;
  /** Which run of the machine. */
  boot: string;
  /** Which set of process numbers. */
  namespace: string;
  host: string;
}

/** `null` when there is no such process. */
export async function processIdentity(pid: number): Promise<ProcessIdentity | null> {
  const started = process.platform === 'linux' ? startOnLinux(pid) : await startElsewhere(pid);
  if (started === null) return null;
  const boot = orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? '';
  const namespace = orNull(() => readlinkSync('/proc/self/ns/pid')) ?? '';
  return { pid, started, boot: boot.trim(), namespace, host: hostname() };
}

/** This process; it is there, whatever the machine can tell about it. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return (await processIdentity(process.pid)) ?? { pid: process.pid, started: '', boot: '', namespace: '', host: hostname() };
}

function startOnLinux(pid: number): string | null {
  const stat = orNull(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return fields[19] ?? '';
}

function orNull(look: () => string): string | null {
  try {
    return look();
  } catch {
    return null;
  }
}

async function startElsewhere(pid: number): Promise<string | null> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
  }).catch(() => ({ stdout: '' }));
  const line = stdout.trim();
  if (line === '' || line.startsWith('Z')) return null;
  return line.replace(/^\S+\s+/, '');
}
