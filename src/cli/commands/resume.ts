/** `harness resume`: takes a pause back. */
import { EXIT } from '../../domain/reasons.ts';
import { resume } from '../../flows/project/pause.ts';
import type { Command } from '../command.ts';
import { withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const report = await withProject(context, 'resume', resume);
  const next = report.next_feature === null ? '' : ` Feature #${report.next_feature} is next.`;
  context.output.object(
    { paused: false, ...report },
    `${report.was_paused ? `Resumed after session ${report.session}.` : 'The project was not paused.'} Next prompt: ${report.next_prompt}.${next} Start it with: harness run`,
  );
  return { exitCode: EXIT.done };
};
