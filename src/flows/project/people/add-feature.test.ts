import { expect, test } from 'vitest';
import { proposeTestFile } from './add-feature.ts';

test.each([
  ['test/add.test.js', 'A user can divide two numbers', 'test/divide-two-numbers.test.js'],
  ['tests/e2e/test_login.py', 'User can reset the password', 'tests/e2e/test_reset_password.py'],
  ['src/cart_test.go', 'The cart is emptied', 'src/cart_emptied_test.go'],
  ['spec/cart.spec.ts', 'Größe wählen', 'spec/gro-e-wahlen.spec.ts'],
  ['add.test.js', '???', 'feature.test.js'],
])('beside %s, "%s" is proved by %s', (model, description, proposed) => {
  expect(proposeTestFile([{ test_file: model }], description)).toBe(proposed);
});

test('a name that is taken gets a number, and a list without tests proposes nothing', () => {
  expect(proposeTestFile([{ test_file: 't/go-home.test.js' }], 'go home')).toBe('t/go-home-2.test.js');
  expect(proposeTestFile([{}], 'go home')).toBeNull();
});
