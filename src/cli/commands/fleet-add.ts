/** `harness fleet add`: this project goes into the fleet; the checkout stays as it is. */
import { EXIT } from '../../domain/reasons.ts';
import { addProject } from '../../fleet/add.ts';
import { connected } from '../../fleet/connect.ts';
import type { Command } from '../command.ts';
import { fleetAddress, projectOption } from '../fleet-address.ts';
import { listOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, root, options, output } = context;
  const name = projectOption(options);
  const addition = {
    name,
    remote: textOption(options, 'remote') ?? '',
    account: textOption(options, 'account') ?? 'default',
    needs: listOption(options, 'needs'),
  };
  const added = await connected(platform, fleetAddress(context), ({ pool }) => addProject({ platform, pool, root }, addition));
  output.object(
    { project: name, ...added },
    `${name} is in the fleet, on branch ${added.branch}. Send it with: harness fleet run --project ${name} --until-done`,
  );
  return { exitCode: EXIT.done };
};
