/**
 * Bubblewrap, called directly.
 *
 * 1. Everything is readable at its own path except what is hidden; only what is named is writable. What is hidden is empty and read-only.
 * 2. PID namespace of its own: when the first process ends, all end.
 * 3. `network: 'none'` leaves loopback alone inside the namespace.
 * 4. Nobody in it can mount, also not root, which keeps its power over its own files and low ports alone. Where the kernel asks only
 *    who the user is, as for its settings below /proc, the mount is read-only.
 */
import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SandboxSpec {
  writable: readonly string[];
  /** Read-only again inside a writable path, or simply kept read-only. */
  readOnly?: readonly string[];
  /** [outside, inside] pairs, read-only. */
  readOnlyAt?: readonly (readonly [string, string])[];
  hidden: readonly string[];
  network: 'host' | 'none';
  /** An empty /tmp of its own. */
  privateTmp: boolean;
}

export interface SandboxState {
  available: boolean;
  program: string | null;
  /** Why not, and the command that gets it. */
  detail: string;
}

/** What root may still do; others have no capability to begin with. The last one lets an agent make a sandbox of its own, in which mounts stay as they are. */
const OF_ROOT = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_NET_BIND_SERVICE', 'CAP_SETFCAP'] as const;

/** Settings of the whole machine, which belong to root whatever the namespace. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/fs', '/proc/sysrq-trigger'] as const;

const INSTALL_HINT = 'apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)';
let probed: Promise<SandboxState> | undefined;

/** Asked once for each process: a probe really starts a command in a sandbox. */
export function sandboxState(): Promise<SandboxState> {
  probed ??= probe();
  return probed;
}

export async function wrapInSandbox(
  spec: SandboxSpec,
  command: { file: string; args: readonly string[]; cwd: string },
): Promise<{ file: string; args: string[]; sandboxed: boolean }> {
  const state = await sandboxState();
  if (!state.available || state.program === null) throw new Error(`sandbox asked for but not available: ${state.detail}`);
  return {
    file: state.program,
    args: [...(await sandboxArguments(spec, command.cwd)), '--', command.file, ...command.args],
    sandboxed: true,
  };
}

async function sandboxArguments(spec: SandboxSpec, cwd: string): Promise<string[]> {
  const args = ['--die-with-parent', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'];
  if (process.getuid?.() === 0) args.push(...OF_ROOT.flatMap((name) => ['--cap-add', name]));
  if (spec.network === 'none') args.push('--unshare-net');
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc');
  for (const path of KERNEL_SETTINGS) args.push('--ro-bind-try', path, path);
  if (spec.privateTmp) args.push('--tmpfs', '/tmp');
  const inWritable = (path: string): boolean => spec.writable.some((folder) => path.startsWith(`${folder}/`));
  for (const path of spec.hidden) if (!inWritable(path)) args.push(...(await hide(path)));
  for (const path of spec.writable) args.push('--bind', path, path);
  for (const path of spec.hidden) if (inWritable(path)) args.push(...(await hide(path)));
  for (const path of spec.readOnly ?? []) args.push('--ro-bind-try', path, path);
  for (const [outside, inside] of spec.readOnlyAt ?? []) args.push('--ro-bind', outside, inside);
  for (const path of args.flatMap((word, index) => (word === '--tmpfs' && args[index + 1] !== '/tmp' ? [args[index + 1]!] : [])))
    args.push('--remount-ro', path);
  args.push('--chdir', cwd);
  return args;
}

/** Over the real path: a link to a directory of secrets hides the directory, under all its names. */
async function hide(path: string): Promise<string[]> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return [];
  return (await lstat(real)).isDirectory() ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
}

async function probe(): Promise<SandboxState> {
  if (process.platform !== 'linux') return { available: false, program: null, detail: 'bubblewrap needs Linux' };
  const program = await firstOnPath('bwrap');
  if (program === null) return { available: false, program: null, detail: `bubblewrap is not installed: ${INSTALL_HINT}` };
  const folder = await mkdtemp(join(tmpdir(), 'harness-probe-'));
  try {
    const spec: SandboxSpec = { writable: [folder], hidden: [], network: 'none', privateTmp: false };
    // Loaded when first needed: a command that only looks starts faster without them.
    const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
    await promisify(execFile)(program, [...(await sandboxArguments(spec, folder)), '--', '/bin/sh', '-c', 'test -w . && ! test -w /usr'], {
      timeout: 10_000,
    });
    return { available: true, program, detail: program };
  } catch (error) {
    const text = error instanceof Error ? error.message.split('\n').slice(1).join(' ').trim() : String(error);
    return { available: false, program: null, detail: `bubblewrap is installed but cannot make a sandbox here: ${text}` };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstOnPath(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const path = join(folder, name);
    if (
      folder !== '' &&
      (await lstat(path).then(
        () => true,
        () => false,
      ))
    )
      return path;
  }
  return null;
}
