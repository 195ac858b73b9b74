/** `harness stop`: ends a running harness process of this project. */
import { EXIT } from '../../domain/reasons.ts';
import { stopHolder } from '../../kernel/stop.ts';
import type { Command } from '../command.ts';

const TIMEOUT_MS = 60_000;

export const run: Command = async ({ platform, store, output }) => {
  const { stopped } = await stopHolder(platform, store, TIMEOUT_MS);
  output.object(
    { stopped },
    stopped === null ? 'No harness process runs here.' : `Process ${stopped.pid} (${stopped.command}) has ended; its state is saved.`,
  );
  return { exitCode: EXIT.done };
};
