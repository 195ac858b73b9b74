/** Which runner stands behind the settings' test command, and how it is told to run. */
import type { TestRun } from '../../domain/verdict.ts';
import type { JudgeSettings } from '../contract.ts';
import { resolveCommand, type ResolvedCommand } from './resolve-command.ts';
import { DEEP_RUNNERS, RUNNERS, UNKNOWN_RUNNER } from '../runners/registry.ts';
import type { Runner, RunnerMatch } from '../runners/runner.ts';

export interface TestCommand {
  runner: Runner;
  match: RunnerMatch;
  resolved: ResolvedCommand;
  /** As a person would type it. */
  display: string;
}

export function chooseCommand(
  text: string,
  report: JudgeSettings['testing']['report'],
  scripts: Readonly<Record<string, string>>,
): TestCommand {
  const resolved = resolveCommand(text, scripts);
  const named: Runner | null = report === 'auto' ? null : RUNNERS[report];
  if (named?.single === null) return opaque(named, resolved, text);
  for (const runner of DEEP_RUNNERS) {
    const match = resolved.words === null || (named !== null && named !== runner) ? null : runner.detect(resolved.words);
    if (match !== null) return { runner, match, resolved, display: text };
  }
  if (named !== null)
    return { runner: named, match: { interpreterArgs: [], args: [] }, resolved: { ...resolved, words: null, before: [] }, display: text };
  return opaque(UNKNOWN_RUNNER, resolved, text);
}

/**
 * How one file is run: by the settings' own command, else by the suite's runner with that file. An opaque suite has no such
 * way: null.
 */
export function chooseFileCommand(
  settings: JudgeSettings['testing'],
  scripts: Readonly<Record<string, string>>,
  file: string,
): TestCommand | null {
  if (settings.feature !== null)
    return chooseCommand(settings.feature.replaceAll('{test_file}', quoteWord(file)), settings.report, scripts);
  const suite = chooseCommand(settings.full, settings.report, scripts);
  const single = suite.runner.single;
  return single === null ? null : { ...suite, display: displayFor(suite, single.command, settings.full, file) };
}

/** How a person runs these files: one command for all, or one for each where the settings have a command for single files. */
export function commandForFiles(
  settings: JudgeSettings['testing'],
  scripts: Readonly<Record<string, string>>,
  files: readonly string[],
): string {
  const commands = files.map((file) => chooseFileCommand(settings, scripts, file)?.display ?? settings.full);
  const [first] = commands;
  if (first === undefined) return settings.full;
  const isOne = settings.feature === null && first !== settings.full;
  return isOne ? [first, ...files.slice(1).map(quoteWord)].join(' ') : [...new Set(commands)].join(' && ');
}

/** Whether runs of the suite tell about single tests in words that the harness itself chose. */
export function isReadTestByTest(settings: JudgeSettings['testing'], scripts: Readonly<Record<string, string>>): boolean {
  return chooseCommand(settings.full, settings.report, scripts).runner.single !== null;
}

function displayFor(suite: TestCommand, command: string, full: string, file: string): string {
  const wrapper = /^((?:poetry|uv|pipenv|pdm|hatch|rye) run) /.exec(full)?.[1];
  const module = suite.match.form === 'module' ? `${suite.resolved.words?.[0] ?? 'python3'} -m ${command}` : null;
  return [wrapper, module ?? command, quoteWord(file)].filter((part) => part !== undefined).join(' ');
}

/** Scripts of a package.json text; none where it cannot be read. */
export function scriptsOf(packageJson: string | null): Record<string, string> {
  try {
    const value: unknown = JSON.parse(packageJson ?? '{}');
    if (typeof value !== 'object' || value === null || !('scripts' in value)) return {};
    const { scripts } = value;
    if (typeof scripts !== 'object' || scripts === null) return {};
    return Object.fromEntries(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
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
  return { runner, match: { interpreterArgs: [], args: [text] }, resolved: { ...resolved, before: [], env: {} }, display: text };
}

function quoteWord(word: string): string {
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
