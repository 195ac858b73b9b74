import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { BACKEND_NAMES, checkBackends, createBackend, workingModel } from './registry.ts';

/** A machine with nothing installed beside the project, whatever this one has. */
function bareMachine(env: Record<string, string> = {}): Platform {
  const real = nodePlatform({ HARNESS_AGENT_CACHE: '/nowhere', ...env });
  return { ...real, files: { ...real.files, readTextIfExists: async () => null, exists: async () => false } };
}

test('every backend of the contract is listed, and reports whether it can start here', async () => {
  const reports = await checkBackends(bareMachine(), { command: './my-agent --go' });
  expect(reports.map((report) => report.name)).toEqual(['claude-code', 'anthropic', 'codex', 'acp', 'command', 'scripted']);
  expect(reports.filter((report) => report.can_start).map((report) => report.name)).toEqual(['acp', 'command']);
  for (const report of reports) expect(report.detail).not.toBe('');
});

test('a key and a scenario let the built-in backends start', async () => {
  const reports = await checkBackends(bareMachine({ ANTHROPIC_API_KEY: 'k', HARNESS_SCENARIO: 's.json' }));
  expect(reports.filter((report) => report.can_start).map((report) => report.name)).toEqual(['anthropic', 'scripted']);
});

test('an unknown name is refused with the names that exist', async () => {
  await expect(createBackend('cluade')).rejects.toMatchObject({
    exitCode: 2,
    details: expect.arrayContaining([expect.stringContaining(BACKEND_NAMES.join(', '))]),
  });
  await expect(createBackend('toString')).rejects.toMatchObject({ exitCode: 2 });
});

test('an agent that is not installed is reported with the command that installs it', async () => {
  const reports = await checkBackends(bareMachine());
  const installs = Object.fromEntries(reports.map((report) => [report.name, report.install]));
  expect(installs['claude-code']).toMatch(/^npm install --global @anthropic-ai\/claude-agent-sdk@\d/);
  expect(installs['codex']).toMatch(/^npm install --global @openai\/codex@\d/);
  expect(installs['acp']).toContain('agent.command');
});

test.each([
  ['command', 'claude-sonnet-4-6', ''],
  ['acp', 'claude-sonnet-4-6', ''],
  ['codex', 'claude-sonnet-4-6', ''],
  ['codex', 'gpt-5-codex', 'gpt-5-codex'],
  ['anthropic', 'claude-sonnet-4-6', 'claude-sonnet-4-6'],
  ['gone', 'm', 'm'],
])('%s with the setting %s is recorded with the model that works', (backend, model, recorded) => {
  expect(workingModel(backend, model)).toBe(recorded);
});
