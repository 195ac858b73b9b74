/**
 * Steps of a test command that are no tests, told apart. Pure.
 *
 * 1. A check looks and leaves nothing behind that tests need: it runs once for a verdict, not with each run of tests.
 * 2. What only tells about coverage is left out: none is measured.
 * 3. Every other step in front of the tests may make what they need, and runs before each run of them.
 */
import type { CommandSources } from './command-sources.ts';
import { innerCommand } from './inner-command.ts';
import { splitSteps, splitWords } from './split-words.ts';
import { unwrap } from './unwrap.ts';
import { ownValue } from '../../domain/items.ts';

export interface SortedSteps {
  /** Run before each run of the tests, in order. */
  before: string[];
  checks: string[];
}

export function sortSteps(before: readonly string[], after: readonly string[], sources: CommandSources): SortedSteps {
  const kindsBefore = before.map((step) => ({ step, kind: kindOf(step, sources, MAX_DEPTH) }));
  const kindsAfter = after.map((step) => ({ step, kind: kindOf(step, sources, MAX_DEPTH) }));
  return {
    before: kindsBefore.filter(({ kind }) => kind === 'other').map(({ step }) => step),
    checks: [...kindsBefore.filter(({ kind }) => kind === 'check'), ...kindsAfter.filter(({ kind }) => kind !== 'coverage')].map(
      ({ step }) => step,
    ),
  };
}

type Kind = 'check' | 'coverage' | 'other';

const MAX_DEPTH = 4;

function kindOf(text: string, sources: CommandSources, depth: number): Kind {
  const steps = depth === 0 ? null : splitSteps(text);
  if (steps === null) return 'other';
  const kinds = steps.map((step) => kindOfStep(step, sources, depth));
  return kinds.every((kind) => kind === 'coverage') ? 'coverage' : kinds.every((kind) => kind !== 'other') ? 'check' : 'other';
}

function kindOfStep(step: string, sources: CommandSources, depth: number): Kind {
  const split = splitWords(step);
  if (split === null) return 'other';
  const { words } = unwrap(split);
  const inner = innerCommand(words, sources);
  if (inner === 'opaque') return 'other';
  if (inner !== null && 'text' in inner) return kindOf([...inner.before, inner.text, ...inner.after].join(' && '), sources, depth - 1);
  return kindOfWords(inner === null ? words : inner.words);
}

const CHECKERS: ReadonlySet<string> = new Set(
  [
    'eslint oxlint standard xo semistandard ts-standard neostandard tslint stylelint jshint jscs eclint ec editorconfig-checker',
    'markdownlint markdownlint-cli2 remark cspell alex commitlint lockfile-lint ls-lint',
    'tsd dtslint attw publint knip depcheck dependency-check depcruise madge npm-check ls-engines size-limit bundlesize',
    'flake8 pylint mypy pyright basedpyright bandit pydocstyle pycodestyle vulture codespell',
    'golangci-lint shellcheck hadolint yamllint actionlint',
  ]
    .join(' ')
    .split(' '),
);
/** Which of these look alone with one of these words. */
const LOOKING: Readonly<Record<string, RegExp>> = {
  prettier: /^(?:--check|-c|--list-different|-l)$/,
  oxfmt: /^--check$/,
  dprint: /^check$/,
  biome: /^(?:check|lint|ci|format)$/,
  tsc: /^--noEmit$/i,
  'vue-tsc': /^--noEmit$/i,
  ruff: /^(?:check|--check)$/,
  black: /^--(?:check|diff)$/,
  isort: /^(?:--check|--check-only|-c)$/,
  npm: /^audit$/,
  cargo: /^(?:clippy|fmt|check|audit|deny)$/,
  go: /^vet$/,
};
const WRITES = /^(?:--fix|--write|-w|--apply)$/;

function kindOfWords([first = '', ...rest]: readonly string[]): Kind {
  const name = first.replace(/^.*\//, '');
  if (/^(?:nyc|c8)$/.test(name) && /^(?:report|check-coverage|merge)$/.test(rest[0] ?? '')) return 'coverage';
  if (/^(?:codecov|coveralls)$/.test(name) || (/^coverage3?$/.test(name) && rest[0] !== 'run')) return 'coverage';
  if (rest.some((word) => WRITES.test(word))) return 'other';
  if (CHECKERS.has(name)) return 'check';
  const looking = ownValue(LOOKING, name);
  return looking !== null && rest.some((word) => looking.test(word)) ? 'check' : 'other';
}
