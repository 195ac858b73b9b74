/** Which runner stands behind the settings' test command, and how it is told to run. */
import type { TestRun } from '../../domain/verdict.ts';
import type { JudgeSettings } from '../contract.ts';
import type { CommandSources } from './command-sources.ts';
import { resolveCommand, type ResolvedCommand } from './resolve-command.ts';
import { quoteWord } from '../../domain/quote-word.ts';
import { RUNNERS, TOLD_RUNNERS, UNKNOWN_RUNNER } from '../runners/registry.ts';
import type { Runner, RunnerMatch } from '../runners/runner.ts';

export interface TestCommand {
  runner: Runner;
  match: RunnerMatch;
  resolved: ResolvedCommand;
  /** As a person would type it. */
  display: string;
}

export function chooseCommand(text: string, report: JudgeSettings['testing']['report'], sources: CommandSources): TestCommand {
  const resolved = resolveCommand(text, sources);
  const named: Runner | null = report === 'auto' ? null : RUNNERS[report];
  if (named?.single === null && named.isTold !== true) return opaque(named, resolved, text);
  for (const runner of TOLD_RUNNERS) {
    const words = named !== null && named !== runner ? null : resolved.words;
    const match = words === null ? null : runner.detect(words, sources.packages, sources.nodeTests);
    if (match !== null) return { runner, match, resolved, display: text };
  }
  if (named !== null)
    return {
      runner: named,
      match: { interpreterArgs: [], args: [] },
      resolved: { ...resolved, words: null, before: [], checks: [], without: [] },
      display: text,
    };
  return opaque(UNKNOWN_RUNNER, resolved, text);
}

/**
 * How one file is run: by the settings' own command, else by the suite's runner with that file. An opaque suite has no such
 * way: null.
 */
export function chooseFileCommand(settings: JudgeSettings['testing'], sources: CommandSources, file: string): TestCommand | null {
  if (settings.feature !== null)
    return chooseCommand(settings.feature.replaceAll('{test_file}', quoteWord(file)), settings.report, sources);
  const suite = chooseCommand(settings.full, settings.report, sources);
  const single = suite.runner.single;
  return single === null
    ? null
    : { ...suite, display: displayFor(suite, single.commandFor?.(suite.match) ?? single.command, settings.full, file) };
}

/** How a person runs these files: one command for all, or one for each where the settings have a command for single files. */
export function commandForFiles(settings: JudgeSettings['testing'], sources: CommandSources, files: readonly string[]): string {
  const commands = files.map((file) => chooseFileCommand(settings, sources, file)?.display ?? settings.full);
  const [first] = commands;
  if (first === undefined) return settings.full;
  const isOne = settings.feature === null && first !== settings.full;
  return isOne ? [first, ...files.slice(1).map(quoteWord)].join(' ') : [...new Set(commands)].join(' && ');
}

/** Whether runs of the suite tell about single tests in words that the harness itself chose. */
export function isReadTestByTest(settings: JudgeSettings['testing'], sources: CommandSources): boolean {
  return chooseCommand(settings.full, settings.report, sources).runner.single !== null;
}

function displayFor(suite: TestCommand, command: string, full: string, file: string): string {
  const wrapper = /^((?:poetry|uv|pipenv|pdm|hatch|rye) run) /.exec(full)?.[1];
  const module = suite.match.form === 'module' ? `${suite.resolved.words?.[0] ?? 'python3'} -m ${command}` : null;
  return [wrapper, module ?? command, quoteWord(file)].filter((part) => part !== undefined).join(' ');
}

/** What a reader should know about a run's strength. */
export function caveatsOf(run: TestRun, network: 'loopback' | 'host'): string[] {
  const caveats: string[] = [];
  if (run.runner === UNKNOWN_RUNNER.name) caveats.push('exit-code: the runner is not known, so only its exit status was believed');
  if (!run.sandboxed) caveats.push('unsandboxed');
  if (network === 'host') caveats.push('network: host');
  return caveats;
}

function opaque(runner: Runner, resolved: ResolvedCommand, text: string): TestCommand {
  return {
    runner,
    match: { interpreterArgs: [], args: [text] },
    resolved: { ...resolved, before: [], checks: [], env: {}, without: [] },
    display: text,
  };
}
