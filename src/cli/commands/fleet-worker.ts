/** `harness fleet worker`: this machine takes drives of the fleet until it is asked to end. */
import { hostname } from 'node:os';
import { EXIT } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { ownLabels } from '../../fleet/labels.ts';
import { work } from '../../fleet/worker.ts';
import type { Command } from '../command.ts';
import { fleetAddress } from '../fleet-address.ts';
import { listOption, numberOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, options, output, signal } = context;
  const slots = numberOption(options, 'slots') ?? 1;
  const own = await ownLabels(platform);
  const warn = (message: string): void => output.emit({ type: 'warning', message });
  await connected(platform, { ...fleetAddress(context), connections: 3 }, (connection) =>
    work(platform, connection, {
      name: textOption(options, 'name') ?? hostname(),
      slots,
      labels: [...own, ...listOption(options, 'label')],
      signal,
      ...pace(platform.env),
      warn,
      emit: () => output.emit,
      ready: (id) => output.emit({ type: 'progress', message: `worker ${id} takes work: ${slots} at the same time` }),
    }),
  );
  return { exitCode: EXIT.done, message: 'The worker has left the fleet.' };
};

/** For tests, and for machines that sleep often: how soon it beats, and after how long one that does not is dead. The same on all of them. */
function pace(env: Readonly<Record<string, string | undefined>>): { beatMs?: number; timeoutMs?: number } {
  const [beatMs, timeoutMs] = [Number(env['HARNESS_FLEET_BEAT_MS']), Number(env['HARNESS_FLEET_TIMEOUT_MS'])];
  return beatMs > 0 && timeoutMs >= 4 * beatMs ? { beatMs, timeoutMs } : {};
}
