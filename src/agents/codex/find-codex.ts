/** Where the Codex program lies on this machine, and how to get it. */
import { join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import { findOnPath, findPackage } from '../installed.ts';

const CODEX_PACKAGE = '@openai/codex';
export const INSTALL_COMMAND = `npm install --global ${CODEX_PACKAGE}@0.166.0`;

export interface FoundCodex {
  /** null: not known without starting it. */
  version: string | null;
  file: string;
  args: string[];
}

/** The package's starter is run by this Node, so that it needs no other; the program on the PATH comes first, being the user's choice. */
export async function findCodex(platform: Platform): Promise<FoundCodex | null> {
  const own = await findOnPath(platform, platform.env['PATH'], 'codex');
  if (own !== null) return { version: null, file: own, args: [] };
  const installed = await findPackage(platform, 'codex', CODEX_PACKAGE);
  return installed === null
    ? null
    : { version: installed.version, file: process.execPath, args: [join(installed.folder, 'bin', 'codex.js')] };
}

export async function codexVersion(platform: Platform, found: FoundCodex): Promise<string | null> {
  if (found.version !== null) return found.version;
  const env = Object.fromEntries(
    ['PATH', 'HOME'].flatMap((name) => (platform.env[name] === undefined ? [] : [[name, platform.env[name]]])),
  );
  const asked = await platform.processes
    .run({ file: found.file, args: [...found.args, '--version'], cwd: '/', env, timeoutMs: 10_000 })
    .catch(() => null);
  return asked?.code === 0 ? (/\d+\.\d+\.\d+\S*/.exec(asked.stdout.toString('utf8'))?.[0] ?? null) : null;
}
