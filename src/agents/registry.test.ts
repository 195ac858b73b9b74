import { expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { BACKEND_NAMES, checkBackends, createBackend } from './registry.ts';

test('every backend of the contract is listed, and reports whether it can start here', async () => {
  const reports = await checkBackends(nodePlatform({ HARNESS_AGENT_CACHE: '/nowhere' }), { command: 'my-agent --go' });
  expect(reports.map((report) => report.name)).toEqual(['claude-code', 'anthropic', 'codex', 'acp', 'command', 'scripted']);
  expect(reports.filter((report) => report.can_start).map((report) => report.name)).toEqual(['acp', 'command']);
  for (const report of reports) expect(report.detail).not.toBe('');
});

test('a key and a scenario let the built-in backends start', async () => {
  const reports = await checkBackends(
    nodePlatform({ ANTHROPIC_API_KEY: 'k', HARNESS_SCENARIO: 's.json', HARNESS_AGENT_CACHE: '/nowhere' }),
  );
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
  const reports = await checkBackends(nodePlatform({ HARNESS_AGENT_CACHE: '/nowhere' }));
  const installs = Object.fromEntries(reports.map((report) => [report.name, report.install]));
  expect(installs['claude-code']).toMatch(/^npm install --global @anthropic-ai\/claude-agent-sdk@\d/);
  expect(installs['codex']).toMatch(/^npm install --global @openai\/codex@\d/);
  expect(installs['acp']).toContain('agent.command');
});
