/** Shell commands of the trusted settings over one tree, in the same surroundings as a test run: build, lint, type checks, sanity. */
import type { Platform } from '../../platform/platform.ts';
import type { RunContext } from '../contract.ts';
import { tailOf } from './plain-text.ts';
import { withRunSpace } from './run-space.ts';

interface RoomInput extends RunContext {
  tree: string;
  room?: string;
}

interface RoomCommandResult {
  exit_code: number | null;
  timed_out: boolean;
  output_tail: string;
  duration_ms: number;
  sandboxed: boolean;
}

const TAIL_CHARACTERS = 8_000;

export async function runRoomCommand(platform: Platform, input: RoomInput & { command: string }): Promise<RoomCommandResult> {
  const [result] = await runRoomCommands(platform, { ...input, commands: [{ command: input.command }] });
  return result!;
}

/** One after the other in the same room: what one makes, such as a build, the next one finds. All run, whatever the others came to. */
export async function runRoomCommands(
  platform: Platform,
  input: RoomInput & { commands: readonly { command: string; timeoutMs?: number }[] },
): Promise<RoomCommandResult[]> {
  const room = await input.rooms.prepare(input.tree, { name: input.room ?? 'judge' });
  return await withRunSpace(platform, input, room, async (space) => {
    const results: RoomCommandResult[] = [];
    for (const { command, timeoutMs } of input.commands) {
      const { code, timedOut, stdout, stderr, durationMs, sandboxed } = await space.run('/bin/sh', ['-c', command], {}, timeoutMs);
      input.signal?.throwIfAborted();
      const output = `${stdout.toString('utf8')}\n${stderr.toString('utf8')}`;
      results.push({
        exit_code: code,
        timed_out: timedOut,
        output_tail: tailOf(output, TAIL_CHARACTERS),
        duration_ms: durationMs,
        sandboxed,
      });
    }
    return results;
  });
}
