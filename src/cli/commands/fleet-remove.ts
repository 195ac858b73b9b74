/** `harness fleet remove`: the project's documents come back to files, in the checkout where it is called. */
import { EXIT } from '../../domain/reasons.ts';
import { connected } from '../../fleet/connect.ts';
import { removeProject } from '../../fleet/add.ts';
import type { Command } from '../command.ts';
import { fleetAddress, projectOption } from '../fleet-address.ts';

export const run: Command = async (context) => {
  const { platform, root, options, output } = context;
  const name = projectOption(options);
  const { documents, branch } = await connected(platform, fleetAddress(context), ({ pool }) =>
    removeProject({ platform, pool, root }, name),
  );
  output.object(
    { project: name, branch, documents },
    `${name} is out of the fleet; its ${documents} documents are here. Bring your branch up to date if it is behind: git pull`,
  );
  return { exitCode: EXIT.done };
};
