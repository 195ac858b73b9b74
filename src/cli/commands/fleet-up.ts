/** `harness fleet up`: the database of a fleet, made ready once. */
import { EXIT } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { setUp } from '../../fleet/up.ts';
import type { Command } from '../command.ts';
import { fleetAddress } from '../fleet-address.ts';

export const run: Command = async (context) => {
  const { platform, output } = context;
  const { applied, settings } = await connected(platform, fleetAddress(context), (connection) => setUp(platform, connection));
  output.object(
    { applied, settings },
    [
      applied.length === 0 ? 'The database of the fleet is ready; nothing had to be changed.' : 'The database of the fleet is ready.',
      `Its address is in ${settings}, readable by you alone.`,
      '',
      'Put a project in, in its checkout:  harness fleet add --project NAME --remote URL',
      'On every machine that works:        HARNESS_FLEET_URL=… harness fleet worker',
      'Send the project:                   harness fleet run --project NAME --until-done',
    ].join('\n'),
  );
  return { exitCode: EXIT.done };
};
