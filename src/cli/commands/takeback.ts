/** `harness takeback`: a person's commits are looked at, judged and offered; then the harness goes on. */
import { testsPassing } from '../../domain/counted.ts';
import { EXIT } from '../../domain/reasons.ts';
import { namesOfFiles } from '../../domain/test-files.ts';
import { notLookedAt, takeBack, type TakebackReport } from '../../flows/project/people/takeback.ts';
import type { Command } from '../command.ts';
import { waiting, withProject } from '../wheel.ts';

export const run: Command = async (context) => {
  const { asker, signal } = context;
  const report = await withProject(context, 'takeback', (project, state) => takeBack(project, state, { asker, signal, noCache: false }));
  if (report.waiting_for !== null) return waiting(context, report.waiting_for, report);
  context.output.object(report, describe(report));
  return { exitCode: EXIT.done };
};

function describe(report: TakebackReport): string {
  const recorded = report.checked.filter((row) => row.recorded).map((row) => `#${row.feature}`);
  return [
    `Found ${report.commits.length} new commit${report.commits.length === 1 ? '' : 's'}${report.rewritten ? ' (the history was rewritten)' : ''}.`,
    ...notLookedAt(report),
    ...report.checked.map(
      (row) => `  feature #${row.feature}: ${namesOfFiles([row.test_file].flat())} ${outcome(row)}${row.recorded ? ', recorded' : ''}`,
    ),
    ...(recorded.length === 0 ? [] : [`Recorded as passing: ${recorded.join(', ')}.`]),
    ...(report.set_back.length === 0 ? [] : [`Open again, because their tests fail: ${report.set_back.map((id) => `#${id}`).join(', ')}.`]),
    ...(report.baseline === null ? [] : [`Baseline: ${testsPassing(report.baseline.passing, report.baseline.total)}.`]),
    'The harness is in charge again. Continue with: harness run',
  ].join('\n');
}

function outcome({ test_file, passed }: TakebackReport['checked'][number]): string {
  const isOne = [test_file].flat().length === 1;
  if (passed) return isOne ? 'passes' : 'pass';
  return isOne ? 'does not pass yet' : 'do not pass yet';
}
