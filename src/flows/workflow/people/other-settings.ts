/** What a repeated command asks for and the session under way does not have: refused, never left out silently. */
import { posix } from 'node:path';
import { usageError } from '../../../domain/errors.ts';
import { validatePath } from '../../../domain/validate-path.ts';
import { commandsOf, fillScope } from '../../../kernel/ground/commands.ts';
import { NO_SCOPE } from '../../../kernel/ground/scope.ts';
import type { Place } from '../../../kernel/place.ts';
import { chooseVerifier, parseModels, type RoleModels } from '../../../kernel/roles/models.ts';
import type { WorkflowDraft } from '../../../kernel/session-schema.ts';
import type { WorkflowRequest } from '../contract.ts';
import { newOwnState, type Session } from '../session.ts';
import { DEFAULT_MAX_FILES } from './setup.ts';

/** Null: still to be chosen. */
interface Settings {
  mode: string | null;
  scope: string;
  max_files: number;
  docs_path: string;
  model_config: (RoleModels & { verifier: string }) | { preset: null; verifier: string };
  lint_cmd: string | null;
  type_check_cmd: string | null;
}

type Given = Omit<WorkflowRequest, 'step' | 'task' | 'conventions'>;

export function checkedFor(request: WorkflowRequest, session: Session): Session {
  refuseOthers(session.task, otherSettings(request, session));
  return session;
}

/** A question that is still open may be answered on the command line; everything else was settled when the set-up began. */
export async function checkedDraft(place: Place, request: WorkflowRequest, draft: WorkflowDraft): Promise<WorkflowDraft> {
  const began = newOwnState(draft.harness).draft?.request ?? null;
  if (began === null) return draft;
  const { lintCommand: lint, typeCheckCommand: typeCheck, scope } = began;
  const models = began.modelConfig === null ? null : parseModels(began.modelConfig);
  const verifier = chooseVerifier(began.verifierModel) ?? 'haiku';
  const settings: Settings = {
    mode: began.mode,
    scope: scope ?? NO_SCOPE,
    max_files: began.maxFiles ?? DEFAULT_MAX_FILES,
    docs_path: draft.docs_path,
    model_config: models?.ok === true ? { ...models.models, verifier } : { preset: null, verifier },
    ...(await commandsOf(place, { lint, typeCheck, scope })),
  };
  refuseOthers(draft.task, otherSettings(request, settings));
  return draft;
}

function refuseOthers(task: string, other: readonly string[]): void {
  if (other.length === 0) return;
  throw usageError(
    `The session of "${task}" is under way with other settings: ${other.join('; ')}.`,
    'Give the command without them, or end the session first and start over.',
  );
}

export function otherSettings(request: Given, session: Settings): string[] {
  const lint = givenCommand(request.lintCommand, session.scope);
  const typeCheck = givenCommand(request.typeCheckCommand, session.scope);
  const { verifier, preset } = session.model_config;
  const folder = session.docs_path.replace(/\/+$/, '');
  const isMode = session.mode === null || request.mode === session.mode;
  const rows: [string, string | number | null, string | number, boolean][] = [
    ['--mode', request.mode, session.mode ?? '', isMode],
    ['--model-config', request.modelConfig, preset ?? '', hasModels(request.modelConfig, session.model_config)],
    ['--scope', request.scope, session.scope, request.scope === session.scope],
    ['--max-files', request.maxFiles, session.max_files, request.maxFiles === session.max_files],
    ['--output-dir', request.outputDir, session.docs_path, isWithin(request.outputDir, folder)],
    ['--verifier-model', request.verifierModel, verifier, request.verifierModel === verifier],
    ['--lint-cmd', lint, session.lint_cmd ?? 'none', lint === (session.lint_cmd ?? '')],
    ['--type-check-cmd', typeCheck, session.type_check_cmd ?? 'none', typeCheck === (session.type_check_cmd ?? '')],
  ];
  return rows.filter(([, given, , isSame]) => given !== null && !isSame).map(([name, given, has]) => `${name} is ${has}, not ${given}`);
}

function hasModels(given: string | null, models: Settings['model_config']): boolean {
  if (given === null || models.preset === null) return true;
  const parsed = parseModels(given);
  if (!parsed.ok) return false;
  return (['executor', 'advisor', 'evaluator'] as const).every((role) => parsed.models[role] === models[role]);
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
