/**
 * Finds roles: a user's file first (project, then $HARNESS_HOME), else the shipped text.
 *
 * 1. The role `flow/name` is the file `flow-name.md`; its front matter must carry the same name.
 * 2. A user may add roles to a flow: every `flow-*.md` in the folders is one.
 */
import { join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { parseRole, type Role } from './role.ts';
import { SHIPPED_ROLES } from './shipped.ts';

export async function loadRole(platform: Platform, name: string, overrideDirs: readonly string[]): Promise<Role> {
  const file = `${name.replace('/', '-')}.md`;
  for (const folder of overrideDirs) {
    const path = join(folder, file);
    const text = await platform.files.readTextIfExists(path);
    if (text !== null) return checked(parseRole(text, path), name, path);
  }
  const shipped = Object.hasOwn(SHIPPED_ROLES, name) ? SHIPPED_ROLES[name] : undefined;
  if (shipped === undefined)
    throw usageError(
      `There is no role ${name}.`,
      `Looked for ${file} in: ${overrideDirs.join(', ')}`,
      `The roles that ship: ${Object.keys(SHIPPED_ROLES).join(', ')}`,
    );
  return parseRole(shipped, name);
}

/** Names of all roles of a flow, those that ship first, then what the user added, each once. */
export async function listRoles(platform: Platform, flow: string, overrideDirs: readonly string[]): Promise<string[]> {
  const names = new Set(Object.keys(SHIPPED_ROLES).filter((name) => name.startsWith(`${flow}/`)));
  for (const folder of overrideDirs) {
    const entries = await platform.files.list(folder).catch(() => []);
    const own = entries.flatMap(({ name }) => (name.startsWith(`${flow}-`) && /^[a-z][a-z0-9-]*\.md$/.test(name) ? [name] : []));
    for (const name of own.toSorted()) names.add(`${flow}/${name.slice(flow.length + 1, -'.md'.length)}`);
  }
  return [...names];
}

function checked(role: Role, name: string, path: string): Role {
  if (role.role === name) return role;
  throw usageError(`${path}: front matter says "role: ${role.role}", but the file's name means ${name}`);
}
