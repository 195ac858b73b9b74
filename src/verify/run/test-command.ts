/** Which runner stands behind the settings' test command, and how it is told to run. */
import type { TestRun } from '../../domain/verdict.ts';
import type { JudgeSettings } from '../contract.ts';
import { resolveCommand, type ResolvedCommand } from './resolve-command.ts';
import { jestRunner } from '../runners/jest.ts';
import { nodeTestRunner } from '../runners/node-test.ts';
import { pytestRunner } from '../runners/pytest.ts';
import { exitCodeRunner, junitRunner, tapRunner } from '../runners/shell.ts';
import type { Runner, RunnerMatch } from '../runners/runner.ts';
import { vitestRunner } from '../runners/vitest.ts';

export interface TestCommand {
  runner: Runner;
  match: RunnerMatch;
  resolved: ResolvedCommand;
  /** As a person would type it. */
  display: string;
}

const DEEP_RUNNERS: readonly Runner[] = [nodeTestRunner, vitestRunner, jestRunner, pytestRunner];
const FORCED: Readonly<Record<string, Runner>> = { junit: junitRunner, tap: tapRunner, 'exit-code': exitCodeRunner };

export function chooseCommand(
  text: string,
  report: JudgeSettings['testing']['report'],
  scripts: Readonly<Record<string, string>>,
): TestCommand {
  const resolved = resolveCommand(text, scripts);
  const forced = FORCED[report];
  if (forced !== undefined) return opaque(forced, resolved, text);
  for (const runner of DEEP_RUNNERS) {
    const match = resolved.words === null || (report !== 'auto' && runner.name !== report) ? null : runner.detect(resolved.words);
    if (match !== null) return { runner, match, resolved, display: text };
  }
  const named = DEEP_RUNNERS.find((runner) => runner.name === report);
  if (named !== undefined)
    return { runner: named, match: { interpreterArgs: [], args: [] }, resolved: { ...resolved, words: null, before: [] }, display: text };
  return opaque(exitCodeRunner, resolved, text);
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
  return DEEP_RUNNERS.includes(suite.runner) ? { ...suite, display: displayFor(suite, settings.full, file) } : null;
}

/** Whether runs of the suite tell about single tests in words that the harness itself chose. */
export function isReadTestByTest(settings: JudgeSettings['testing'], scripts: Readonly<Record<string, string>>): boolean {
  return DEEP_RUNNERS.includes(chooseCommand(settings.full, settings.report, scripts).runner);
}

const SPELLINGS: Readonly<Record<string, string>> = {
  'node:test': 'node --test',
  vitest: 'npx vitest run',
  jest: 'npx jest',
  pytest: 'pytest',
};

function displayFor(suite: TestCommand, full: string, file: string): string {
  const wrapper = /^((?:poetry|uv|pipenv|pdm|hatch|rye) run) /.exec(full)?.[1];
  const module = suite.match.form === 'module' ? `${suite.resolved.words?.[0] ?? 'python3'} -m pytest` : null;
  return [wrapper, module ?? SPELLINGS[suite.runner.name], quoteWord(file)].filter((part) => part !== undefined).join(' ');
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
  if (run.runner === 'exit-code') caveats.push('exit-code: the runner is not known, so only its exit status was believed');
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
