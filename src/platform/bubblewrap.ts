/**
 * Bubblewrap, called directly.
 *
 * 1. Everything is readable at its own path except what is hidden; only what is named is writable. /tmp, /var/tmp and /run are the
 *    sandbox's own, and sockets of other programs are out of sight.
 * 2. PID namespace of its own: when the first process ends, all end.
 * 3. `network: 'none'` leaves loopback alone inside the namespace.
 * 4. Nobody in it can mount, also not root, which keeps its power over its own files and low ports alone. Where the kernel asks only
 *    who the user is, as for its settings below /proc, the mount is read-only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere, realPath } from './at-once.ts';
import { installationAround, programFolder } from './program-folder.ts';
import { sandboxMounts } from './sandbox-mounts.ts';
import { noSandbox, type Sandbox, type SandboxSpec } from './sandbox.ts';

/** What root may still do; others have no capability to begin with. The last one lets an agent make a sandbox of its own, in which mounts stay as they are. */
const OF_ROOT = ['CAP_CHOWN', 'CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_NET_BIND_SERVICE', 'CAP_SETFCAP'] as const;

/** Settings of the whole machine, which belong to root whatever the namespace. */
const KERNEL_SETTINGS = ['/proc/sys', '/proc/fs', '/proc/sysrq-trigger'] as const;

const REMEDY = 'sudo apt-get install bubblewrap (Debian, Ubuntu), sudo dnf install bubblewrap (Fedora)';
const INSTALL_HINT = 'apt-get install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora)';
let probed: Promise<Sandbox> | undefined;

/** Bubblewrap where it works, else none. Asked once for each process: a probe really starts a command in a sandbox. */
export function bubblewrapHere(): Promise<Sandbox> {
  probed ??= probe();
  return probed;
}

function bubblewrap(program: string): Sandbox {
  return {
    name: 'bubblewrap',
    hides: true,
    diesTogether: true,
    noNetwork: true,
    detail: program,
    remedy: null,
    wrap: async (spec, { file, args, cwd }) => ({
      file: program,
      args: [...(await sandboxArguments(withPrograms(spec, file), cwd)), '--', file, ...args],
    }),
    apart: (script, cwd) => ({
      file: program,
      args: ['--die-with-parent', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--chdir', cwd, '--', '/bin/sh', '-c', script],
    }),
  };
}

async function sandboxArguments(spec: SandboxSpec, cwd: string): Promise<string[]> {
  const args = ['--die-with-parent', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL'];
  if (process.getuid?.() === 0) args.push(...OF_ROOT.flatMap((name) => ['--cap-add', name]));
  if (spec.network === 'none') args.push('--unshare-net');
  args.push('--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc');
  for (const path of KERNEL_SETTINGS) args.push('--ro-bind-try', path, path);
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
    const spec: SandboxSpec = { writable: [folder], hidden: [], network: 'none' };
    // Loaded when first needed: a command that only looks starts faster without them.
    const [{ execFile }, { promisify }] = await Promise.all([import('node:child_process'), import('node:util')]);
    await promisify(execFile)(program, [...(await sandboxArguments(spec, folder)), '--', '/bin/sh', '-c', 'test -w . && ! test -w /usr'], {
      timeout: 10_000,
    });
    return bubblewrap(program);
  } catch (error) {
    const text = error instanceof Error ? error.message.split('\n').slice(1).join(' ').trim() : String(error);
    return noSandbox(`bubblewrap is installed but cannot make a sandbox here: ${text}`, REMEDY);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function firstOnPath(name: string): string | null {
  const paths = (process.env['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  return paths.map((folder) => join(folder, name)).find(isThere) ?? null;
}
