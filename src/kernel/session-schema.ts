/**
 * The fields of `.harness/state.json`, for both flows that use it.
 *
 * 1. Missing fields have a value in memory; nothing is written back for it.
 * 2. Fields that this version does not know are kept, at every level.
 * 3. What the harness needs beyond the fields of the flow lives under `harness`.
 */
import { z } from '../domain/zod.ts';
import { BACKEND_NAMES } from '../agents/registry.ts';
import { MODEL_NAMES } from './roles/models.ts';
import { NO_SCOPE } from './ground/scope.ts';
import { slugify } from './ground/slug.ts';

export const WORKFLOW_PHASES = [
  'plan_ready',
  'planning',
  'plan_done',
  'generate_ready',
  'generating',
  'generate_done',
  'verify_ready',
  'verifying',
  'verify_done',
  'evaluate_ready',
  'evaluating',
  'evaluate_done',
  'completed',
] as const;
export type WorkflowPhase = (typeof WORKFLOW_PHASES)[number];

export const WORKFLOW_V1_PHASES = [
  'plan_ready',
  'gen_ready',
  'verify_ready',
  'verifying',
  'verify_done',
  'eval_ready',
  'completed',
] as const;

export const SPEC_PHASES = [
  'setup',
  'convention_scan_active',
  'qa_active',
  'qa_complete',
  'gen_ready',
  'critic_active',
  're_synthesis_active',
  're_critic_active',
  'critic_complete',
  'critic_halted',
  'spec_ready',
  'completed',
] as const;
export type SpecPhase = (typeof SPEC_PHASES)[number];

const count = z.int().min(0);
const text = z.string();
const optionalText = z.string().nullable().default(null);
/** As it is used: a path that is written in another way is another path to git. */
const documentsPath = z
  .string()
  .refine(isPlainPath, { message: 'must be a plain path like docs/harness/<name>/, without "./", "//" and control characters' })
  .transform((path) => (path === '' || path.endsWith('/') ? path : `${path}/`))
  .nullable()
  .default(null);
const branchName = z
  .string()
  .refine((name) => /^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\\]+(?<![/.])$/.test(name) && !hasControl(name), {
    message: 'must be the name of a branch',
  })
  .nullable()
  .default(null);
const slugName = z
  .string()
  .regex(/^[a-z0-9_-]+$/i, 'must be a name of letters, digits, "-" and "_"')
  .nullable()
  .default(null);
const objectName = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be the full name of a git object')
  .nullable()
  .default(null);
const languageTag = z.string().refine(isLanguageTag, { message: 'must be the tag of a language, like en or de' });
const model = z.enum(MODEL_NAMES);

/** Null: not looked yet. `skipped`: a person said so. `file:<path>`: there they are. */
export const CONVENTIONS_FILE = 'file:.harness/conventions.md';
const conventions = z
  .union([z.literal('skipped'), z.string().regex(/^file:/), z.null()])
  .default(null)
  .describe('null, "skipped" or "file:<path>"');

const harness = z
  .looseObject({
    /** Sessions of agents so far; they are numbered by it. */
    sessions: count.default(0),
    /** Commit and tree that the work starts from. */
    base_commit: objectName,
    base_tree: objectName,
    /** Tree of the work as it stands. */
    candidate_tree: objectName,
    /** The branch that HEAD was on before the session moved it. */
    origin: branchName,
  })
  .prefault({});

const roleModels = z.looseObject({
  preset: z.enum(['default', 'all-opus', 'balanced', 'economy', 'custom']),
  executor: model.nullable().default(null),
  advisor: model.nullable().default(null),
  evaluator: model.nullable().default(null),
});

const workflowFlags = z
  .looseObject({ verifier_model: model.nullable().default(null), output_dir: optionalText })
  .nullish()
  .transform((flags) => flags ?? { verifier_model: null, output_dir: null });

const verify = z
  .looseObject({
    layer1_result: z.enum(['PASS', 'FAIL']).nullable().default(null),
    layer1_retries: count.default(0),
    layer2_result: z.enum(['PASS', 'FAIL']).nullable().default(null),
    layer2_retries: count.default(0),
    todo_blocking: z.boolean().default(false),
    autofix_attempted: z.boolean().default(false),
  })
  .prefault({});

const autofix = z.looseObject({
  last_patch_path: text,
  applied: z.enum(['proposed', 'applied', 'rejected', 'stopped']),
  triggered_at: text,
});

const started = {
  task: text,
  user_lang: languageTag.default('en'),
  /** Null: not looked yet. */
  has_git: z.boolean().nullable().default(null),
  created_at: text.default(''),
  /** The agent that a command named for this session; those that go on with it need not name it again. */
  agent: z
    .object({ backend: z.enum(BACKEND_NAMES), command: z.string().min(1).nullable() })
    .nullable()
    .default(null),
  harness,
};

