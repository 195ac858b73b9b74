import { expect, test } from 'vitest';
import { isTooOld } from './manager-program.ts';

test.each([
  ['20.20.2', '>=22.13', true],
  ['22.12.9', '>=22.13', true],
  ['22.13.0', '>=22.13', false],
  ['24.0.0', '>= 22.13.1', false],
  ['20.20.2', '>=18.12.0', false],
  ['20.20.2', '18 || >=22', false],
  ['20.20.2', '', false],
])('Node %s for a manager that asks for "%s"', (node, asked, is) => {
  expect(isTooOld(node, asked)).toBe(is);
});
