import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bench, type Bench } from '../test-support.ts';
import { hooksFor, type Between } from './conversation.ts';
import type { HookInput, HookOutput } from './sdk-shape.ts';

let at: Bench;
let injected: string | null;
let over: number[];
let efforts: string[];
beforeEach(async () => {
  at = await bench();
  injected = null;
  over = [];
  efforts = [];
});
afterEach(() => at.remove());

function call(event: string, input: Omit<HookInput, 'hook_event_name'>, budget: 'go' | 'stop' = 'go'): Promise<HookOutput> {
  const between: Between = {
    takeInjected: () => ([injected, (injected = null)] as const)[0],
    nextInput: () => 1_234,
    onBudget: (tokens) => void over.push(tokens),
    onEffort: (level) => void efforts.push(level),
  };
  const hooks = hooksFor(at.task, { platform: at.platform, beforeRequest: () => budget }, between);
  return hooks[event]![0]!.hooks[0]!({ hook_event_name: event, ...input });
}
const refused = async (tool_name: string, tool_input: unknown): Promise<boolean> =>
  (await call('PreToolUse', { tool_name, tool_input })).hookSpecificOutput?.['permissionDecision'] === 'deny';

test('denied commands and paths are refused, others are not', async () => {
  expect(await refused('Bash', { command: 'ls; sudo rm x' })).toBe(true);
  expect(await refused('Bash', { command: 'npm test > /dev/null' })).toBe(false);
  expect(await refused('Read', { file_path: join(at.task.workspace, '.git/config') })).toBe(true);
  expect(await refused('Write', { file_path: '/etc/passwd', content: '' })).toBe(true);
  expect(await refused('Write', { file_path: join(at.task.workspace, 'src/a.js'), content: '' })).toBe(false);
  expect(await refused('Glob', { pattern: '/etc/**/*.conf' })).toBe(true);
  expect(await refused('Glob', { pattern: 'src/**/*.ts' })).toBe(false);
  expect(await refused('Grep', { pattern: 'x', path: '../other' })).toBe(true);
});

test('a link that leaves the workspace does not help', async () => {
  await mkdir(join(at.task.workspace, 'src'));
  await symlink('/etc', join(at.task.workspace, 'src', 'etc'));
  expect(await refused('Read', { file_path: join(at.task.workspace, 'src/etc/hostname') })).toBe(true);
});

test('tools of servers are not judged by the names of their fields', async () => {
  expect(await refused('mcp__db__query', { path: '/outside' })).toBe(false);
});

test('injected text goes out with the next result, once', async () => {
  injected = '75% of the context is used.';
  expect(await call('PostToolUse', { tool_name: 'Bash' })).toEqual({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: '75% of the context is used.' },
  });
  expect(await call('PostToolUse', { tool_name: 'Bash' })).toEqual({});
});

test('when the next request would go over the budget the agent is stopped before it', async () => {
  expect(await call('PostToolUseFailure', { tool_name: 'Bash' }, 'stop')).toMatchObject({ continue: false });
  expect(over).toEqual([1_234]);
});

test('the level that the program thinks with is told on', async () => {
  await call('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, effort: { level: 'high' } });
  await call('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  expect(efforts).toEqual(['high']);
});
