/**
 * Which file each socket of the kernel's table is, however it was bound: asked of the kernel (sock_diag), which Node cannot do itself.
 *
 * `ss` of iproute2 asks it, or a few lines of Python. Where neither is installed, nothing is known.
 */

export interface SocketFile {
  /** The lower 32 bits; the kernel tells no more. */
  inode: number;
  /** `major:minor`, as in the list of mounts. */
  device: string;
}

const TIMEOUT_MS = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** By the number of the socket; null: neither program is here. */
export async function socketFiles(): Promise<Map<string, SocketFile> | null> {
  const listed = await output('ss', ['-xaen']);
  if (listed !== null) return fromList(listed);
  const { default: program } = await import('../../assets/platform/socket-inodes.py');
  const told = await output('python3', ['-I', '-S', '-c', program]);
  return told === null ? null : fromPython(told);
}

async function output(file: string, args: readonly string[]): Promise<string | null> {
  const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
  const options = { timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES, encoding: 'latin1' as const };
  return await promisify(execFile)(file, args, options).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

/** Names of sockets may hold line breaks: only the end of an entry is read. */
function fromList(text: string): Map<string, SocketFile> {
  const files = new Map<string, SocketFile>();
  for (const [, number = '', inode, high, low] of text.matchAll(/ (\d+) +\* \d+ .*?\bino:(\d+) dev:(\d+)\/(\d+)/g))
    files.set(number, { inode: Number(inode), device: deviceOf(Number(high), Number(low)) });
  return files;
}

function fromPython(text: string): Map<string, SocketFile> {
  const rows = text.split('\n').map((line) => line.split(' '));
  return new Map(
    rows.filter((row) => row.length === 3).map(([number = '', inode, device]) => [number, fileOf(Number(inode), Number(device))]),
  );
}

function fileOf(inode: number, device: number): SocketFile {
  return { inode, device: `${device >>> 20}:${device & 0xfffff}` };
}

/** `ss` splits the kernel's own number of a device as if it were that of `stat`. */
function deviceOf(high: number, low: number): string {
  const kernel = ((low & 0xff) | ((high & 0xfff) << 8) | ((low & 0xffffff00) << 12)) >>> 0;
  return fileOf(0, kernel).device;
}
