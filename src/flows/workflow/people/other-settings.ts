/** What a repeated command asks for and the session under way does not have. Pure. */
import { posix } from 'node:path';
import { validatePath } from '../../../domain/validate-path.ts';
import type { WorkflowRequest } from '../contract.ts';

interface Settings {
  mode: string;
  scope: string;
  max_files: number;
  docs_path: string;
}

export function otherSettings(request: Pick<WorkflowRequest, 'mode' | 'scope' | 'maxFiles' | 'outputDir'>, session: Settings): string[] {
  const folder = session.docs_path.replace(/\/+$/, '');
  const rows: [string, string | number | null, string | number, boolean][] = [
    ['--mode', request.mode, session.mode, request.mode === session.mode],
    ['--scope', request.scope, session.scope, request.scope === session.scope],
    ['--max-files', request.maxFiles, session.max_files, request.maxFiles === session.max_files],
    ['--output-dir', request.outputDir, session.docs_path, isWithin(request.outputDir, folder)],
  ];
  return rows.filter(([, given, , isSame]) => given !== null && !isSame).map(([name, given, has]) => `${name} is ${has}, not ${given}`);
}

/** The documents lie in the directory itself, or in one below it that is named after the task. */
function isWithin(outputDir: string | null, folder: string): boolean {
  if (outputDir === null) return true;
  const checked = validatePath(outputDir, 'output_dir');
  return checked.ok && (checked.path === folder || checked.path === posix.dirname(folder));
}
