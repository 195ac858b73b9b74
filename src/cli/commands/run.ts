/** `harness run`: one session, or several, or a preview. */
import { usageError } from '../../domain/errors.ts';
import { TimeSchema } from '../../domain/hours.ts';
import { EXIT } from '../../domain/reasons.ts';
import { namesOfFiles } from '../../domain/test-files.ts';
import { dryRun, type DryRun } from '../../flows/project/look/dry-run.ts';
import { asWriter } from '../../flows/project/open.ts';
import { readPast } from '../../flows/project/look/past.ts';
import { summarise } from '../../flows/project/look/summary.ts';
import { openProject, type Project } from '../../flows/project/project.ts';
import { run as runSessions } from '../../flows/project/run.ts';
import type { RunReport } from '../../flows/project/machine/run-report.ts';
import { isoNow } from '../../platform/platform.ts';
import type { Command, CommandContext, CommandResult, OptionValues } from '../command.ts';
import { flagOption, lanesOption, numberOption, textOption } from '../options.ts';
import { summaryLines } from '../summary-lines.ts';

export const run: Command = async (context) => {
  const { options } = context;
  const sessions = numberOption(options, 'sessions');
  if (sessions !== null && (!Number.isInteger(sessions) || sessions < 1))
    throw usageError(`--sessions takes a whole number of at least 1, not ${sessions}.`);
  if (sessions !== null && flagOption(options, 'untilDone'))
    throw usageError('--sessions and --until-done cannot be used together.', 'Give one of them.');
  const maintains = flagOption(options, 'maintain');
  if (maintains && (sessions !== null || flagOption(options, 'dryRun')))
    throw usageError('--maintain cannot be used together with --sessions or --dry-run.', 'Give it alone, or with --until-done.');
  const lanes = lanesOption(options);
  if (flagOption(options, 'dryRun')) return await preview(context);
  return await runProject(context, {
    sessions: flagOption(options, 'untilDone') ? Number.POSITIVE_INFINITY : (sessions ?? (maintains ? 0 : (lanes ?? 1))),
    cleanup: false,
    lanes,
    maintains,
    until: untilOption(options),
  });
};

function untilOption(options: OptionValues): string | null {
  const until = textOption(options, 'until');
  if (until === null || TimeSchema.safeParse(until).success) return until;
  throw usageError(`--until takes a time of day such as 07:00, not ${until}.`);
}

/** Shared with `harness cleanup`. */
export async function runProject(
  context: CommandContext,
  wish: { sessions: number; cleanup: boolean; lanes?: number | null; maintains?: boolean; until?: string | null },
): Promise<CommandResult> {
  const { platform, root, output, asker, signal, options } = context;
  // Every session asks for it; finding out takes a process, and meanwhile the project is opened.
  void platform.sandbox();
  const hold = { emit: output.emit, drained: output.drained, asker, signal, command: `harness ${wish.cleanup ? 'cleanup' : 'run'}` };
  const report = await asWriter(platform, root, hold, async (project, state) => {
    output.setBudget(project.config.costs.per_session_usd);
    const began = isoNow(platform.clock);
    const lanes = wish.sessions > 1 ? (wish.lanes ?? project.config.lanes.max) : 1;
    const ended = await runSessions(project, state, { ...wish, lanes, noCache: options['cache'] === false });
    if (wish.sessions > 1) await tellSummary(project, output, began);
    return ended;
  });
  return toResult(report);
}

/** What the whole run came to, after the last of its sessions. */
async function tellSummary(project: Project, output: CommandContext['output'], since: string): Promise<void> {
  await project.journal?.flush();
  const summary = summarise(await readPast(project), since);
  if (summary.sessions === 0 && summary.commits.length === 0) return;
  output.emit({ type: 'run.summary', summary });
  output.note(['', ...summaryLines(summary), ''].join('\n'));
}

function toResult(report: RunReport): CommandResult {
  const result: CommandResult = { exitCode: report.exitCode, outcome: report.outcome, reasons: report.reasons };
  if (report.session !== null) result.session = report.session;
  if (report.feature !== null) result.feature = report.feature;
  if (report.commit !== null) result.commit = report.commit;
  if (report.message !== '') result.message = report.message;
  return result;
}

async function preview(context: CommandContext): Promise<CommandResult> {
  const { platform, root, output, asker } = context;
  const project: Project = await openProject(platform, root, { emit: output.emit, journal: false });
  const plan = await dryRun(project, { cleanup: false, answers: asker });
  if (output.json) output.emit({ type: 'run.preview', ...plan });
  else output.line(null, describe(plan));
  return { exitCode: EXIT.done, outcome: 'complete', reasons: [], message: 'dry run: nothing was changed' };
}

function whyNone({ kind, ends, asks }: DryRun): string[] {
  if (asks === null) return [`The next run would start no session: ${ends ?? WITHOUT_SESSION[kind] ?? kind}.`];
  return [
    'The next run would start no session before this is answered:',
    ...asks.question.split('\n').map((line) => `  ${line}`),
    `  options: ${asks.options.join(' · ')}`,
    `  answer with: harness answer ${asks.id} <option>`,
  ];
}

const WITHOUT_SESSION: Readonly<Record<string, string>> = {
  complete: 'every feature passes',
  exhausted: 'only skipped and blocked features are left (harness status names what they wait for)',
  waiting: 'the questions that wait come first (harness gates)',
  paused: 'the project is paused (harness resume)',
  handoff: 'you have the working tree (harness takeback)',
  escalated: 'a decision is needed first (harness gates)',
};

function describe(plan: DryRun): string {
  const first = plan.first.map((what) => `First: ${what}.`);
  if (plan.kind !== 'session') return [...first, ...whyNone(plan)].join('\n');
  return [
    ...first,
    `Would run session ${plan.session} with:`,
    `  prompt type: ${plan.prompt}`,
    `  feature:     ${plan.feature === null ? 'none' : `#${plan.feature.id} (${plan.feature.description})`}`,
    ...(plan.feature === null ? [] : [`  test file:   ${namesOfFiles([plan.feature.test_file ?? 'none'].flat())}`]),
    `  agent:       ${plan.backend}${plan.model === null || plan.model === '' ? '' : `, model ${plan.model}`}`,
    `  budget:      $${plan.budget.session_usd.toFixed(2)} for the session, $${plan.budget.project_left_usd.toFixed(2)} left for the project`,
    '',
    `Prompt (its orientation is about ${plan.orientation_tokens} tokens):`,
    '',
    (plan.text ?? '').replace(/^(?=.)/gm, '  '),
    '',
  ].join('\n');
}
