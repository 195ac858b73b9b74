/**
 * Why the project's tool policy closes a call of an agent's own tool; null when it is open.
 *
 * 1. Tools are known by their input: `command` is for a shell, `file_path`, `notebook_path` and `path` name files, an absolute `pattern` too.
 * 2. This is the second line: the sandbox holds what an interpreter or a link would slip past here.
 */
import { isAbsolute } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { confine } from './anthropic/tools/confine.ts';
import { deniedBy } from './anthropic/tools/shell.ts';
import type { AgentTask } from './contract.ts';

const FILE_FIELDS = ['file_path', 'notebook_path', 'path'];

export async function refusalOf(platform: Platform, task: AgentTask, input: Readonly<Record<string, unknown>>): Promise<string | null> {
  const command = commandIn(input);
  if (command !== null) return shellRefusal(task, command);
  for (const path of filesIn(input)) {
    if (!task.tools.filesystem.enabled) return 'file tools are switched off by tools.filesystem.enabled';
    const confined = await confine(platform, task, path);
    if (!confined.ok) return confined.message;
  }
  return null;
}

export function commandIn(input: Readonly<Record<string, unknown>>): string | null {
  const value = input['command'] ?? input['cmd'];
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((word) => typeof word === 'string') ? value.join(' ') : null;
}

function shellRefusal(task: AgentTask, command: string): string | null {
  const { enabled, denied_commands } = task.tools.shell;
  if (!enabled) return 'the shell is switched off by tools.shell.enabled';
  const rule = deniedBy(denied_commands, command);
  return rule === null ? null : `this command is not allowed (tools.shell.denied_commands: ${rule}); find another way`;
}

function filesIn(input: Readonly<Record<string, unknown>>): string[] {
  const named = FILE_FIELDS.map((field) => input[field]).filter((value) => typeof value === 'string' && value !== '') as string[];
  const { pattern } = input;
  if (typeof pattern !== 'string' || !(isAbsolute(pattern) || pattern.startsWith('../'))) return named;
  return [...named, pattern.replace(/\/?[^/]*[*?[{].*$/s, '') || '/'];
}
