/**
 * What is wrong with a set-up whose list is valid: stubs that are missing, or green before anything is built, and a language whose linter
 * nobody set up. Pure.
 *
 * 1. Only files that the initializer wrote are stubs; tests that were there before say nothing about what it did.
 * 2. A stub that passes is refused. The rest is given back to an agent that can be answered, and told to the person otherwise.
 */
import type { Feature } from '../../../domain/feature.ts';
import { testFilesOf } from '../../../domain/test-files.ts';
import type { TestRun } from '../../../domain/verdict.ts';

export interface SetUpProblem {
  weight: 'refuse' | 'tell';
  text: string;
}

export interface SetUpFacts {
  features: readonly Feature[];
  /** Files of the tree before and after the session. */
  before: ReadonlySet<string>;
  after: ReadonlySet<string>;
  /** The suite over the new tree; null: it could not be run. */
  run: Pick<TestRun, 'tests' | 'runner'> | null;
  detected: { language: string; lint: string | null };
}

export function setUpProblems(facts: SetUpFacts): SetUpProblem[] {
  return [
    ...missingStubs(facts),
    ...(facts.run === null || facts.run.runner === 'exit-code' ? [] : greenStubs(facts, facts.run.tests)),
    ...noLinter(facts.detected),
  ];
}

function missingStubs({ features, after }: SetUpFacts): SetUpProblem[] {
  const missing = features.filter((feature) => testFilesOf(feature).some((file) => !after.has(file)));
  return missing.length === 0 ? [] : [{ weight: 'tell', text: `no test stub for ${names(missing)}` }];
}

function greenStubs({ features, before, after }: SetUpFacts, tests: TestRun['tests']): SetUpProblem[] {
  const stubs = (feature: Feature): string[] => testFilesOf(feature).filter((file) => after.has(file) && !before.has(file));
  const has = (feature: Feature, status: 'passed' | 'failed'): boolean =>
    tests.some((test) => test.status === status && stubs(feature).includes(test.file));
  const green = features.filter((feature) => has(feature, 'passed'));
  const silent = features.filter((feature) => stubs(feature).length > 0 && !green.includes(feature) && !has(feature, 'failed'));
  return [
    ...(green.length === 0
      ? []
      : [
          {
            weight: 'refuse' as const,
            text: `the test stub of ${names(green)} passes although nothing is built: a stub has one placeholder test, and it fails`,
          },
        ]),
    ...(silent.length === 0 ? [] : [{ weight: 'tell' as const, text: `the test stub of ${names(silent)} has no test that fails` }]),
  ];
}

function noLinter({ language, lint }: SetUpFacts['detected']): SetUpProblem[] {
  const usual = Object.hasOwn(USUAL_LINTERS, language) ? USUAL_LINTERS[language] : undefined;
  return lint !== null || usual === undefined ? [] : [{ weight: 'tell', text: `no linter is set up: ${usual}` }];
}

const USUAL_LINTERS: Readonly<Record<string, string>> = {
  javascript: 'give package.json a "lint" script, with ESLint and its settings for example',
  typescript: 'give package.json a "lint" script, with ESLint and its settings for example',
  python: 'a section [tool.ruff] in pyproject.toml is enough',
  go: 'a file .golangci.yml is enough',
};

function names(features: readonly Feature[]): string {
  const shown = features
    .slice(0, 10)
    .map((feature) => `#${feature.id}`)
    .join(', ');
  return `feature${features.length === 1 ? '' : 's'} ${shown}${features.length > 10 ? ` and ${features.length - 10} more` : ''}`;
}
