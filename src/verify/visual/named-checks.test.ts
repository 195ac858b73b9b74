import { expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import { askedChecks } from './named-checks.ts';

const feature = (automated_checks: Feature['automated_checks']): Feature => ({ id: 1, description: 'x', passes: false, automated_checks });

test.each([
  ['npm run check:contrast', 'command', 'npm run check:contrast'],
  ['$ make sure', 'command', 'make sure'],
  ['`./scripts/links.sh --all`', 'command', './scripts/links.sh --all'],
  ['NODE_ENV=test node scripts/size.mjs', 'command', 'NODE_ENV=test node scripts/size.mjs'],
  ['make lint', 'command', 'make lint'],
  ['Make sure that links work', 'tests', undefined],
  ['go to the page and look', 'tests', undefined],
  ['All dashboard components render', 'tests', undefined],
  ['No console errors', 'visit', undefined],
  ['Expect "Total"', 'visit', undefined],
  ['Click "Save"', 'tests', undefined],
])('%s', (check, by, command) => {
  expect(askedChecks(feature([check]), true)).toEqual([{ check, by, ...(command === undefined ? {} : { command }) }]);
});

test('without a visit there is no page to ask, and an object is always a command', () => {
  expect(askedChecks(feature(['No console errors', { name: 'Links work', command: 'sh links.sh' }]), false)).toEqual([
    { check: 'No console errors', by: 'tests' },
    { check: 'Links work', by: 'command', command: 'sh links.sh' },
  ]);
});
