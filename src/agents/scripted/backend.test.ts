import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bench, collect, endOf, ofType, wholeTurn, type Bench } from '../test-support.ts';
import { scriptedBackend } from './backend.ts';
import type { ScenarioInput } from './scenario.ts';

const SCENARIO: ScenarioInput = {
  conversations: [
    {
      when: { role: 'project/initializer' },
      steps: [{ tools: [{ name: 'write_file', input: { path: 'who', content: 'initializer' } }] }, { text: 'Ready.' }],
    },
    { when: { role: 'project/coding', feature: 3, session: 8 }, steps: [{ text: 'Second try.' }] },
    {
      when: { role: 'project/coding', feature: 3 },
      steps: [{ tools: [{ name: 'write_file', input: { path: 'who', content: 'feature 3' } }] }, { text: 'Built.' }],
    },
  ],
};

let at: Bench;
beforeEach(async () => {
  at = await bench();
});
afterEach(() => at.remove());

test('the conversation follows from role, feature and session', async () => {
  const backend = scriptedBackend({ scenario: SCENARIO, idleTimeoutMs: 60_000_000 });
  const play = async (overrides: Partial<Bench['task']>): Promise<string> => {
    const events = await wholeTurn(await backend.start({ ...at.task, ...overrides }, { platform: at.platform }), 'Begin.');
    return ofType(events, 'text').at(-1)?.text ?? JSON.stringify(endOf(events));
  };
  expect(await play({ role: 'project/initializer', feature: null, testFiles: [] })).toBe('Ready.');
  expect(await readFile(join(at.task.workspace, 'who'), 'utf8')).toBe('initializer');
  expect(await play({})).toBe('Built.');
  expect(await readFile(join(at.task.workspace, 'who'), 'utf8')).toBe('feature 3');
  expect(await play({ session: 8 })).toBe('Second try.');
  expect(await play({ feature: 99 })).toContain('no conversation of the scenario fits');
});

test('a role without tools is still played from the scenario', async () => {
  const tools = { shell: { ...at.task.tools.shell, enabled: false }, filesystem: { ...at.task.tools.filesystem, enabled: false } };
  const backend = scriptedBackend({ scenario: { conversations: [{ steps: [{ text: 'My verdict.' }] }] } });
  const events = await wholeTurn(await backend.start({ ...at.task, tools }, { platform: at.platform }), 'Judge.');
  expect(ofType(events, 'text')[0]?.text).toBe('My verdict.');
});

test('the scenario can be a file, named in the environment', async () => {
  const path = join(at.task.temporary, 'scenario.json');
  await writeFile(path, JSON.stringify(SCENARIO));
  const platform = { ...at.platform, env: { HARNESS_SCENARIO: path } };
  const events = await wholeTurn(await scriptedBackend().start(at.task, { platform }), 'Begin.');
  expect(endOf(events)).toEqual({ kind: 'finished' });
});

test('a scenario that cannot be used is refused with file, field and problem', async () => {
  const path = join(at.task.temporary, 'scenario.json');
  const start = (): Promise<unknown> => scriptedBackend({ scenario: path }).start(at.task, { platform: at.platform });
  await expect(start()).rejects.toThrow(/does not exist/);
  await writeFile(path, '{');
  await expect(start()).rejects.toThrow(/not JSON/);
  await writeFile(path, JSON.stringify({ conversations: [{ steps: [{ txt: 'typo' }] }] }));
  await expect(start()).rejects.toMatchObject({ details: expect.arrayContaining([expect.stringContaining('conversations.0.steps.0')]) });
});

test('after the stop no further turn is played', async () => {
  const conversation = await scriptedBackend({ scenario: SCENARIO, idleTimeoutMs: 60_000_000 }).start(at.task, { platform: at.platform });
  await collect(conversation.turn('Begin.'));
  await conversation.stop();
  expect(endOf(await collect(conversation.turn('Again.')))).toEqual({ kind: 'stopped' });
});
