/**
 * How `codex exec` is called.
 *
 * 1. Settings are overrides on the command line, so that they win over the user's own.
 * 2. In the harness's sandbox Codex runs without its own: one inside the other does not work. Without it, Codex confines its commands itself.
 * 3. Where the tool policy closes the shell, Codex is not given one; it has no other tool that runs commands.
 * 4. Model names of the settings are Claude's unless the user chose another: those leave Codex its default.
 */
import type { AgentTask } from '../contract.ts';

export function codexArguments(task: AgentTask, thread: string | null): string[] {
  const overrides = [
    ['approval_policy', 'never'],
    ['sandbox_mode', task.sandbox === null ? 'workspace-write' : 'danger-full-access'],
    ['sandbox_workspace_write.network_access', true],
    ['sandbox_workspace_write.exclude_slash_tmp', true],
    ['allow_login_shell', false],
    ['shell_environment_policy.ignore_default_excludes', false],
    ['check_for_update_on_startup', false],
    ['developer_instructions', task.system],
    ...(task.tools.shell.enabled ? [] : [['features.shell_tool', false] as const, ['features.unified_exec', false] as const]),
    ...(task.effort === undefined ? [] : [['model_reasoning_effort', task.effort] as const]),
    ...(task.alone === true ? [['features.multi_agent', false] as const] : []),
    ...Object.entries(task.mcpServers ?? {}).flatMap(([name, server]) => [
      [`mcp_servers.${key(name)}.command`, server.command],
      [`mcp_servers.${key(name)}.args`, [...server.args]],
      ...Object.entries(server.env).map(([variable, value]) => [`mcp_servers.${key(name)}.env.${key(variable)}`, value]),
    ]),
  ] as const;
  return [
    'exec',
    ...(thread === null ? [] : ['resume', thread]),
    '--json',
    '--skip-git-repo-check',
    '--ignore-rules',
    ...(isForeignModel(task.model) ? [] : ['--model', task.model]),
    ...overrides.flatMap(([name, value]) => ['--config', `${String(name)}=${toml(value)}`]),
    '-',
  ];
}

export function isForeignModel(model: string): boolean {
  return /claude/i.test(model);
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : toml(name);
}

/** JSON's strings and lists are TOML's too, apart from one control character. */
function toml(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
