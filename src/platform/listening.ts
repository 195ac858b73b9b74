/** Which process holds a port, as the kernel shows it. Where there is no /proc, or the process belongs to somebody else, nothing is found. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { itemAt } from '../domain/items.ts';

export interface Listener {
  pid: number;
  /** As it was typed. */
  command: string;
}

const LISTEN = '0A';

export async function listenerOn(port: number): Promise<Listener | null> {
  const inodes = await socketsOn(port);
  if (inodes.size === 0) return null;
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    for (const descriptor of await readdir(`/proc/${name}/fd`).catch(() => [])) {
      const inode = /^socket:\[(\d+)\]$/.exec(await readlink(`/proc/${name}/fd/${descriptor}`).catch(() => ''))?.[1];
      if (inode === undefined || !inodes.has(inode)) continue;
      const command = (await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ').trim();
      return { pid: Number(name), command };
    }
  }
  return null;
}

/** Every port that some process listens on, whoever it belongs to. */
export async function listeningPorts(): Promise<ReadonlySet<number>> {
  return new Set((await listeners()).map(({ port }) => port));
}

async function socketsOn(port: number): Promise<Set<string>> {
  return new Set((await listeners()).filter((one) => one.port === port).map(({ inode }) => inode));
}

/** Lines are `sl local_address rem_address st … inode`, the address as hexadecimal `host:port`. */
async function listeners(): Promise<{ port: number; inode: string }[]> {
  const found: { port: number; inode: string }[] = [];
  for (const table of ['tcp', 'tcp6']) {
    const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[3] === LISTEN) found.push({ port: Number.parseInt(fields[1]?.split(':')[1] ?? '', 16), inode: itemAt(fields, 9) });
    }
  }
  return found;
}
