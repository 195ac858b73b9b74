/** `harness mission grant NAME`: lets a mission pass a checkpoint. */
import { EXIT } from '../../domain/reasons.ts';
import { grantCheckpoint } from '../../flows/mission/people/grant.ts';
import type { Command } from '../command.ts';
import { requested } from '../wheel.ts';

export const run: Command = async (context) => {
  const { platform, root, output, args, asker, signal } = context;
  const name = args[0] ?? '';
  const granted = await grantCheckpoint(platform, root, name, { emit: output.emit, asker, signal });
  if (granted.kind === 'requested') return requested(context, granted, { granted: name });
  output.object(
    { granted: name, waited: granted.waited },
    `${name} is granted. ${granted.waited ? 'Go on with: harness mission run' : 'The mission does not wait for it now.'}`,
  );
  return { exitCode: EXIT.done };
};
