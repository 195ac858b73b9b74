/** `harness handoff`: a person takes the wheel. */
import { EXIT } from '../../domain/reasons.ts';
import { handOff } from '../../flows/project/people/handoff.ts';
import type { Command } from '../command.ts';
import { withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const report = await withProject(context, 'handoff', handOff);
  const lines = [
    report.already
      ? `The project has been in your hands since ${report.since}.`
      : 'The project is in your hands: the harness starts nothing until you give it back.',
    `  ${report.features.passing} of ${report.features.total} features pass; the branch stands at ${report.head.slice(0, 12)}.`,
    ...(report.in_progress === null
      ? []
      : [`  Feature #${report.in_progress.feature} is unfinished; its work is kept. To start from it: ${report.in_progress.get}`]),
    'Commit your work, then: harness takeback',
  ];
  context.output.object(report, lines.join('\n'));
  return { exitCode: EXIT.done };
};
