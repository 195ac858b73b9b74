/** The limits of the task, held against what was really changed. Pure. */
import type { TreeChange } from '../../../domain/tree.ts';
import { makeCheck, type Check } from './check.ts';

export interface Limits {
  maxFiles: number;
  scope: string;
  inScope(path: string): boolean;
}

export function checkLimits(changes: readonly Pick<TreeChange, 'path'>[], limits: Limits): Check {
  const paths = changes.map((change) => change.path);
  const outside = paths.filter((path) => !limits.inScope(path));
  if (outside.length > 0)
    return makeCheck('limits', 'failed', `${count(outside.length)} changed outside of the scope ${limits.scope}: ${some(outside)}`, {
      items: outside,
    });
  if (paths.length > limits.maxFiles)
    return makeCheck('limits', 'failed', `${count(paths.length)} changed, ${limits.maxFiles} are allowed: ${some(paths)}`, {
      items: paths,
    });
  return makeCheck('limits', 'passed', `${count(paths.length)} changed, ${limits.maxFiles} are allowed`);
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function some(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(', ') : `${paths.slice(0, 3).join(', ')} and ${paths.length - 3} more`;
}
