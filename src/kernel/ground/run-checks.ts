/**
 * Commands over a tree in a clean room: dependencies by the harness, sandbox, limits and environment as for test runs.
 * They share the room and run in order, so that a test finds what the build made. A command that fails does not stop the others.
 */
import { join } from 'node:path';
import { runRoomCommands } from '../../verify/run/room-command.ts';
import type { Place } from '../place.ts';
import { sandboxView } from '../../workspace/sandbox-policy.ts';
import { inTurn } from '../flight/in-turn.ts';
import { itemAt } from '../../domain/items.ts';

export interface RoomCheck {
  name: string;
  command: string;
  timeoutMs: number;
}

export interface RoomCheckResult {
  name: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  timedOut: boolean;
  /** The end of what it printed. */
  output: string;
  durationMs: number;
}

const ROOM = 'checks';

/** Rejects with the signal's reason when the user interrupts, and with exit 6 when the dependencies cannot be installed. */
export function runInRoom(place: Place, input: { tree: string; commands: readonly RoomCheck[] }): Promise<RoomCheckResult[]> {
  const { platform, config, trees, rooms, harnessHome, signal } = place;
  return inTurn(`room ${place.home.root}`, async () => {
    const results = await runRoomCommands(platform, {
      settings: config,
      trees,
      rooms,
      scratch: join(harnessHome, 'scratch'),
      view: sandboxView(platform, place),
      signal,
      tree: input.tree,
      room: ROOM,
      commands: input.commands,
    });
    return results.map((result, at) => ({
      name: itemAt(input.commands, at).name,
      exitCode: result.timed_out ? null : result.exit_code,
      timedOut: result.timed_out,
      output: result.output_tail,
      durationMs: Math.round(result.duration_ms),
    }));
  });
}
