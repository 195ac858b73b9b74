/**
 * The shell tool.
 *
 * 1. One command, in the workspace, in the task's sandbox, with the agent's environment and nothing else.
 * 2. Ends with its process group: at its own end, at the time limit of the policy, or when the conversation is stopped.
 * 3. Denied commands are refused before they start; that is a courtesy to the agent, the sandbox is the wall.
 */
import { agentEnvironment } from '../../environment.ts';
import { clip } from './clip.ts';
import { done, refused, type Tool, type ToolOutcome } from './tool.ts';
import type { RunResult } from '../../../platform/processes.ts';
import { firstItem, lastItem } from '../../../domain/items.ts';

const OUTPUT_BYTES = 256 * 1024;
const GRACE_MS = 5_000;

export const shellTool: Tool = {
  definition: {
    name: 'shell',
    description:
      'Runs a command in the workspace and returns its exit code and output. Each call starts a new shell, so directory changes and variables do not carry over. ' +
      'Processes left in the background end with the call.',
    input_schema: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command, as for bash -c.' },
        timeout_seconds: { type: 'number', description: 'Time limit; never longer than the one of the project.' },
      },
      required: ['command'],
    },
  },
  run: async ({ platform, task, signal }, input) => {
    const command = input['command'];
    if (typeof command !== 'string' || command.trim() === '') return refused('shell needs a command');
    if (command.includes('\0')) return refused('the command contains a null byte');
    const denied = deniedBy(task.tools.shell.denied_commands, command);
    if (denied !== null) return refused(`this command is not allowed (tools.shell.denied_commands: ${denied}); find another way`);
    const asked = input['timeout_seconds'];
    const limit = task.tools.shell.timeout_seconds;
    const seconds = typeof asked === 'number' && asked > 0 ? Math.min(asked, limit) : limit;
    // Bash takes a socket on stdin for a remote shell and would read the user's start-up files.
    const shell = (await platform.files.exists('/bin/bash')) ? '/bin/bash --norc' : '/bin/sh';
    const result = await platform.processes.run({
      file: '/bin/sh',
      args: ['-c', `exec ${shell} -c "$0" 2>&1`, command],
      cwd: task.workspace,
      env: agentEnvironment(task),
      sandbox: task.sandbox,
      timeoutMs: seconds * 1_000,
      graceMs: GRACE_MS,
      maxOutputBytes: OUTPUT_BYTES,
      signal,
    });
    return describe(result, seconds);
  },
};

function describe(result: RunResult, seconds: number): ToolOutcome {
  const output = clip(result.stdout.toString('utf8') + result.stderr.toString('utf8')).trimEnd();
  if (result.aborted) return refused(`stopped\n${output}`);
  if (result.timedOut) return refused(`ended after ${seconds} seconds, the time limit\n${output}`);
  const status = result.signal === null ? `exit code: ${result.code}` : `ended by ${result.signal}`;
  const text = output === '' ? `${status}\n(no output)` : `${status}\n${output}`;
  return result.code === 0 ? done(text) : refused(text);
}

const HARMLESS_DEVICES = />>?\s*\/dev\/(null|stdout|stderr|tty|fd\/\d+)(?![\w/])/g;

/** The rule that a command falls under: rules match as written, with any white space, and not inside a longer word. */
export function deniedBy(rules: readonly string[], command: string): string | null {
  const plain = command.replace(HARMLESS_DEVICES, ' ');
  return rules.find((rule) => ruleExpression(rule)?.test(plain) ?? false) ?? null;
}

function ruleExpression(rule: string): RegExp | null {
  const words = rule
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return null;
  const gap = /^[<>|&;]/.test(firstItem(words)) ? '\\s*' : '\\s+';
  const source = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join(gap);
  const before = /^\w/.test(firstItem(words)) ? '(?<![\\w.-])' : '';
  const after = /\w$/.test(lastItem(words)) ? '(?![\\w-])' : '';
  return new RegExp(`${before}${source}${after}`);
}
