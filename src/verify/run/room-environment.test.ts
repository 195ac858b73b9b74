import { expect, test } from 'vitest';
import type { JudgeSettings } from '../contract.ts';
import { environmentBeside, environmentProblem, frozenPaths } from './room-environment.ts';

const AT = { room: '/room', folder: '/run', reports: '/run/secret', supportDirectory: '/run/support' };
const SANDBOX = {
  writable: ['/room', '/run/home', '/run/secret'],
  readOnlyAt: [
    ['/run/support', '/run/support'],
    ['/packages', '/packages'],
  ] as const,
  hidden: ['/keys'],
  network: 'none',
} as const;
const settings = (environment: JudgeSettings['environment']): JudgeSettings => ({ environment }) as JudgeSettings;
const SERVED = settings({ init: './init.sh', health_check: 'curl localhost' });

test('an environment has a sandbox that sees neither reports nor reporters and cannot change a test', () => {
  const beside = environmentBeside(SERVED, SANDBOX, AT, ['src/a.js', 'test/a.test.js', 'test/help/b.js', 'src/b.spec.ts']);
  expect(beside?.server).toEqual({
    start: './init.sh',
    check: 'curl localhost',
    sandbox: {
      ...SANDBOX,
      writable: ['/room', '/run/home', '/run/environment'],
      readOnly: ['/room/test', '/room/src/b.spec.ts'],
      readOnlyAt: [['/packages', '/packages']],
      hidden: ['/keys', '/run/secret', '/run/support'],
    },
  });
  expect(beside?.readyPath.startsWith('/run/environment/')).toBe(true);
  expect(beside?.notePath.startsWith('/run/environment/')).toBe(false);
});

test.each([
  ['no health check', settings({ init: './init.sh', health_check: null }), SANDBOX],
  ['no init', settings({ init: null, health_check: 'true' }), SANDBOX],
  ['no such settings', settings(undefined), SANDBOX],
  ['no sandbox', SERVED, null],
  ['the network of the machine', SERVED, { ...SANDBOX, network: 'host' as const }],
])('there is none with %s', (_title, given, sandbox) => {
  expect(environmentBeside(given, sandbox, AT, [])).toBeNull();
});

test('where there are too many files of tests, nothing can be changed', () => {
  expect(frozenPaths(Array.from({ length: 1_001 }, (_unused, index) => `src/${index}.test.js`))).toEqual(['.']);
});

test('what was missing is named', () => {
  expect(environmentProblem(SERVED, null)).toBeNull();
  expect(environmentProblem(SERVED, 'start\n')).toContain('./init.sh failed');
  expect(environmentProblem(SERVED, 'check\n')).toContain('curl localhost failed');
});
