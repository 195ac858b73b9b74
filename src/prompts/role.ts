/**
 * Roles are data: a Markdown file with front matter, a stable part (the system text, byte-identical for every session of the role) and,
 * after `<!-- prompt -->`, the part with variables.
 *
 * 1. The stable part has no variables.
 * 2. Every declared variable is used and every used one is declared; `parseRole` refuses anything else.
 * 3. Values are put in once: text inside a value that looks like a variable stays as it is.
 */
import { usageError } from '../domain/errors.ts';

export interface Role {
  role: string;
  model: string;
  variables: readonly string[];
  system: string;
  prompt: string;
}

const SEPARATOR = '<!-- prompt -->';

export function parseRole(text: string, source: string): Role {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n'));
  if (match === null) throw usageError(`${source}: a role file starts with front matter between two lines "---"`);
  const [, head = '', body = ''] = match;
  const field = (name: string): string | null => new RegExp(`^${name}:(.*)$`, 'm').exec(head)?.[1]?.trim() || null;
  const role = field('role');
  if (role === null) throw usageError(`${source}: front matter has no "role:"`);
  const variables = (field('variables') ?? '[]')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const parts = body.split(SEPARATOR);
  if (parts.length !== 2) throw usageError(`${source}: needs exactly one line "${SEPARATOR}" between the stable part and the prompt`);
  const system = parts[0]!.trim();
  const prompt = parts[1]!.trim();
  checkVariables(source, system, prompt, variables);
  return { role, model: field('model') ?? 'default', variables, system, prompt };
}

function checkVariables(source: string, system: string, prompt: string, declared: readonly string[]): void {
  const used = new Set([...prompt.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!));
  if (/\{\{\w+\}\}/.test(system)) throw usageError(`${source}: the stable part must have no variables`);
  for (const name of used)
    if (!declared.includes(name)) throw usageError(`${source}: uses {{${name}}} without declaring it under "variables:"`);
  for (const name of declared) if (!used.has(name)) throw usageError(`${source}: declares the variable ${name} and never uses it`);
}

export function renderPrompt(role: Role, values: Readonly<Record<string, string>>): string {
  return role.prompt
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      if (!Object.hasOwn(values, name))
        throw usageError(`role ${role.role}: the harness has no value for {{${name}}}`, `It knows: ${Object.keys(values).join(', ')}.`);
      return values[name]!;
    })
    .trimEnd();
}
