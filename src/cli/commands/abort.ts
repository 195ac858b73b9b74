/** `harness abort`: ends all work here and sets the state aside; commits stay. */
import { join } from 'node:path';
import { CONFIG_FILE } from '../../config/read-config.ts';
import { EXIT } from '../../domain/reasons.ts';
import { clearState, confirmAbort } from '../../flows/project/people/abort.ts';
import { flightsOf } from '../../flows/project/machine/lanes.ts';
import { reopen } from '../../flows/project/open.ts';
import { openProject } from '../../flows/project/project.ts';
import { holdPlace } from '../../kernel/hold-place.ts';
import { openPlace, type Place } from '../../kernel/place.ts';
import { stopHolder } from '../../kernel/stop.ts';
import type { Command, CommandContext } from '../command.ts';
import { waiting, withProject } from '../wheel.ts';

const TIMEOUT_MS = 60_000;

/** Asked before anything is stopped: a running process goes on until the answer is yes. Work that a crash cut off is kept, and nothing is judged. */
export const run: Command = async (context) => {
  const { platform, store, output } = context;
  const { place, isProject } = await findWork(context);
  const confirmed = await confirmAbort(place, context.asker);
  if (confirmed === 'pending') return waiting(context, 'project.abort', { aborted: false });
  if (confirmed === 'no') {
    output.object({ aborted: false }, 'Nothing was aborted.');
    return { exitCode: EXIT.done };
  }
  const { stopped } = await stopHolder(platform, store, TIMEOUT_MS);
  const report = isProject ? await endProject(context) : await endSession(context);
  output.object(
    { aborted: true, stopped, kept: report.kept, undo: report.undo },
    `All work here has ended. Commits stay; the state is kept in ${report.kept}.\nTo undo: ${report.undo}`,
  );
  return { exitCode: EXIT.done };
};

/** A project, or the session of a workflow or spec where there is none. */
async function findWork({ platform, root, output }: CommandContext): Promise<{ place: Place; isProject: boolean }> {
  const options = { emit: output.emit, journal: false } as const;
  if (!(await platform.files.exists(join(root, CONFIG_FILE)))) {
    const place = await openPlace(platform, root, options);
    if (await place.documents.has('session')) return { place, isProject: false };
  }
  return { place: await openProject(platform, root, options), isProject: true };
}

function endProject(context: CommandContext): ReturnType<typeof clearState> {
  return withProject(
    context,
    'abort',
    async (held, state) => {
      if (flightsOf(state).some(({ phase }) => phase === 'working')) await reopen(held, state);
      return await clearState(held);
    },
    { reopens: false },
  );
}

function endSession({ platform, root, output, asker, signal }: CommandContext): ReturnType<typeof clearState> {
  return holdPlace(platform, root, { emit: output.emit, asker, signal, command: 'harness abort', quick: true }, clearState);
}
