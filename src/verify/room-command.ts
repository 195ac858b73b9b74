/** One shell command of the trusted settings over one tree, in the same surroundings as a test run: lint, type checks, sanity. */
import type { Platform } from '../platform/platform.ts';
import type { RunContext } from './contract.ts';
import { tailOf } from './plain-text.ts';
import { withRunSpace } from './run-space.ts';

interface RoomCommandInput extends RunContext {
  tree: string;
  command: string;
  room?: string;
}

interface RoomCommandResult {
  exit_code: number | null;
  timed_out: boolean;
  output_tail: string;
  sandboxed: boolean;
}

const TAIL_CHARACTERS = 8_000;

export async function runRoomCommand(platform: Platform, input: RoomCommandInput): Promise<RoomCommandResult> {
  const room = await input.rooms.prepare(input.tree, { name: input.room ?? 'judge' });
  const result = await withRunSpace(platform, input, room, (space) => space.run('/bin/sh', ['-c', input.command]));
  input.signal?.throwIfAborted();
  const output = `${result.stdout.toString('utf8')}\n${result.stderr.toString('utf8')}`;
  return { exit_code: result.code, timed_out: result.timedOut, output_tail: tailOf(output, TAIL_CHARACTERS), sandboxed: result.sandboxed };
}
