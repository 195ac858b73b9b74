/** `harness sync`: brings the GitHub mirror up to date, or shows what that would do. */
import { counted } from '../../domain/counted.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { followPulls } from '../../flows/project/follow.ts';
import { syncProject } from '../../flows/project/mirror.ts';
import { asWriter } from '../../flows/project/open.ts';
import { openProject } from '../../flows/project/project.ts';
import type { MirrorAction, MirrorReport } from '../../kernel/mirror.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { flagOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, root, output, options, asker, signal } = context;
  const preview = flagOption(options, 'dryRun');
  if (flagOption(options, 'follow')) return await follow(context, preview);
  const report = preview
    ? await syncProject(await openProject(platform, root, { emit: output.emit, journal: false }), { preview })
    : await asWriter(platform, root, { emit: output.emit, asker, signal, command: 'harness sync', reopens: false }, (project) =>
        syncProject(project, { preview, thorough: true }),
      );
  if (report.kind === 'failed')
    throw new HarnessError(`The GitHub mirror of ${report.repository} is behind: ${report.message}.`, {
      exitCode: EXIT.partial,
      details: ['Nothing is lost: the next sync catches up.'],
      reasons: [],
    });
  output.object(report, describe(report));
  const asks = report.kind === 'done' && report.actions.some(({ kind }) => kind === 'ask');
  return { exitCode: asks ? EXIT.waiting : EXIT.done };
};

/** Until every pull request of the harness is settled, or `harness stop`. */
async function follow({ platform, root, output, asker, signal }: CommandContext, preview: boolean): Promise<CommandResult> {
  if (preview) throw usageError('--follow and --dry-run cannot be used together.', 'Give one of them.');
  const hold = { emit: output.emit, drained: output.drained, asker, signal, command: 'harness sync --follow' };
  return await asWriter(platform, root, hold, async (project) => {
    if (project.config.github.follow !== true)
      throw usageError(
        'Pull requests are not followed here.',
        'fix: set github.follow: true in $HARNESS_HOME/config.yaml, and do not set it to false in .harness.yaml',
      );
    const { exitCode, outcome, reasons, message } = await followPulls(project, 'settled');
    return { exitCode, outcome, reasons, ...(message === '' ? {} : { message }) };
  });
}

function describe(report: Exclude<MirrorReport, { kind: 'failed' }>): string {
  if (report.kind === 'off') return `There is no GitHub mirror here: ${report.why}.`;
  if (report.actions.length === 0)
    return `The issues of ${report.repository} already match the feature list.${openWords(report.left_open)}`;
  const title = `${counted(report.actions.length, 'change')} ${report.kind === 'planned' ? 'would be made' : 'made'} in ${report.repository}:`;
  return [title, ...report.actions.map((action) => `  ${line(action)}`)].join('\n');
}

function openWords(features: readonly number[]): string {
  if (features.length === 0) return '';
  const names = features.slice(0, 10).map((id) => `#${id}`);
  const more = features.length > names.length ? ` and ${features.length - names.length} more` : '';
  return ` Open although their features pass, because github.close_on_verify is false: ${names.join(', ')}${more}.`;
}

function line(action: MirrorAction): string {
  if (action.kind === 'ask')
    return `issue ${action.issue} is gone (feature #${action.feature}); decide with: harness answer project.issue-gone:${action.feature} OPTION, then harness sync`;
  return action.kind === 'create'
    ? `create an issue for feature #${action.feature}: ${action.title}`
    : `${action.kind} ${action.issue === null ? 'the new issue' : `issue ${action.issue}`} (feature #${action.feature})`;
}
