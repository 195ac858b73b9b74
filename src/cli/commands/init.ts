/** `harness init`: from a document through an agent, or from a feature list of one's own; at a terminal it asks which. */
import { join } from 'node:path';
import { checkAgentCommand, loadUserSettings, userAgent } from '../../config/user-settings.ts';
import { usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import { initFromFeatures, type InitReport } from '../../flows/project/init/from-features.ts';
import { initFromSpec } from '../../flows/project/init/from-spec.ts';
import { rememberProject } from '../../reading/known-projects.ts';
import type { Command, CommandContext, CommandResult } from '../command.ts';
import { describeAdoption, describeTrials, nothingRuns } from '../adoption-lines.ts';
import { textOption } from '../options.ts';
import { mustHave } from '../../domain/must-have.ts';

export const run: Command = async (context) => {
  const { platform, cwd, options, output, asker, signal } = context;
  const given = { spec: textOption(options, 'spec'), features: textOption(options, 'features') };
  const named = await agentOf(context);
  const isAsked = given.spec === null && given.features === null && context.interactive && !output.json;
  const asked = isAsked ? await (await import('../init-wizard.ts')).askForSetUp(context, namedOf(context)) : null;
  const { spec, features } = asked ?? given;
  if ((spec === null) === (features === null)) {
    throw usageError(
      'harness init takes either --spec FILE or --features FILE.',
      'Let an agent turn a description into features: harness init --spec FILE',
      'Adopt this repository with your own feature list: harness init --features FILE',
      'At a terminal, harness init alone asks for what it needs.',
    );
  }
  const shared = {
    ...(asked === null ? named : { agent: asked.agent, agentCommand: asked.agentCommand }),
    emit: output.emit,
    command: 'harness init',
    commitLock: textOption(options, 'lock') === 'commit',
  };
  output.note('Trying tests and checks in a clean room. This takes a few times as long as your test suite.');
  const report =
    features === null
      ? await initFromSpec(platform, cwd, { ...shared, spec: mustHave(spec, 'init has a spec or a feature list'), signal, asker })
      : await initFromFeatures(platform, cwd, { ...shared, file: features, testCommand: asked?.testCommand ?? null, asker });
  await rememberProject(platform, cwd);
  for (const line of created(report)) output.note(line);
  if (features !== null && report.look.nothing !== null) throw nothingRuns(report.look, features);
  for (const line of describe(report)) output.note(line);
  const waits = 'waiting_for' in report && typeof report.waiting_for === 'string';
  const result: CommandResult = waits
    ? { exitCode: EXIT.waiting, outcome: 'needs_human', reasons: ['gate.pending'] }
    : { exitCode: EXIT.done, outcome: 'complete', reasons: [] };
  if (report.commit !== null) result.commit = report.commit;
  return result;
};

/** What the command names; for a project without settings, else the agent of the user's own. */
async function agentOf(context: CommandContext): Promise<{ agent: string | null; agentCommand: string | null }> {
  const { platform, cwd } = context;
  const { agent, agentCommand } = namedOf(context);
  checkAgentCommand(agentCommand);
  if (agent !== null || agentCommand !== null || (await platform.files.exists(join(cwd, '.harness.yaml')))) return { agent, agentCommand };
  const { backend, command } = userAgent(await loadUserSettings(platform));
  return { agent: backend ?? null, agentCommand: command ?? null };
}

function namedOf({ options }: CommandContext): { agent: string | null; agentCommand: string | null } {
  return { agent: textOption(options, 'agent'), agentCommand: textOption(options, 'agentCommand') };
}

function some(paths: readonly string[]): string {
  return `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`;
}

function created(report: InitReport): string[] {
  return [
    report.created.length > 0
      ? `Committed ${report.commit?.slice(0, 12) ?? 'nothing'}: ${report.created.join(', ')}`
      : 'Settings already exist.',
  ];
}

function describe(report: InitReport): string[] {
  const { features, passing, tests, runner, look, trials, modified } = report;
  const skipped = look.run.tests.filter(({ status }) => status === 'skipped' || status === 'todo').length;
  return [
    `Features: ${features}. Baseline: ${passing} of ${tests} tests pass${skipped === 0 ? '' : `, ${skipped} skipped`} (${runner}).`,
    ...('lock' in report && typeof report.lock === 'string' ? [report.lock] : []),
    ...describeAdoption(look),
    ...describeTrials(trials),
    ...(modified.length === 0
      ? []
      : [`Modified tracked files: ${some(modified)}. Commit or stash them first, or set git.on_dirty: stash in .harness.yaml.`]),
    'Next: harness run --dry-run to see the first session, harness run to start it.',
  ];
}
