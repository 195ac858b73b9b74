import { expect, test } from 'vitest';
import { hostsOf, mayAddDependencies, mayAddPackages, type DependencyRules } from './new-dependencies.ts';

const rules = (policy: DependencyRules['policy'], ...listed: string[]): DependencyRules => ({
  policy,
  listed: new Set(listed),
  hosts: new Set(['packages.example.org']),
});
const manifest = (dependencies: Record<string, string>): string => JSON.stringify({ dependencies });
const locked = (resolved: string, more: object = {}): string =>
  JSON.stringify({ packages: { '': {}, 'node_modules/zod': { version: '4.0.0', resolved, integrity: 'sha512-x', ...more } } });

test.each<[string, DependencyRules, Record<string, string>, boolean]>([
  ['asked about by default', rules('ask', 'zod'), { zod: '^4.0.0' }, false],
  ['listed', rules('listed', 'zod'), { zod: '^4.0.0' }, true],
  ['not listed', rules('listed', 'zod'), { zod: '^4.0.0', evil: '1.0.0' }, false],
  ['all allowed', rules('allow'), { zod: '>=4 <5', evil: '1.0.0-beta.1' }, true],
  ['listed, and from elsewhere', rules('listed', 'zod'), { zod: 'git+https://example.org/zod.git' }, false],
  ['listed, and another package under its name', rules('listed', 'zod'), { zod: 'npm:evil@1' }, false],
  ['allowed, and from a folder', rules('allow'), { zod: 'file:vendor/zod' }, false],
])('a dependency that is %s', (_, policy, dependencies, free) => {
  expect(mayAddDependencies(policy, manifest({ old: '1.0.0' }), manifest({ old: '1.0.0', ...dependencies }))).toBe(free);
});

test('what a lockfile adds has to come from a known registry, with a checksum', () => {
  const known = 'https://packages.example.org/zod/-/zod-4.0.0.tgz';
  expect(mayAddPackages(rules('listed'), null, locked(known))).toBe(true);
  expect(mayAddPackages(rules('ask'), null, locked(known))).toBe(false);
  expect(mayAddPackages(rules('allow'), null, locked('https://evil.example/zod.tgz'))).toBe(false);
  expect(mayAddPackages(rules('allow'), null, locked('https://packages.example.org@evil.example/zod.tgz'))).toBe(false);
  expect(mayAddPackages(rules('allow'), null, locked(known, { integrity: undefined }))).toBe(false);
  expect(mayAddPackages(rules('allow'), null, locked('zod', { link: true }))).toBe(false);
  expect(mayAddPackages(rules('allow'), locked('zod', { link: true }), locked('zod', { link: true }))).toBe(true);
  expect(hostsOf(locked(known))).toEqual(['packages.example.org']);
});
