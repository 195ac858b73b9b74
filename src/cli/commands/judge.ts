/** `harness judge`: the verdict alone, on the working tree or a commit against a base. Nothing in the repository is moved or written. */
import { join, resolve } from 'node:path';
import { harnessHome } from '../../config/user-settings.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT, type ExitCode } from '../../domain/reasons.ts';
import { keepReport, notJudged, reportOf, type ChangeReport } from '../../kernel/change/change-record.ts';
import { judgeChange } from '../../kernel/change/judge-change.ts';
import { readNamedFile } from '../../kernel/ground/way-to.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Command, CommandContext } from '../command.ts';
import { junitReport, markdownReport, textReport } from '../change-report.ts';
import { flagOption, numberOption, textOption } from '../options.ts';

export const run: Command = async (context) => {
  const { platform, options, output, cwd } = context;
  const isMarkdown = flagOption(options, 'markdown');
  if (isMarkdown && output.json) throw usageError('--json and --markdown exclude each other.', 'fix: choose one of them');
  const report = await judgedWithin(context);
  const junit = textOption(options, 'junit');
  if (junit !== null) await platform.files.write(resolve(cwd, junit), junitReport(report));
  output.object(report, isMarkdown ? markdownReport(report) : textReport(report));
  return { exitCode: exitCodeOf(report, flagOption(options, 'acceptReview')), reasons: report.reasons };
};

function exitCodeOf(report: ChangeReport, acceptsReview: boolean): ExitCode {
  return report.verdict === 'needs_review' && acceptsReview ? EXIT.done : report.exit_code;
}

/** What keeps a change from being judged is a report too; wrong usage and an interrupt are not. */
async function judgedWithin(context: CommandContext): Promise<ChangeReport> {
  const { platform, cwd, options, output, signal } = context;
  const seconds = numberOption(options, 'within');
  if (seconds !== null && !(seconds > 0)) throw usageError(`--within takes a number of seconds above zero, not ${seconds}.`);
  const limit = seconds === null ? null : AbortSignal.timeout(seconds * 1_000);
  const request = {
    base: textOption(options, 'base'),
    head: textOption(options, 'head'),
    test: textOption(options, 'test'),
    description: await descriptionOf(context),
  };
  try {
    const both = limit === null ? signal : AbortSignal.any([signal, limit]);
    const judged = await judgeChange(platform, cwd, request, { emit: output.watch, signal: both });
    const report = reportOf(judged);
    await keepReport(platform, judged.folder, report);
    return report;
  } catch (error) {
    if (limit?.aborted === true && !signal.aborted) return notJudged(`could not judge: no verdict within ${seconds} seconds`, ['timeout']);
    if (!(error instanceof HarnessError) || error.exitCode !== EXIT.preflight) throw error;
    const message = ['could not judge: ', error.message, ...error.details.map((detail) => `\n  ${detail}`)].join('');
    return notJudged(inTermsOfJudge(message, platform), error.reasons);
  }
}

/** An install that fails speaks of a project that is set up, and of its state folder. */
function inTermsOfJudge(message: string, platform: Platform): string {
  return message
    .replace('then run harness init again', 'commit it, then judge again')
    .replace('Full output: ', () => `Full output: ${join(harnessHome(platform), 'judged')}/`);
}

const LARGEST_DESCRIPTION = 64 * 1024;

async function descriptionOf({ platform, cwd, options, input }: CommandContext): Promise<string | null> {
  const file = textOption(options, 'describe');
  if (file === null) return null;
  const text = file === '-' ? await input() : await readNamedFile(platform, cwd, file);
  if (text === null)
    throw usageError(`There is no file ${file}.`, 'fix: name the file that says what the change is meant to do, or - for standard input');
  if (Buffer.byteLength(text) > LARGEST_DESCRIPTION) throw usageError(`${file} is larger than ${LARGEST_DESCRIPTION / 1024} KiB.`);
  return text.trim();
}
