/** `harness fleet status`: machines, projects and what is queued. */
import { EXIT } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { describeFleet, fleetStatus } from '../../fleet/fleet-status.ts';
import type { Command } from '../command.ts';
import { fleetAddress } from '../fleet-address.ts';

export const run: Command = async (context) => {
  const status = await connected(context.platform, fleetAddress(context), ({ pool }) => fleetStatus(pool));
  context.output.object(status, describeFleet(status));
  return { exitCode: EXIT.done };
};
