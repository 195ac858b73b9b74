/** Tools of Claude Code that start other agents, at once or later, or talk to them; the first two are one by both of its names. */
export const CLAUDE_AGENT_TOOLS: readonly string[] = [
  'Agent',
  'Task',
  'Workflow',
  'Skill',
  'ListAgents',
  'SendMessage',
  'CronCreate',
  'CronDelete',
  'CronList',
  'ScheduleWakeup',
  'RemoteTrigger',
];

/** Tools of Claude Code that wait for a person or leave the workspace. */
export const CLAUDE_NEEDLESS_TOOLS: readonly string[] = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'EnterWorktree',
  'ExitWorktree',
];
