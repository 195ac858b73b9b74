/**
 * Says a scripted tool call in the words of the client that asks: its tools are known by the names that the request offers.
 *
 * Scenarios use the names of the built-in loop. A tool that the client lacks becomes a shell command, where it has a shell.
 */
import { isAbsolute } from 'node:path';
import type { OfferedTool } from './model-request.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export function translateTool(call: ToolCall, offered: readonly OfferedTool[]): ToolCall {
  if (offered.some((tool) => tool.name === call.name && !isListShell(tool))) return call;
  if (call.name === 'shell') return inShell(String(call.input['command'] ?? ''), offered) ?? call;
  const path = String(call.input['path'] ?? '.');
  const own = isAbsolute(path) ? ownFileTool(call, path, offered) : null;
  if (own !== null) return own;
  const command = asCommand(call, path);
  return (command === null ? null : inShell(command, offered)) ?? ownFileTool(call, path, offered) ?? call;
}

function inShell(command: string, offered: readonly OfferedTool[]): ToolCall | null {
  const has = (name: string): OfferedTool | undefined => offered.find((tool) => tool.name === name);
  const bash = has('Bash') ?? has('bash');
  if (bash !== undefined) return { name: bash.name, input: { command, description: 'Run a command' } };
  if (has('exec_command')) return { name: 'exec_command', input: { cmd: command } };
  const shell = has('shell');
  if (shell === undefined) return null;
  return { name: 'shell', input: { command: isListShell(shell) ? ['bash', '-c', command] : command } };
}

function isListShell(tool: OfferedTool): boolean {
  return tool.name === 'shell' && tool.properties['command'] === 'array';
}

const FILE_TOOLS: Readonly<Record<string, { name: string; input(call: ToolCall, path: string): Record<string, unknown> }>> = {
  write_file: { name: 'Write', input: (call, path) => ({ file_path: path, content: call.input['content'] ?? '' }) },
  read_file: { name: 'Read', input: (_, path) => ({ file_path: path }) },
  edit_file: {
    name: 'Edit',
    input: (call, path) => ({ file_path: path, old_string: call.input['old_string'] ?? '', new_string: call.input['new_string'] ?? '' }),
  },
};

function ownFileTool(call: ToolCall, path: string, offered: readonly OfferedTool[]): ToolCall | null {
  const own = FILE_TOOLS[call.name];
  return own !== undefined && offered.some((tool) => tool.name === own.name) ? { name: own.name, input: own.input(call, path) } : null;
}

const REPLACE_SCRIPT =
  'const fs=require("fs");const [f,a,b]=process.argv.slice(1);const p=fs.readFileSync(f,"utf8").split(a);if(p.length!==2)throw new Error("not exactly one match");fs.writeFileSync(f,p.join(b))';

function asCommand(call: ToolCall, path: string): string | null {
  const text = (name: string): string => String(call.input[name] ?? '');
  if (call.name === 'write_file') return writeCommand(path, text('content'));
  if (call.name === 'read_file') return `cat -- ${quote(path)}`;
  if (call.name === 'edit_file')
    return `node -e ${quote(REPLACE_SCRIPT)} ${quote(path)} ${quote(text('old_string'))} ${quote(text('new_string'))}`;
  if (call.name === 'list_files') return `find ${quote(path)} -type f -not -path '*/.git/*' -not -path '*/node_modules/*'`;
  if (call.name === 'search') return `grep -rnE -e ${quote(text('pattern'))} -- ${quote(path)}`;
  return null;
}

/** A here-document keeps every byte but the last line end, which `printf` would keep too, at the price of one huge argument. */
function writeCommand(path: string, content: string): string {
  const folder = `mkdir -p -- "$(dirname -- ${quote(path)})"`;
  if (!content.endsWith('\n')) return `${folder} && printf %s ${quote(content)} > ${quote(path)}`;
  let mark = 'END_OF_FILE';
  while (content.split('\n').includes(mark)) mark += '_';
  return `${folder} && cat > ${quote(path)} <<'${mark}'\n${content}${mark}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