/** Setup has begun and is not finished: only what it had found out is there. */
export const WorkflowDraftSchema = z
  .looseObject({
    ...started,
    version: z.literal('2.0'),
    skill: z.literal('workflow').default('workflow'),
    cli_flags: workflowFlags,
    docs_path: documentsPath,
    slug: slugName,
  })
  .transform(withPlace);

export const WorkflowSchema = z
  .looseObject({
    ...started,
    version: z.literal('2.0'),
    skill: z.literal('workflow').default('workflow'),
    mode: z.enum(['single', 'standard', 'multi']),
    run_style: z.enum(['auto', 'phase', 'step']).default('auto'),
    model_config: roleModels.extend({ verifier: model.default('haiku') }),
    cli_flags: workflowFlags,
    repo_name: text.default(''),
    repo_path: text.default(''),
    phase: z.enum(WORKFLOW_PHASES),
    round: count.default(1),
    max_rounds: count.default(3),
    max_files: count.default(20),
    scope: text.default(NO_SCOPE),
    branch: branchName,
    lang: text.default('unknown'),
    build_cmd: optionalText,
    test_cmd: optionalText,
    lint_cmd: optionalText,
    type_check_cmd: optionalText,
    verify,
    autofix: autofix.nullable().default(null),
    docs_path: documentsPath,
    slug: slugName,
    conventions,
    updated_at: text.default(''),
  })
  .transform(withPlace);

/** A session from before there were versions; a `verify` that is missing means that the step did not exist yet. */
export const WorkflowV1Schema = z
  .looseObject({
    ...started,
    mode: z.enum(['single', 'standard', 'multi']).default('standard'),
    model_config: roleModels
      .extend({ verifier: model.default('haiku') })
      .nullable()
      .default(null),
    phase: z.enum(WORKFLOW_V1_PHASES),
    round: count.default(1),
    max_rounds: count.default(3),
    max_files: count.default(20),
    scope: text.default(NO_SCOPE),
    branch: branchName,
    lang: text.default('unknown'),
    build_cmd: optionalText,
    test_cmd: optionalText,
    lint_cmd: optionalText,
    type_check_cmd: optionalText,
    verify: z
      .looseObject({ result: z.enum(['PASS', 'FAIL']).nullable().default(null), retries: count.default(0) })
      .nullable()
      .default(null),
    docs_path: documentsPath,
    slug: slugName,
    conventions,
    updated_at: text.default(''),
  })
  .transform(withPlace);

const critic = z.looseObject({
  applied: z.enum(['pending', 'revised', 'approved']).nullable().catch(null),
  round: count.default(0),
  last_findings_path: optionalText,
  failure_reason: z
    .enum(['dispatch_failed', 'parse_failed_approved', 'parse_failed_halted', 're_synthesis_failed', 'second_round_halted'])
    .nullable()
    .default(null)
    .catch(null),
});

export const SpecSchema = z
  .looseObject({
    ...started,
    skill: z.literal('spec'),
    mode: z.enum(['quick', 'deep']).nullable().default(null),
    model_config: roleModels.nullable().default(null),
    phase: z.enum(SPEC_PHASES),
    /** Null: no round yet. */
    qa_round: z.int().min(0).max(3).nullable().default(null),
    branch: branchName,
    docs_path: documentsPath,
    slug: slugName,
    cli_flags: z
      .looseObject({ reference: optionalText })
      .nullish()
      .transform((flags) => flags ?? { reference: null }),
    conventions,
    critic: critic.nullable().default(null),
    updated_at: text.default(''),
  })
  .transform(withPlace);

/** The named fields alone: unknown ones are kept but nobody can come to rely on them. */
type Known<Value> = Value extends object ? { [Key in keyof Value as string extends Key ? never : Key]: Known<Value[Key]> } : Value;

export type WorkflowDraft = Known<z.infer<typeof WorkflowDraftSchema>>;
export type WorkflowState = Known<z.infer<typeof WorkflowSchema>>;
export type WorkflowV1State = Known<z.infer<typeof WorkflowV1Schema>>;
export type SpecState = Known<z.infer<typeof SpecSchema>>;

/** Where the documents of the session are; sessions from before it was recorded have it from their task. */
function withPlace<State extends { task: string; docs_path: string | null; slug: string | null }>(
  state: State,
): State & { docs_path: string; slug: string } {
  const recorded = state.docs_path?.replace(/\/+$/, '').split('/').at(-1);
  const slug = state.slug ?? slugify(recorded === undefined || recorded === '' ? state.task : recorded);
  return { ...state, docs_path: state.docs_path ?? `docs/harness/${slug}/`, slug };
}

function hasControl(value: string): boolean {
  return /\p{Cc}/u.test(value);
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Where a path leads is another question, and another check's. */
function isPlainPath(path: string): boolean {
  const inner = path.replace(/^\/+/, '').replace(/\/$/, '');
  return !hasControl(path) && (inner === '' || !inner.split('/').some((part) => part === '.' || part === ''));
}
