/** `harness abort`: ends all work here and sets the state aside; commits stay. */
import { EXIT } from '../../domain/reasons.ts';
import { clearState, confirmAbort } from '../../flows/project/people/abort.ts';
import { flightsOf } from '../../flows/project/machine/lanes.ts';
import { reopen } from '../../flows/project/open.ts';
import { openProject } from '../../flows/project/project.ts';
import { stopHolder } from '../../kernel/stop.ts';
import type { Command } from '../command.ts';
import { waiting, withProject } from '../wheel.ts';

const TIMEOUT_MS = 60_000;

/** Asked before anything is stopped: a running process goes on until the answer is yes. Work that a crash cut off is kept, and nothing is judged. */
export const run: Command = async (context) => {
  const { platform, root, store, output } = context;
  const project = await openProject(platform, root, { emit: output.emit, journal: false });
  const confirmed = await confirmAbort(project, context.asker);
  if (confirmed === 'pending') return waiting(context, 'project.abort', { aborted: false });
  if (confirmed === 'no') {
    output.object({ aborted: false }, 'Nothing was aborted.');
    return { exitCode: EXIT.done };
  }
  const { stopped } = await stopHolder(platform, store, TIMEOUT_MS);
  const report = await withProject(
    context,
    'abort',
    async (held, state) => {
      if (flightsOf(state).some(({ phase }) => phase === 'working')) await reopen(held, state);
      return await clearState(held);
    },
    { reopens: false },
  );
  output.object(
    { aborted: true, stopped, kept: report.kept, undo: report.undo },
    `All work here has ended. Commits stay; the state is kept in ${report.kept}.\nTo undo: ${report.undo}`,
  );
  return { exitCode: EXIT.done };
};
