/** Finds a role: a user's override first (project, then $HARNESS_HOME), else the shipped text. */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import cleanup from './roles/project-cleanup.md';
import coding from './roles/project-coding.md';
import continuation from './roles/project-continuation.md';
import initializer from './roles/project-initializer.md';
import { parseRole, type Role } from './role.ts';

export const SHIPPED_ROLES: Readonly<Record<string, string>> = {
  'project/initializer': initializer,
  'project/coding': coding,
  'project/continuation': continuation,
  'project/cleanup': cleanup,
};

export async function loadRole(platform: Platform, name: string, overrideDirs: readonly string[]): Promise<Role> {
  const file = `${name.replace('/', '-')}.md`;
  for (const folder of overrideDirs) {
    const text = await platform.files.readTextIfExists(join(folder, file));
    if (text !== null) return parseRole(text, join(folder, file));
  }
  const shipped = SHIPPED_ROLES[name];
  if (shipped === undefined) throw new Error(`no role ${name}`);
  return parseRole(shipped, name);
}
