/**
 * A program of the harness's own beside what serves a room, on a loopback network that they share with nobody else.
 *
 * 1. The program sees nothing of the room and writes nothing that stays; the server sees nothing of the program.
 * 2. Its standard input and output reach the harness, and nobody else's do.
 */
import { dirname, join } from 'node:path';
import type { Platform } from '../../platform/platform.ts';
import type { RunningProcess } from '../../platform/processes.ts';
import type { SandboxSpec } from '../../platform/sandbox.ts';
import { quoted, sideBySide, type SideBySide } from '../../platform/side-by-side.ts';
import type { RunContext } from '../contract.ts';
import { ownPath } from './programs.ts';
import { environmentBeside, type RunFolders } from './room-environment.ts';
import { mustHave } from '../../domain/must-have.ts';

export interface RoomServer {
  /** Shell command; it may stay, or leave the server in the background. */
  start: string;
  /** Every file of the room's tree. */
  paths: readonly string[];
}

/** It sees nothing of the room, and writes what is gone with it: /tmp. */
export interface OwnProgram {
  file: string;
  args: readonly string[];
  /** Programs that it starts. */
  programs: readonly string[];
}

export interface StartedBeside {
  process: RunningProcess;
  /** The server's command ended, and not well. */
  hasFailed(): Promise<boolean>;
  /** The first part of what the server printed. */
  output(): Promise<string>;
}

interface Surroundings {
  sandbox: SandboxSpec;
  at: RunFolders;
  env: Readonly<Record<string, string>>;
}

interface Pair {
  server: RoomServer;
  program: OwnProgram;
}

export async function startProgramBeside(
  platform: Platform,
  context: RunContext,
  { sandbox, at, env }: Surroundings,
  pair: Pair,
): Promise<StartedBeside> {
  const [failedPath, outputPath] = [join(at.folder, 'environment', 'failed'), join(at.folder, 'output')];
  const plan = planOf(context, { sandbox: { ...sandbox, network: 'none' }, at }, pair, failedPath);
  await platform.files.mkdir(dirname(plan.readyPath));
  const together = await sideBySide(await platform.sandbox(), { ...plan, env, outputPath }, ownPath(platform));
  return {
    process: await platform.processes.start({ ...together, env: together.env ?? {}, cwd: at.room, sandbox: null }),
    hasFailed: () => platform.files.exists(failedPath),
    output: async () => (await platform.files.readTextIfExists(outputPath)) ?? '',
  };
}

/** Pure. */
function planOf(
  { settings, view }: RunContext,
  { sandbox, at }: { sandbox: SandboxSpec; at: RunFolders },
  { server, program }: Pair,
  failedPath: string,
): Omit<SideBySide, 'env'> {
  const init = `( ( ${server.start}\n) || : > ${quoted(failedPath)} ) &`;
  const environment = { init, health_check: 'true' };
  const beside = mustHave(
    environmentBeside({ ...settings, environment }, sandbox, at, server.paths),
    'a server starts in a sandbox without the network of this machine',
  );
  const hidden = [...(view?.hidden ?? []), at.room, at.reports, at.supportDirectory, dirname(failedPath)];
  const programs = [...(view?.programs ?? []), ...program.programs];
  return {
    ...beside,
    command: {
      file: program.file,
      args: program.args,
      cwd: '/',
      sandbox: { ...view, hidden, writable: [], programs, network: 'none' },
    },
  };
}
