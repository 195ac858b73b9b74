import { expect, test } from 'vitest';
import { PROJECT_GATES } from '../../../gates/project-gates.ts';
import { HANDLERS, largeFeatureEscalation } from './carry-out.ts';

const ESCALATIONS = [
  'stuck',
  'verification-failed',
  'regression',
  'repeated-failures',
  'sanity',
  'reset-failed',
  'budget',
  'cycle',
  'false-positives',
  'large-feature',
  'baseline-broken',
  'exhausted',
] as const;

test.each(ESCALATIONS)('every option of project.%s is carried out', (name) => {
  for (const option of PROJECT_GATES[`project.${name}`].options) expect(HANDLERS).toHaveProperty([option.label.toLowerCase()]);
});

test('large features are asked about one after the other', () => {
  const large = [1, 4].map((feature) => ({ feature, steps: 9, limit: 7 }));
  expect(largeFeatureEscalation(large)).toMatchObject({
    gate: 'project.large-feature',
    feature: 1,
    facts: { steps: 9, rest: [{ feature: 4 }] },
  });
  expect(largeFeatureEscalation([])).toBeNull();
});
