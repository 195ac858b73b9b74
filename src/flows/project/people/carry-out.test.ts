import { expect, test } from 'vitest';
import { PROJECT_GATES } from '../../../gates/project-gates.ts';
import { HANDLERS, largeFeatureEscalation } from './carry-out.ts';

const ESCALATIONS = Object.entries(PROJECT_GATES).filter(([, row]) => row.by === 'run');

test.each(ESCALATIONS)('every option of %s is carried out', (_, row) => {
  expect(row.options.length).toBeGreaterThan(1);
  for (const option of row.options) expect(HANDLERS).toHaveProperty([option.label.toLowerCase()]);
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
