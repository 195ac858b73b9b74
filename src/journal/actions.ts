/**
 * What an agent says that it does, as data.
 *
 * 1. Prefixes such as `[CMD:RUN]` are read at the start of a line; everything else is no action.
 * 2. The lines after `[CMD:OUTPUT]` belong to it until the next prefix, up to LONGEST_OUTPUT characters.
 * 3. Actions are for people and for the progress monitor; no verdict rests on them.
 */

export type AgentAction =
  | { kind: 'file_read' | 'file_write'; path: string }
  | { kind: 'cmd_run'; cmd: string }
  | { kind: 'cmd_output'; text: string }
  | { kind: 'cmd_exit'; code: number | null }
  | { kind: 'verify_start' | 'verify_pass' | 'verify_fail'; feature: number | null; text: string }
  | { kind: 'decision'; text: string }
  | { kind: 'visual_screenshot'; path: string }
  | { kind: 'visual_verify'; text: string };

export interface ActionParser {
  /** Actions that are complete with this text; a line may arrive in pieces. */
  push(text: string): AgentAction[];
  end(): AgentAction[];
}

const PREFIX = /^\s*(?:[-*>]\s+)?`?\[([A-Z]+(?::[A-Z]+)?)\]`?[ \t]?(.*)$/;
const LONGEST_OUTPUT = 4_000;
const LONGEST_LINE = 65_536;

export function parseActions(text: string): AgentAction[] {
  const parser = createActionParser();
  return [...parser.push(text), ...parser.end()];
}

export function createActionParser(): ActionParser {
  let partial = '';
  let output: string | null = null;
  const closeOutput = (): AgentAction[] => {
    const actions: AgentAction[] = output === null ? [] : [{ kind: 'cmd_output', text: output.trim() }];
    output = null;
    return actions;
  };
  const line = (text: string): AgentAction[] => {
    const match = PREFIX.exec(text);
    if (match?.[1] === 'CMD:OUTPUT') {
      const before = closeOutput();
      output = match[2] ?? '';
      return before;
    }
    const action = match === null ? null : actionFor(match[1] ?? '', (match[2] ?? '').trim());
    if (action !== null) return [...closeOutput(), action];
    if (output !== null && output.length < LONGEST_OUTPUT) output = `${output}\n${text}`.slice(0, LONGEST_OUTPUT);
    return [];
  };
  return {
    push: (text) => {
      const lines = (partial + text).split('\n');
      partial = (lines.pop() ?? '').slice(0, LONGEST_LINE);
      return lines.flatMap(line);
    },
    end: () => {
      const last = partial === '' ? [] : line(partial);
      partial = '';
      return [...last, ...closeOutput()];
    },
  };
}

/** What a tool call means, whatever the agent calls its tools; `null` when it is neither a command nor a file. */
export function toolAction(name: string, input: Readonly<Record<string, unknown>>): AgentAction | null {
  const tool = name.toLowerCase().replace(/^.*__/, '').replace(/[-\s]/g, '_');
  if (COMMAND_TOOLS.has(tool)) {
    const cmd = commandText(input['command'] ?? input['cmd'] ?? input['script']);
    return cmd === null ? null : { kind: 'cmd_run', cmd };
  }
  const kind = WRITING_TOOLS.has(tool) ? 'file_write' : READING_TOOLS.has(tool) ? 'file_read' : null;
  const path = ['path', 'file_path', 'notebook_path', 'filename', 'file']
    .map((key) => input[key])
    .find((value) => typeof value === 'string');
  return kind === null || typeof path !== 'string' ? null : { kind, path };
}

const COMMAND_TOOLS = new Set([
  'shell',
  'bash',
  'exec_command',
  'local_shell',
  'local_shell_call',
  'run_command',
  'run_shell_command',
  'execute',
  'terminal',
]);
const WRITING_TOOLS = new Set([
  'write_file',
  'write',
  'edit',
  'edit_file',
  'multiedit',
  'notebookedit',
  'create_file',
  'str_replace',
  'replace',
  'insert',
  'file_change',
]);
const READING_TOOLS = new Set(['read_file', 'read', 'view', 'open_file', 'notebookread']);

interface Mark {
  meaning: string;
  /** Null: nothing follows the mark that could be kept. */
  read(rest: string): AgentAction | null;
}

/** Every mark that is read, and what it says. */
export const ACTION_MARKS = {
  'FILE:READ': { meaning: 'a file was read; its path follows', read: (path) => (path === '' ? null : { kind: 'file_read', path }) },
  'FILE:WRITE': { meaning: 'a file was written; its path follows', read: (path) => (path === '' ? null : { kind: 'file_write', path }) },
  'CMD:RUN': { meaning: 'a command is run; the command follows', read: (cmd) => (cmd === '' ? null : { kind: 'cmd_run', cmd }) },
  'CMD:OUTPUT': { meaning: 'what the command printed, up to the next mark', read: (text) => ({ kind: 'cmd_output', text }) },
  'CMD:EXIT': {
    meaning: 'the exit status of the command',
    read: (rest) => ({ kind: 'cmd_exit', code: /^-?\d+\b/.test(rest) ? Number.parseInt(rest, 10) : null }),
  },
  'VERIFY:START': {
    meaning: 'the agent begins to check a feature',
    read: (text) => ({ kind: 'verify_start', feature: featureIn(text), text }),
  },
  'VERIFY:PASS': {
    meaning: 'the agent says that its check passed; nothing rests on it',
    read: (text) => ({ kind: 'verify_pass', feature: featureIn(text), text }),
  },
  'VERIFY:FAIL': {
    meaning: 'the agent says that its check failed',
    read: (text) => ({ kind: 'verify_fail', feature: featureIn(text), text }),
  },
  DECISION: {
    meaning: 'a decision and its reason; kept in `decisions.jsonl` and shown to later sessions',
    read: (text) => (text === '' ? null : { kind: 'decision', text }),
  },
  'VISUAL:SCREENSHOT': {
    meaning: 'a screenshot was taken; its path follows',
    read: (path) => (path === '' ? null : { kind: 'visual_screenshot', path }),
  },
  'VISUAL:VERIFY': {
    meaning: 'what the agent saw on a screenshot',
    read: (text) => (text === '' ? null : { kind: 'visual_verify', text }),
  },
} as const satisfies Readonly<Record<string, Mark>>;

function actionFor(prefix: string, rest: string): AgentAction | null {
  const mark: Mark | undefined = Object.hasOwn(ACTION_MARKS, prefix) ? ACTION_MARKS[prefix as keyof typeof ACTION_MARKS] : undefined;
  return mark?.read(rest) ?? null;
}

function featureIn(text: string): number | null {
  const match = /^(?:feature\s*)?#?(\d{1,9})\b/i.exec(text);
  return match === null ? null : Number(match[1]);
}

function commandText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join(' ') : null;
}
