/** What a repeated command asks for and the session under way does not have. Pure. */
import { posix } from 'node:path';
import { validatePath } from '../../../domain/validate-path.ts';
import { fillScope } from '../../../kernel/ground/commands.ts';
import type { WorkflowRequest } from '../contract.ts';

interface Settings {
  mode: string;
  scope: string;
  max_files: number;
  docs_path: string;
  model_config: { verifier: string };
  lint_cmd: string | null;
  type_check_cmd: string | null;
}

type Given = Pick<WorkflowRequest, 'mode' | 'scope' | 'maxFiles' | 'outputDir' | 'verifierModel' | 'lintCommand' | 'typeCheckCommand'>;

export function otherSettings(request: Given, session: Settings): string[] {
  const lint = givenCommand(request.lintCommand, session.scope);
  const typeCheck = givenCommand(request.typeCheckCommand, session.scope);
  const verifier = session.model_config.verifier;
  const folder = session.docs_path.replace(/\/+$/, '');
  const rows: [string, string | number | null, string | number, boolean][] = [
    ['--mode', request.mode, session.mode, request.mode === session.mode],
    ['--scope', request.scope, session.scope, request.scope === session.scope],
    ['--max-files', request.maxFiles, session.max_files, request.maxFiles === session.max_files],
    ['--output-dir', request.outputDir, session.docs_path, isWithin(request.outputDir, folder)],
    ['--verifier-model', request.verifierModel, verifier, request.verifierModel === verifier],
    ['--lint-cmd', lint, session.lint_cmd ?? 'none', lint === (session.lint_cmd ?? '')],
    ['--type-check-cmd', typeCheck, session.type_check_cmd ?? 'none', typeCheck === (session.type_check_cmd ?? '')],
  ];
  return rows.filter(([, given, , isSame]) => given !== null && !isSame).map(([name, given, has]) => `${name} is ${has}, not ${given}`);
}

/** As the session keeps it: {scope} is filled in when it begins. */
function givenCommand(given: string | null, scope: string): string | null {
  return given === null ? null : fillScope(given, scope).trim();
}

/** The documents lie in the directory itself, or in one below it that is named after the task. */
function isWithin(outputDir: string | null, folder: string): boolean {
  if (outputDir === null) return true;
  const checked = validatePath(outputDir, 'output_dir');
  return checked.ok && (checked.path === folder || checked.path === posix.dirname(folder));
}
