/**
 * Bubblewrap, called directly.
 *
 * 1. Everything is readable at its own path except what is hidden; only what is named is writable. /tmp, /var/tmp and /run are the
 *    sandbox's own, and sockets of other programs are out of sight.
 * 2. PID namespace of its own: when the first process ends, all end.
 * 3. `network: 'none'` leaves loopback alone inside the namespace.
 * 4. Nobody in it can mount, also not root, which keeps its power over its own files and low ports alone. Where the kernel asks only
 *    who the user is, as for its settings below /proc, the mount is read-only.
 * 5. System calls that nothing in it needs are refused (syscall-filter.ts), where the kernel and the machine can.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere, realPath } from './at-once.ts';
import { installationAround, programFolder } from './program-folder.ts';
import { sandboxMounts } from './sandbox-mounts.ts';
import { noSandbox, type Sandbox, type SandboxSpec } from './sandbox.ts';
import { FIRST_EXTRA, spawnStarted } from './spawn-started.ts';
import { syscallFilter } from './syscall-filter.ts';

/** What root may still do; others have no capability to begin with. The last one lets an agent make a sandbox of its own, in which mounts stay as they are. */
const OF_ROOT = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_NET_BIND_SERVICE', 'CAP_SETFCAP'] as const;

/** Settings of the whole machine, which belong to root whatever the namespace. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/fs', '/proc/sysrq-trigger'] as const;
/** Names of the login's kernel keys. */
const KEY_LISTS = ['/proc/keys', '/proc/key-users'] as const;

const REMEDY = 'sudo apt-get install bubblewrap (Debian, Ubuntu), sudo dnf install bubblewrap (Fedora)';
const INSTALL_HINT = 'apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)';
const PROBE_MS = 10_000;
let probed: Promise<Sandbox> | undefined;

/** Bubblewrap where it works, else none. Asked once for each process: a probe really starts a command in a sandbox. */
export function bubblewrapHere(): Promise<Sandbox> {
  probed ??= probe();
  return probed;
}

/** `filter`: an open file with the program of system calls. Each sandbox opens it anew: the place in an open file is shared. */
function bubblewrap(program: string, filter: number | null): Sandbox {
  const open = filter === null ? {} : { open: `/proc/self/fd/${filter}` };
  return {
    name: 'bubblewrap',
    hides: true,
    diesTogether: true,
    noNetwork: true,
    refusesCalls: filter !== null,
    detail: program,
    remedy: null,
    wrap: async (spec, { file, args, cwd, env = {}, envInside = false, extraPipes = 0 }) => {
      const { outside, inside } = splitEnvironment(env, envInside);
      return {
        file: program,
        args: [
          ...(filter === null ? [] : ['--seccomp', String(FIRST_EXTRA + extraPipes)]),
          ...(await sandboxArguments(withPrograms(spec, file), cwd)),
          ...inside.flatMap(([name, value]) => ['--setenv', name, value]),
          '--',
          file,
          ...args,
        ],
        env: outside,
        ...open,
      };
    },
    apart: (script, cwd) => ({
      file: program,
      args: ['--die-with-parent', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--chdir', cwd, '--', '/bin/sh', '-c', script],
      ...open,
    }),
  };
}

/**
 * What glibc and musl themselves ignore for privileged programs: code or files that would be loaded into bubblewrap, which runs outside. They are
 * set inside, for the command alone.
 */
const OF_LOADER =
  /^(?:LD_\w+|GLIBC_TUNABLES|GCONV_PATH|GETCONF_DIR|HOSTALIASES|LOCALDOMAIN|LOCPATH|MALLOC_\w+|MUSL_\w+|NIS_PATH|NLSPATH|RESOLV_HOST_CONF|RES_OPTIONS|TZDIR)$/;

function splitEnvironment(
  env: Readonly<Record<string, string>>,
  isAllInside: boolean,
): { outside: Record<string, string>; inside: [string, string][] } {
  const all = Object.entries(env);
  const isInside = (name: string): boolean => isAllInside || OF_LOADER.test(name);
  return {
    outside: Object.fromEntries(all.filter(([name]) => !isInside(name))),
    inside: all.filter(([name]) => isInside(name)),
  };
}

async function sandboxArguments(spec: SandboxSpec, cwd: string): Promise<string[]> {
  const args = ['--die-with-parent', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'];
  if (process.getuid?.() === 0) args.push(...OF_ROOT.flatMap((name) => ['--cap-add', name]));
  if (spec.network === 'none') args.push('--unshare-net');
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc');
  for (const path of KERNEL_SETTINGS) args.push('--ro-bind-try', path, path);
  for (const path of KEY_LISTS) if (isThere(path)) args.push('--ro-bind', '/dev/null', path);
  args.push(...(await sandboxMounts(spec)));
  args.push('--chdir', spec.cwd ?? cwd);
  return args;
}

/** A program that the harness chose is to be found, wherever it lies. */
function withPrograms(spec: SandboxSpec, file: string): SandboxSpec {
  const files = file.startsWith('/') ? [file, realPath(file) ?? file] : [];
  const programs = [...files.map(programFolder), ...(spec.programs ?? []).map(installationAround)];
  return { ...spec, shown: [...(spec.shown ?? []), ...new Set(programs)] };
}

async function probe(): Promise<Sandbox> {
  if (process.platform !== 'linux') return noSandbox('bubblewrap needs Linux', REMEDY);
  const program = firstOnPath('bwrap');
  if (program === null) return noSandbox(`bubblewrap is not installed: ${INSTALL_HINT}`, REMEDY);
  const folder = mkdtempSync(join(tmpdir(), 'harness-probe-'));
  try {
    const filter = openFilter(folder);
    if (filter !== null) {
      if ((await whyNot(bubblewrap(program, filter), folder)) === null) return bubblewrap(program, filter);
      closeSync(filter);
    }
    const problem = await whyNot(bubblewrap(program, null), folder);
    if (problem === null) return bubblewrap(program, null);
    return noSandbox(`bubblewrap is installed but cannot make a sandbox here: ${problem}`, REMEDY);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Its file is gone with the folder; what is open stays. */
function openFilter(folder: string): number | null {
  const filter = syscallFilter();
  if (filter === null) return null;
  const file = join(folder, 'filter');
  writeFileSync(file, filter, { mode: 0o600 });
  return openSync(file, 'r');
}

/** What a first command in it prints where it does not work; null: it works. */
async function whyNot(sandbox: Sandbox, folder: string): Promise<string | null> {
  const spec: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
  const command = { file: '/bin/sh', args: ['-c', 'test -w . && ! test -w /usr'], cwd: folder };
  try {
    const child = await spawnStarted(await sandbox.wrap(spec, command), { timeout: PROBE_MS, stdio: ['ignore', 'ignore', 'pipe'] });
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
    return code === 0 ? null : printed.split('\n').join(' ').trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function firstOnPath(name: string): string | null {
  const paths = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return paths.map((folder) => join(folder, name)).find(isThere) ?? null;
}
