/** `harness init`: from a document through an agent, or from a feature list of one's own. */
import { join } from 'node:path';
import { checkAgentCommand, loadUserSettings, userAgent } from '../../config/user-settings.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { initFromFeatures, type InitReport } from '../../flows/project/init/from-features.ts';
import { initFromSpec } from '../../flows/project/init/from-spec.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { describeAdoption, nothingRuns } from '../adoption-lines.ts';
import { textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, cwd, options, output, asker, signal } = context;
  const spec = textOption(options, 'spec');
  const features = textOption(options, 'features');
  if ((spec === null) === (features === null)) {
    throw usageError(
      'harness init takes either --spec FILE or --features FILE.',
      'From a description, through an agent: harness init --spec FILE',
      'Adopt this repository with a list of your own: harness init --features FILE',
    );
  }
  const shared = {
    ...(await agentOf(context)),
    emit: output.emit,
    command: 'harness init',
    commitLock: textOption(options, 'lock') === 'commit',
  };
  const report =
    features === null
      ? await initFromSpec(platform, cwd, { ...shared, spec: spec!, signal, asker })
      : await initFromFeatures(platform, cwd, { ...shared, file: features, asker });
  for (const line of created(report)) output.note(line);
  if (features !== null && report.look.nothing !== null) throw nothingRuns(report.look.nothing, features);
  for (const line of describe(report)) output.note(line);
  const waits = 'waiting_for' in report && typeof report.waiting_for === 'string';
  const result: CommandResult = waits
    ? { exitCode: EXIT.waiting, outcome: 'needs_human', reasons: ['gate.pending'] }
    : { exitCode: EXIT.done, outcome: 'complete', reasons: [] };
  if (report.commit !== null) result.commit = report.commit;
  return result;
};

/** What the command names; for a project without settings, else the agent of the user's own. */
async function agentOf({ platform, cwd, options }: CommandContext): Promise<{ agent: string | null; agentCommand: string | null }> {
  const [agent, agentCommand] = [textOption(options, 'agent'), textOption(options, 'agentCommand')];
  checkAgentCommand(agentCommand);
  if (agent !== null || agentCommand !== null || (await platform.files.exists(join(cwd, '.harness.yaml')))) return { agent, agentCommand };
  const { backend, command } = userAgent(await loadUserSettings(platform));
  return { agent: backend ?? null, agentCommand: command ?? null };
}

function created(report: InitReport): string[] {
  return [
    ...(report.created.length > 0 ? [`Created: ${report.created.join(', ')}`] : ['Everything was in place already.']),
    ...(report.commit === null ? [] : [`Commit:  ${report.commit.slice(0, 12)}`]),
  ];
}

function describe(report: InitReport): string[] {
  return [
    `Features: ${report.features}. Baseline: ${report.passing} of ${report.tests} tests pass (${report.runner}).`,
    ...('lock' in report && typeof report.lock === 'string' ? [report.lock] : []),
    ...describeAdoption(report.look),
    'Next: harness run --dry-run to see the first session, harness run to start it.',
  ];
}
