/**
 * Tests of the feature that stand in files of other features: new ones that pass, in a file that another feature names and that imports
 * what the session changed. They are told, because they prove nothing for this feature and will count for the other.
 */
import { FeatureListSchema } from '../../domain/feature.ts';
import { testFilesOf } from '../../domain/test-files.ts';
import type { Finding, TestRun } from '../../domain/verdict.ts';
import type { Case } from '../case.ts';
import { hasRejection, type Check } from '../check.ts';
import { consult } from '../instruments.ts';
import { changedSources } from './check-reach.ts';
import { filesReaching } from './reach.ts';

export const TESTS_ELSEWHERE: Check = {
  id: 'feature-test/elsewhere',
  title: null,
  weight: 'warn',
  after: ['feature-test', 'regression'],
  cost: 'text',
  applies: ({ mode }, { suite, findings }) => mode === 'feature' && suite !== null && !hasRejection(findings),
  run: async (judged, { suite }) => ({
    findings: suite === null ? [] : await consult(judged, 'feature-test/elsewhere', () => findTestsElsewhere(judged, suite.suite)),
    detail: '',
  }),
  doc: 'Notes new tests of the change that are in files of other features.',
};

async function findTestsElsewhere(input: Case, suite: TestRun): Promise<Finding[]> {
  const { judged } = input;
  const own = testFilesOf(input.feature);
  const others = FeatureListSchema.parse(JSON.parse(input.features.trusted)).features.filter(({ id }) => id !== input.feature?.id);
  const named = new Set(others.flatMap(testFilesOf).filter((file) => !own.includes(file)));
  const known = new Set(input.baseline?.passing_tests ?? []);
  const fresh = suite.tests.filter((test) => test.status === 'passed' && named.has(test.file) && !known.has(test.id));
  if (fresh.length === 0) return [];
  const files = [...new Set(fresh.map((test) => test.file))];
  const reaching = await filesReaching(input.trees, judged.tree, files, new Set(changedSources(input)));
  const found = fresh.filter((test) => reaching.includes(test.file)).map((test) => test.id);
  if (found.length === 0) return [];
  const owners = others.filter((feature) => testFilesOf(feature).some((file) => reaching.includes(file))).map(({ id }) => `#${id}`);
  return [
    {
      check: 'feature-test',
      reason: 'test.elsewhere',
      weight: 'warn',
      message: `tests of this change are in files of other features (${owners.slice(0, 5).join(', ')}), so they do not count for this one`,
      subjects: found.slice(0, 50),
    },
  ];
}
