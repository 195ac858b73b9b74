/** Paths that a report names. Pure. */
import { validatePath } from '../../../domain/validate-path.ts';

export interface NamedPaths {
  /** In the order of the report, at most five, all of them files of the tree. */
  valid: string[];
  /** Named, and not allowed. */
  refused: string[];
}

const MOST_PATHS = 5;
const MOST_REFUSED = 20;

export function namedPaths(report: string, tree: ReadonlySet<string>): NamedPaths {
  const valid = new Set<string>();
  const refused = new Set<string>();
  for (const word of report.split(/[\s"'`()<>[\]{},;]+/)) {
    const path = word
      .replace(/(?::\d+)+:?$/, '')
      .replace(/[.:]+$/, '')
      .replace(/^file:\/\//, '');
    if (!/[\w-]\.\w{1,8}$/.test(path) || path.includes('://')) continue;
    const checked = validatePath(path, 'file_reference');
    if (!checked.ok) refused.add(path);
    else if (tree.has(checked.path)) valid.add(checked.path);
  }
  return { valid: [...valid].slice(0, MOST_PATHS), refused: [...refused].slice(0, MOST_REFUSED) };
}
