/** `harness pause`: nothing new starts; a running process stops after its current operation. */
import { EXIT } from '../../domain/reasons.ts';
import { pause } from '../../flows/project/people/pause.ts';
import type { Command } from '../command.ts';

export const run: Command = async ({ platform, root, output, signal }) => {
  const report = await pause(platform, root, { emit: output.emit, command: 'harness pause', signal });
  if (report.kind === 'paused') output.object({ paused: true, running: null }, 'Paused. Continue with: harness resume');
  else
    output.object(
      { paused: true, running: report.holder },
      `${report.holder === null ? 'A running harness' : `Process ${report.holder.pid} (${report.holder.command})`} pauses after its current operation and keeps the state. Continue with: harness resume`,
    );
  return { exitCode: EXIT.done };
};
