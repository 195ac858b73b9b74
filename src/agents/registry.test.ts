import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { BACKEND_NAMES, checkBackends, createBackend } from './registry.ts';

test('every backend of the contract is listed, and reports whether it can start here', async () => {
  const reports = await checkBackends(nodePlatform({}), { command: 'my-agent --go' });
  expect(reports.map((report) => report.name)).toEqual(['claude-code', 'anthropic', 'codex', 'acp', 'command', 'scripted']);
  expect(reports.filter((report) => report.can_start).map((report) => report.name)).toEqual(['command']);
  for (const report of reports) expect(report.detail).not.toBe('');
});

test('a key and a scenario let the built-in backends start', async () => {
  const reports = await checkBackends(nodePlatform({ ANTHROPIC_API_KEY: 'k', HARNESS_SCENARIO: 's.json' }));
  expect(reports.filter((report) => report.can_start).map((report) => report.name)).toEqual(['anthropic', 'scripted']);
});

test('an unknown name is refused with the names that exist', async () => {
  await expect(createBackend('cluade')).rejects.toMatchObject({ exitCode: 2, details: expect.arrayContaining([expect.stringContaining(BACKEND_NAMES.join(', '))]) });
  await expect(createBackend('toString')).rejects.toMatchObject({ exitCode: 2 });
});

test('a backend that is not built yet is refused in those words', async () => {
  await expect(createBackend('codex')).rejects.toThrow(/not part of this version/);
});
