/** Shell commands of the trusted settings over one tree, in the same surroundings as a test run: build, lint, type checks, sanity. */
import type { Room } from '../../domain/tree.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RunContext } from '../contract.ts';
import { tailOf } from './plain-text.ts';
import { inTurn } from './room-turns.ts';
import { withRunSpace, type RunSpace } from './run-space.ts';
import { mustHave } from '../../domain/must-have.ts';

interface RoomInput extends RunContext {
  tree: string;
  room?: string;
  /** In a place that does not say that it is a room, where there is one. */
  isElsewhere?: boolean;
}

export interface RoomCommandResult {
  exit_code: number | null;
  timed_out: boolean;
  /** Everything it printed, as far as it was kept, with paths as a person has them. */
  output: string;
  output_tail: string;
  duration_ms: number;
  sandboxed: boolean;
}

const TAIL_CHARACTERS = 8_000;

interface RoomCommand {
  command: string;
  timeoutMs?: number;
  /** Beside the variables of the room. */
  env?: Readonly<Record<string, string>>;
  /** With the project's environment brought up beside it, where the settings have one. */
  beside?: boolean;
}

/** npx fails at once instead of waiting for a registry out of reach. */
const WITHOUT_NETWORK = { npm_config_offline: 'true' };

export async function runRoomCommand(platform: Platform, input: RoomInput & RoomCommand): Promise<RoomCommandResult> {
  const { command, beside = false } = input;
  const env = input.settings.verification.network === 'host' ? {} : WITHOUT_NETWORK;
  const [result] = await runRoomCommands(platform, { ...input, commands: [{ command, beside, env }] });
  return mustHave(result, 'each command has a result');
}

/** One after the other in the same room: what one makes, such as a build, the next one finds. All run, whatever the others came to. */
export async function runRoomCommands(
  platform: Platform,
  input: RoomInput & { commands: readonly RoomCommand[] },
): Promise<RoomCommandResult[]> {
  const name = input.room ?? 'judge';
  return await inTurn(input.rooms, name, async () => await runInRoom(platform, input, await input.rooms.prepare(input.tree, { name })));
}

async function runInRoom(
  platform: Platform,
  input: RoomInput & { commands: readonly RoomCommand[] },
  room: Room,
): Promise<RoomCommandResult[]> {
  const run = async (space: RunSpace): Promise<RoomCommandResult[]> => {
    const results: RoomCommandResult[] = [];
    for (const { command, timeoutMs, env = {}, beside = false } of input.commands) {
      const { result, problem } = beside
        ? await space.runBeside({ file: '/bin/sh', args: ['-c', command], env, paths: await pathsOf(input) })
        : { result: await space.run('/bin/sh', ['-c', command], env, timeoutMs), problem: null };
      const { code, timedOut, stdout, stderr, durationMs, sandboxed } = result;
      input.signal?.throwIfAborted();
      const printed = `${stdout.toString('utf8')}\n${stderr.toString('utf8')}${problem === null ? '' : `\n${problem}`}`;
      const output = printed.replaceAll(`${space.seen}/`, '');
      results.push({
        exit_code: problem === null ? code : code || null,
        timed_out: timedOut,
        output,
        output_tail: tailOf(output, TAIL_CHARACTERS),
        duration_ms: durationMs,
        sandboxed,
      });
    }
    return results;
  };
  return await withRunSpace(platform, input, room, run, input.isElsewhere);
}

async function pathsOf(input: RoomInput): Promise<string[]> {
  return (await input.trees.list(input.tree)).map((entry) => entry.path);
}
