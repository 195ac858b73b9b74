import { expect, test } from 'vitest';
import { projectGate } from './project-gates.ts';

const LOCK = { message: 'the lockfile was changed', subjects: ['package-lock.json'], set_back: true };
const CONTROL = { message: 'nothing in test/a_test.go could be made to fail on purpose', subjects: ['test/a_test.go'] };

test('the question says what was found, and of trusted versions only where they ran', () => {
  const asked = (...findings: (typeof CONTROL)[]): string => projectGate('project.tampering', { feature: 3, findings }, []).question;
  expect(asked(LOCK)).toBe(
    'The work on feature #3: the lockfile was changed (package-lock.json). The checks ran with the trusted versions. Accept anyway?',
  );
  expect(asked(CONTROL)).toBe('The work on feature #3: nothing in test/a_test.go could be made to fail on purpose. Accept anyway?');
  expect(asked(LOCK, CONTROL)).not.toContain('trusted versions');
  expect(asked(LOCK, CONTROL, { message: 'm', subjects: ['1', '2', '3', '4'] })).toContain('; and 1 more. Accept');
});

test('a review says why nothing is proven', () => {
  const facts = { feature: null, reasons: ['test.flaky'] };
  expect(projectGate('project.review', { ...facts, findings: [{ message: 'm', subjects: ['1', '2', '3', '4'] }] }, []).question).toBe(
    'The work needs review: m (1, 2, 3 and 1 more). Accept it? [test.flaky]',
  );
  expect(projectGate('project.review', facts, []).question).toBe('The work needs review. Accept it? [test.flaky]');
});
