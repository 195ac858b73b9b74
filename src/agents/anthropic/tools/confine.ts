/**
 * Which paths the file tools may touch.
 *
 * 1. A path counts by where it really leads: a link that leaves the workspace is refused, and so is one that leads nowhere.
 * 2. Besides the workspace, only the session's temporary directory and the role's output file are open.
 * 3. Denied paths are checked on the path as written and on the real one; they win over allowed ones.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { AgentTask, ToolPolicy } from '../../contract.ts';
import type { Platform } from '../../../platform/platform.ts';
import { globMatcher } from './glob.ts';

/** `root`: the open folder that the path lies in. */
export type Confined = { ok: true; path: string; shown: string; root: string } | { ok: false; message: string };

export async function confine(platform: Platform, task: AgentTask, path: string): Promise<Confined> {
  if (path === '' || path.includes('\0')) return { ok: false, message: 'the path is empty or contains a null byte' };
  const written = resolve(task.workspace, path);
  const real = await realPath(platform, written);
  if (real === null) return { ok: false, message: `${path} is a broken link; remove it first` };
  if (task.outputFile !== null && real === (await realPath(platform, task.outputFile)))
    return { ok: true, path: real, shown: task.outputFile, root: dirname(real) };
  const temporary = await realPath(platform, task.temporary);
  if (temporary !== null && isInside(temporary, real)) return { ok: true, path: real, shown: written, root: temporary };
  const root = await platform.files.realpath(task.workspace);
  if (!isInside(root, real)) return { ok: false, message: `${path} is outside the workspace` };
  const shown = relative(root, real) || '.';
  for (const candidate of [shown, relative(task.workspace, written)]) {
    const denial = denialOf(task.tools.filesystem, candidate);
    if (denial !== null) return { ok: false, message: `${path}: ${denial}` };
  }
  return { ok: true, path: real, shown, root };
}

/** Why the policy closes a path that is relative to the workspace; null when it is open. */
export function denialOf(policy: ToolPolicy['filesystem'], path: string): string | null {
  const denied = policy.denied_paths.find((rule) => covers(rule, path));
  if (denied !== undefined) return `not allowed (tools.filesystem.denied_paths: ${denied})`;
  const open = policy.allowed_paths.length === 0 || path === '.' || path === '' || policy.allowed_paths.some((rule) => covers(rule, path));
  return open ? null : 'not among tools.filesystem.allowed_paths';
}

function covers(rule: string, path: string): boolean {
  const wanted = rule.replace(/^\.\//, '').replace(/\/+$/, '');
  if (wanted === '' || wanted === '.') return path !== '..' && !path.startsWith('../');
  if (path === wanted || path.startsWith(`${wanted}/`)) return true;
  return /[*?[{]/.test(wanted) && (globMatcher(wanted)(path) || globMatcher(`${wanted}/**`)(path));
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !isAbsolute(way));
}

/** Resolves the part that exists; null for a link without a target. */
async function realPath(platform: Platform, path: string): Promise<string | null> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = await platform.files.realpath(at).catch(() => null);
    if (real !== null) return join(real, ...missing);
    if (await platform.files.exists(at)) return null;
    missing.unshift(basename(at));
    if (dirname(at) === at) return null;
  }
}
