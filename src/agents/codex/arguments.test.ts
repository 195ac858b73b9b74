import { expect, test } from 'vitest';
import type { AgentTask } from '../contract.ts';
import { codexArguments } from './arguments.ts';

const task = (shell: boolean): AgentTask => ({
  role: 'workflow/verifier',
  session: 1,
  feature: null,
  testFiles: [],
  outputFile: null,
  model: 'claude-sonnet-4-6',
  system: 'You look.',
  workspace: '/work',
  temporary: '/tmp/x',
  env: {},
  sandbox: null,
  tools: {
    filesystem: { enabled: true, allowed_paths: [], denied_paths: [] },
    shell: { enabled: shell, timeout_seconds: 60, denied_commands: [] },
  },
  maxTurns: 10,
});

test('where the policy closes the shell, Codex gets none', () => {
  expect(codexArguments(task(false), null)).toEqual(expect.arrayContaining(['features.shell_tool=false', 'features.unified_exec=false']));
  expect(codexArguments(task(true), null).join(' ')).not.toContain('features.');
});
