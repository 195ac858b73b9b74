/** `harness mission run`: from a specification to proved claims; or a look at what it would do next. */
import { EXIT } from '../../domain/reasons.ts';
import { transition } from '../../flows/mission/machine/transition.ts';
import { openMission, readSpec, rulesOf } from '../../flows/mission/open.ts';
import { previewMission, type MissionPreview } from '../../flows/mission/people/status.ts';
import { runMission } from '../../flows/mission/run.ts';
import { usageError } from '../../domain/errors.ts';
import { openPlace } from '../../kernel/place.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { missionSummaryLines } from '../summary-lines.ts';
import { flagOption, lanesOption, numberOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, root, options, output, asker, signal } = context;
  const maxIterations = numberOption(options, 'maxIterations');
  if (maxIterations !== null && (!Number.isInteger(maxIterations) || maxIterations < 1))
    throw usageError(`--max-iterations takes a whole number of at least 1, not ${maxIterations}.`);
  const mission = { spec: textOption(options, 'spec'), lanes: lanesOption(options), maxIterations };
  if (flagOption(options, 'dryRun')) return await preview(context, mission);
  const report = await runMission(platform, root, {
    emit: output.emit,
    drained: output.drained,
    asker,
    signal,
    mission,
    told: (summary) => output.note(['', ...missionSummaryLines(summary), ''].join('\n')),
  });
  const { exitCode, outcome, reasons, message, commit } = report;
  return { exitCode, outcome, reasons, ...(message === '' ? {} : { message }), ...(commit === null ? {} : { commit }) };
};

async function preview(
  { platform, root, output }: CommandContext,
  wish: Parameters<typeof rulesOf>[1] & { spec: string | null },
): Promise<CommandResult> {
  const place = await openPlace(platform, root, { emit: output.emit, journal: false, needs: 'project' });
  const known = await place.documents.read('mission', { writer: false });
  const spec = await readSpec(place, wish.spec, known);
  const rules = rulesOf(place, wish);
  const shown = await previewMission(place, transition(await openMission(place, spec, known), { type: 'reopened' }, rules), rules);
  if (output.json) output.emit({ type: 'mission.preview', ...shown });
  else output.line(null, describe(shown));
  return { exitCode: EXIT.done, outcome: 'complete', reasons: [], message: 'dry run: nothing was changed' };
}

function describe({ stage, iteration, step, decision, role, model, backend, budget }: MissionPreview): string {
  return [
    `The mission is ${stage}.`,
    `  next:     ${decision ?? step ?? 'nothing: it waits for a person, or is done'}${decision === null ? '' : ` (iteration ${iteration})`}`,
    ...(role === null ? [] : [`  who:      ${role}, ${backend}${model === null || model === '' ? '' : `, model ${model}`}`]),
    `  budget:   $${budget.session_usd.toFixed(2)} for a session, $${budget.project_left_usd.toFixed(2)} left for the project`,
    '',
  ].join('\n');
}
