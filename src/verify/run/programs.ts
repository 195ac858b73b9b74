/**
 * Programs outside of the project that runs are started with, found once for each process.
 *
 * An interpreter is asked in a sandbox, where there is one: what is installed for it can lead to modules of a repository, which it loads as it
 * starts.
 */
import { isAbsolute } from 'node:path';
import type { Platform } from '../../platform/platform.ts';

export const NODE_PROGRAM = process.execPath;

/** Where the harness looks for programs, whatever a project sets for its tests. */
export function ownPath({ env }: Pick<Platform, 'env'>): string {
  return env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
}

const found = new WeakMap<Platform, Map<string, Promise<string | null>>>();

/** The interpreter that can import a module; never one inside a project. */
export function findPython(platform: Platform, module = 'pytest'): Promise<string | null> {
  const all = found.get(platform) ?? new Map<string, Promise<string | null>>();
  found.set(platform, all);
  const known = all.get(module) ?? searchPython(platform, module);
  all.set(module, known);
  return known;
}

/** The same, else any Python there is: to read sources with, not to run them. */
export async function findInterpreter(platform: Platform): Promise<string | null> {
  return (await findPython(platform)) ?? (await findPython(platform, 'sys'));
}

async function searchPython(platform: Platform, module: string): Promise<string | null> {
  for (const file of ['python3', 'python']) {
    const path = await executableOf(platform, file, module);
    if (path !== null) return path;
  }
  return null;
}

/** Where a Python lies that can import a module; null: it cannot, or there is none, which is looked at anew the next time. */
export async function executableOf(platform: Platform, file: string, module: string): Promise<string | null> {
  const known = executables.get(platform) ?? new Map<string, string>();
  executables.set(platform, known);
  const key = `${file} ${module}`;
  const path = known.get(key) ?? (await askForExecutable(platform, file, module));
  if (path !== null) known.set(key, path);
  return path;
}

const executables = new WeakMap<Platform, Map<string, string>>();

async function askForExecutable(platform: Platform, file: string, module: string): Promise<string | null> {
  const { hides } = await platform.sandbox();
  const programs = (platform.env['PATH'] ?? '').split(':').filter(isAbsolute);
  try {
    const result = await platform.processes.run({
      file,
      args: ['-c', `import sys, ${module}; print(sys.executable)`],
      cwd: '/',
      env: { PATH: platform.env['PATH'] ?? '/usr/bin:/bin', HOME: platform.env['HOME'] ?? '/', PYTHONDONTWRITEBYTECODE: '1' },
      sandbox: hides ? { writable: [], hidden: [], programs, network: 'none' } : null,
      timeoutMs: 20_000,
    });
    const path = result.code === 0 ? result.stdout.toString('utf8').trim() : '';
    return path.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
