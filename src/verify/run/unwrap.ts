/**
 * Programs that only stand in front of a test command: assignments, package runners, and programs that measure what another one runs.
 *
 * 1. What they would do to the tests is done otherwise or left out: nothing is downloaded, and no coverage is measured.
 * 2. A wrapper with options that nobody here knows is no wrapper: the command stays as it is.
 */

import { wordSet } from '../runners/options.ts';
import { splitWords } from './split-words.ts';
import { groupOf } from '../../domain/text-parts.ts';
import { firstItem, itemAt, ownValue } from '../../domain/items.ts';

export interface Unwrapped {
  env: Record<string, string>;
  words: string[];
  /** Programs that were left out although they do something of their own. */
  without: string[];
  /** The tool whose environment for the project the command runs in. */
  tool: string | null;
}

export function unwrap(words: readonly string[]): Unwrapped {
  const made: Unwrapped = { env: {}, words: [...words], without: [], tool: null };
  for (;;) {
    const assignment = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(made.words[0] ?? '');
    if (assignment !== null && made.words.length > 1) {
      made.env[groupOf(assignment, 1)] = groupOf(assignment, 2);
      made.words = made.words.slice(1);
      continue;
    }
    const inner = stripRunner(made.words) ?? stripMeasure(made.words, made);
    if (inner === null) return made;
    if (PYTHON_RUNNERS.has(firstItem(made.words))) made.tool = firstItem(made.words);
    made.words = inner;
  }
}

const PACKAGE_RUNNERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx']);
const PYTHON_RUNNERS: ReadonlySet<string> = new Set(['poetry', 'uv', 'pipenv', 'pdm', 'hatch', 'rye']);
const MANAGERS: ReadonlySet<string> = new Set(['pnpm', 'npm', 'yarn']);

function stripRunner(words: readonly string[]): string[] | null {
  const [first = '', second] = words;
  if (first === 'exec' || first === 'command' || first === 'time') return nonEmpty(words.slice(1));
  if ((first === 'env' || first === 'cross-env') && second !== undefined) return nonEmpty(words.slice(1));
  if (PACKAGE_RUNNERS.has(first)) {
    const rest = words.slice(1);
    while (/^(?:--yes|-y|--no|--no-install|--bun|--)$/.test(rest[0] ?? '')) rest.shift();
    return nonEmpty(rest);
  }
  if (first === 'glob' && (second === '-c' || second === '--cmd') && words.length > 3) return expandedBy(itemAt(words, 2), words.slice(3));
  if (PYTHON_RUNNERS.has(first) && second === 'run') return nonEmpty(withoutOptions(words.slice(2), RUN_OPTIONS));
  if (MANAGERS.has(first) && (second === 'exec' || second === 'dlx')) return nonEmpty(words.slice(words[2] === '--' ? 3 : 2));
  return null;
}

/** `glob -c "node --test" "test/*.js"`: the runners expand patterns themselves. */
function expandedBy(command: string, patterns: readonly string[]): string[] | null {
  const words = splitWords(command);
  return words === null || patterns.some((pattern) => pattern.startsWith('-')) ? null : nonEmpty([...words, ...patterns]);
}

const RUN_OPTIONS = new Set(['--with', '--extra', '--group', '--python', '-p', '--package', '--env-file', '--directory']);

interface Measure {
  /** Options whose value is the next word. */
  withValue: ReadonlySet<string>;
  /** Words in its first place with which it runs nothing. */
  commands: RegExp;
}

const THRESHOLDS = '--lines --functions --branches --statements';
const MEASURES: Readonly<Record<string, Measure>> = {
  c8: {
    withValue: wordSet(
      '--reporter -r --reports-dir --report-dir -o --src --include -n --exclude -x --extension -e --temp-directory',
      `--config -c --clean --resolve ${THRESHOLDS}`,
    ),
    commands: /^(?:report|check-coverage)$/,
  },
  nyc: {
    withValue: wordSet(
      '--reporter -r --report-dir --temp-dir -t --include -n --exclude -x --extension -e --require -i --cwd',
      `--nycrc-path --cache-dir ${THRESHOLDS}`,
    ),
    commands: /^(?:report|check-coverage|instrument|merge)$/,
  },
};

/** What measures coverage while it runs another command. Modules that it loads into that are loaded into it all the same. */
function stripMeasure(words: readonly string[], made: Unwrapped): string[] | null {
  const [first = ''] = words;
  const python = /(?:^|\/)python[0-9.]*$/.test(first);
  if (/(?:^|\/)coverage3?$/.test(first)) return coverageRun(words.slice(1), 'python3', made);
  if (python && words[1] === '-m' && words[2] === 'coverage') return coverageRun(words.slice(3), first, made);
  const name = first.replace(/^.*\//, '');
  const measure = ownValue(MEASURES, name);
  if (measure === null) return null;
  const inner = withoutOptions(words.slice(1), measure.withValue);
  if (inner.length === 0 || firstItem(inner).startsWith('-') || measure.commands.test(firstItem(inner))) return null;
  const loaded = valuesOf(words.slice(1, words.length - inner.length), ['--require', '-i'], measure.withValue);
  if (name === 'nyc' && loaded.length > 0)
    made.env['NODE_OPTIONS'] = [made.env['NODE_OPTIONS'], ...loaded.map((one) => `--require=${one}`)].filter(Boolean).join(' ');
  made.without.push(name);
  return inner;
}

const COVERAGE_OPTIONS = new Set([
  '--source',
  '--source-pkg',
  '--omit',
  '--include',
  '--rcfile',
  '--data-file',
  '--context',
  '--concurrency',
]);

function coverageRun(words: readonly string[], python: string, made: Unwrapped): string[] | null {
  if (words[0] !== 'run') return null;
  const module = words.indexOf('-m');
  const inner = module > 0 ? words.slice(module) : withoutOptions(words.slice(1), COVERAGE_OPTIONS);
  if (inner.length === 0) return null;
  made.without.push('coverage');
  return [python, ...inner];
}

/** What follows the options at the beginning. */
function withoutOptions(words: readonly string[], withValue: ReadonlySet<string>): string[] {
  let at = 0;
  while (at < words.length && itemAt(words, at).startsWith('-')) {
    if (words[at] === '--') return words.slice(at + 1);
    at += withValue.has(itemAt(words, at)) ? 2 : 1;
  }
  return words.slice(at);
}

function valuesOf(words: readonly string[], names: readonly string[], withValue: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at += withValue.has(itemAt(words, at)) ? 2 : 1) {
    const [name = '', value] = itemAt(words, at).split('=', 2);
    if (names.includes(name)) found.push(value ?? words[at + 1] ?? '');
  }
  return found.filter((value) => value !== '');
}

function nonEmpty(words: readonly string[]): string[] | null {
  return words.length > 0 && !firstItem(words).startsWith('-') ? [...words] : null;
}
