/**
 * Roles are data: a Markdown file with front matter, a stable part (the system text, byte-identical for every session of the role) and,
 * after `<!-- prompt -->`, the part with variables.
 *
 * 1. The stable part has no variables.
 * 2. Every declared variable is used and every used one is declared; `parseRole` refuses anything else.
 * 3. Values are put in once: text inside a value that looks like a variable stays as it is.
 * 4. Front matter: `role`, `model`, `variables: [a, b]`; and, where a flow asks for them, `kind`, `output: spec.md` (the file that the role
 *    writes), `reply: last /^pattern$/` (its contract line and where that stands: `first` or `last`), `tools: [files, shell, mcp]` (left out:
 *    whatever the settings allow; named: no more than these).
 */
import { usageError } from '../domain/errors.ts';
import { firstItem, itemAt, ownValue } from '../domain/items.ts';
import { allGroups, groupOf } from '../domain/text-parts.ts';

export interface Role {
  role: string;
  /** A key of `models` in the settings, or a model's name. */
  model: string;
  /** What sort of role it is within its flow, such as `analyst`. */
  kind: string | null;
  variables: readonly string[];
  output: string | null;
  reply: ReplyContract | null;
  /** Null: whatever the settings allow. */
  tools: readonly RoleTool[] | null;
  system: string;
  prompt: string;
}

export interface ReplyContract {
  where: 'first' | 'last';
  pattern: RegExp;
}

export const ROLE_TOOLS = ['files', 'shell', 'mcp'] as const;
export type RoleTool = (typeof ROLE_TOOLS)[number];

const SEPARATOR = '<!-- prompt -->';

export function parseRole(text: string, source: string): Role {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n'));
  if (match === null) throw usageError(`${source}: a role file starts with front matter between two lines "---"`);
  const [, head = '', body = ''] = match;
  const field = (name: string): string | null => new RegExp(`^${name}:(.*)$`, 'm').exec(head)?.[1]?.trim() || null;
  const role = field('role');
  if (role === null) throw usageError(`${source}: front matter has no "role:"`);
  const variables = listOf(field('variables') ?? '[]');
  const parts = body.split(SEPARATOR);
  if (parts.length !== 2) throw usageError(`${source}: needs exactly one line "${SEPARATOR}" between the stable part and the prompt`);
  const system = firstItem(parts).trim();
  const prompt = itemAt(parts, 1).trim();
  checkVariables(source, system, prompt, variables);
  return {
    role,
    model: field('model') ?? 'default',
    kind: field('kind'),
    variables,
    output: outputOf(source, field('output')),
    reply: replyOf(source, field('reply')),
    tools: toolsOf(source, field('tools')),
    system,
    prompt,
  };
}

function listOf(text: string): string[] {
  return text
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function outputOf(source: string, name: string | null): string | null {
  if (name === null || OUTPUT_NAME.test(name)) return name;
  throw usageError(`${source}: "output: ${name}" must be the plain name of a file, such as report.md`);
}

/** One name without folders, hidden names or anything a shell or a file system reads in its own way. */
export const OUTPUT_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

function replyOf(source: string, text: string | null): ReplyContract | null {
  if (text === null) return null;
  const match = /^(first|last)\s+\/(.+)\/([iu]*)$/.exec(text);
  if (match === null) throw usageError(`${source}: "reply:" must be "first" or "last" and a pattern, such as: reply: last /^DONE: .+$/`);
  try {
    return { where: match[1] as ReplyContract['where'], pattern: new RegExp(groupOf(match, 2), match[3]) };
  } catch (error) {
    throw usageError(`${source}: the pattern of "reply:" is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toolsOf(source: string, text: string | null): RoleTool[] | null {
  if (text === null) return null;
  return listOf(text).map((name) => {
    const tool = ROLE_TOOLS.find((known) => known === name);
    if (tool === undefined) throw usageError(`${source}: there is no tool "${name}"; "tools:" takes ${ROLE_TOOLS.join(', ')}`);
    return tool;
  });
}

function checkVariables(source: string, system: string, prompt: string, declared: readonly string[]): void {
  const used = new Set(allGroups(prompt, /\{\{(\w+)\}\}/g, 1));
  if (/\{\{\w+\}\}/.test(system)) throw usageError(`${source}: the stable part must have no variables`);
  for (const name of used)
    if (!declared.includes(name)) throw usageError(`${source}: uses {{${name}}} without declaring it under "variables:"`);
  for (const name of declared) if (!used.has(name)) throw usageError(`${source}: declares the variable ${name} and never uses it`);
}

export function renderPrompt(role: Role, values: Readonly<Record<string, string>>): string {
  const valueOf = (name: string): string => {
    const value = ownValue(values, name);
    if (value === null)
      throw usageError(`role ${role.role}: the harness has no value for {{${name}}}`, `It knows: ${Object.keys(values).join(', ')}.`);
    return value;
  };
  // A paragraph that is one variable has the blank lines of the role around it, and no others; without a value there is none.
  return role.prompt
    .split(/\n{2,}/)
    .map((part) => {
      const alone = /^\{\{(\w+)\}\}$/.exec(part);
      return alone === null
        ? part.replace(/\{\{(\w+)\}\}/g, (_, name: string) => valueOf(name))
        : valueOf(groupOf(alone, 1)).replace(/^\n+|\n+$/g, '');
    })
    .filter((part) => part !== '')
    .join('\n\n')
    .trimEnd();
}
