import { expect, test } from 'vitest';
import { seenLines } from './output.ts';

test('what the agent was seen saying is not said again', () => {
  const seen = seenLines();
  seen.see('I looked at the code\nspec written — add adds\n');
  expect(seen.without('  ✓ spec written — add adds')).toBeNull();
  expect(seen.without('  ✓ Plan: spec written — add adds')).toBe('  ✓ Plan');
  expect(seen.without('  ✓ 계획：spec written — add adds')).toBe('  ✓ 계획');
  expect(seen.without('[harness] Verify failed.\n  spec written — add adds')).toBe('[harness] Verify failed.');
});

test('everything else is whole, and so is everything where nothing was seen', () => {
  const seen = seenLines();
  expect(seen.without('  ✓ spec written — add adds')).toBe('  ✓ spec written — add adds');
  seen.see('spec written — add adds');
  expect(seen.without('  ✓ spec written — add adds well')).toBe('  ✓ spec written — add adds well');
  expect(seen.without('Result: PASS')).toBe('Result: PASS');
});

test('an agent that says very much is remembered by its last lines', () => {
  const seen = seenLines();
  for (let line = 0; line < 500; line += 1) seen.see(`line ${line}`);
  expect(seen.without('line 499')).toBeNull();
  expect(seen.without('line 0')).toBe('line 0');
});
