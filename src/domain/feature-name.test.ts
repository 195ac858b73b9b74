import { expect, test } from 'vitest';
import { featureKey, featureLabel, missionFeatureNumber } from './feature-name.ts';

test.each(['F-001', 'F-099', 'F-1234', 'F-FIX-001', 'F-FIX-99999'])('%s is a number and comes back as the same name', (name) => {
  const number = missionFeatureNumber(name)!;
  expect([featureKey(number), featureLabel(number)]).toEqual([name, name]);
});

test.each(['F-1', 'F-000', 'F-0001', 'F-', 'f-001', 'F-FIX-1', 'F-001x', 'F-100000', ' F-001', '../F-001'])('%s is no name', (name) => {
  expect(missionFeatureNumber(name)).toBeNull();
});

test("a project's features keep their numbers", () => {
  expect([featureKey(7), featureLabel(7)]).toEqual(['7', '#7']);
});
