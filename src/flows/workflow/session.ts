/**
 * A workflow session: everything its state file says, in the form the flow works with.
 *
 * 1. Sessions of the first format keep their file as it is: no version, their own phases. Where exactly they stand is kept under `harness`.
 * 2. Saving writes the fields that changed, in one write.
 */
import { z } from '../../domain/zod.ts';
import { CAPTURE_FINDINGS } from '../../domain/tree.ts';
import type { Place } from '../../kernel/place.ts';
import type { WorkflowState, WorkflowV1State } from '../../kernel/session-schema.ts';
import { changeWorkflow, changeWorkflowV1 } from '../../kernel/state-file.ts';
import { PHASES, type MachineState, type OwnState, type Phase } from './contract.ts';
import type { Rules } from './machine/event.ts';

type Settings = Omit<WorkflowState, keyof MachineState | 'harness' | 'version' | 'updated_at'>;

export interface Session extends MachineState, Settings {
  rules: Rules;
}

const candidate = z.object({
  tree: z.string(),
  commit: z.string(),
  findings: z
    .array(
      z.object({
        kind: z.enum(CAPTURE_FINDINGS),
        path: z.string(),
        detail: z.string(),
      }),
    )
    .default([]),
});

const OwnSchema = z.object({
  base_commit: z.string().nullable().default(null),
  base_tree: z.string().nullable().default(null),
  origin: z.string().nullable().default(null),
  candidate: candidate.nullable().default(null),
  retry: z
    .object({ layer: z.union([z.literal(1), z.literal(2)]), failure: z.string() })
    .nullable()
    .default(null),
  summary: z.string().nullable().default(null),
  checked: z
    .object({ tree: z.string(), result: z.enum(['PASS', 'FAIL']), summary: z.string() })
    .nullable()
    .default(null),
  verdict: z.enum(['PASS', 'FAIL L2', 'FAIL L3']).nullable().default(null),
  accepted: z.array(z.enum(['layer 1', 'layer 2', 'layer 3'])).default([]),
  asks: z
    .object({ gate: z.enum(['workflow.tampering', 'workflow.dependencies']), findings: z.array(z.string()), subjects: z.array(z.string()) })
    .nullable()
    .default(null),
  allowed: z.array(z.object({ path: z.string(), entry: z.object({ mode: z.string(), oid: z.string() }).nullable() })).default([]),
  confidence: z.string().nullable().default(null),
  landing: z
    .object({ choice: z.enum(['code', 'all', 'none']), commit: z.string().nullable() })
    .nullable()
    .default(null),
  wish: z.string().nullable().default(null),
  failed_scans: z.number().int().nullable().default(null),
  under_way: z.boolean().default(false),
  step: z.enum(['plan', 'generate', 'verify', 'evaluate']).nullable().default(null),
  draft: z
    .object({
      branch: z.string().nullable(),
      model_retries: z.number().int(),
      request: z.object({
        step: z.enum(['plan', 'generate', 'verify', 'evaluate']).nullable(),
        task: z.string().nullable(),
        mode: z.enum(['single', 'standard', 'multi']).nullable(),
        modelConfig: z.string().nullable(),
        conventions: z.enum(['scan', 'skip']).nullable().default(null),
        lintCommand: z.string().nullable(),
        typeCheckCommand: z.string().nullable(),
        verifierModel: z.string().nullable(),
        outputDir: z.string().nullable(),
        scope: z.string().nullable(),
        maxFiles: z.number().nullable(),
      }),
    })
    .nullable()
    .default(null),
  /** Only for sessions of the first format. */
  phase: z.enum(PHASES).optional(),
});

/** The harness's own part of a session, of a draft too. */
export function newOwnState(harness: unknown = {}): OwnState {
  return withoutPhase(ownState(harness));
}

/** A part that another version wrote, or a person, is taken for what it says or for nothing. */
function ownState(harness: unknown): z.infer<typeof OwnSchema> {
  const parsed = OwnSchema.safeParse(harness);
  return parsed.success ? parsed.data : OwnSchema.parse({});
}

export function fromState(state: WorkflowState): Session {
  const { version: _version, updated_at: _updated, harness, ...rest } = state;
  return { ...rest, harness: withoutPhase(ownState(harness)), rules: { legacy: null } };
}

const FROM_V1: Readonly<Record<WorkflowV1State['phase'], Phase>> = {
  plan_ready: 'plan_ready',
  gen_ready: 'generate_ready',
  verify_ready: 'verify_ready',
  verifying: 'verifying',
  verify_done: 'verify_done',
  eval_ready: 'evaluate_ready',
  completed: 'completed',
};

const TO_V1: Readonly<Record<Phase, WorkflowV1State['phase']>> = {
  plan_ready: 'plan_ready',
  planning: 'plan_ready',
  plan_done: 'plan_ready',
  generate_ready: 'gen_ready',
  generating: 'gen_ready',
  generate_done: 'verify_ready',
  verify_ready: 'verify_ready',
  verifying: 'verifying',
  verify_done: 'verify_done',
  evaluate_ready: 'eval_ready',
  evaluating: 'eval_ready',
  evaluate_done: 'eval_ready',
  completed: 'completed',
};

/** The first format always runs in the style `auto` and never scanned conventions. */
export function fromV1(state: WorkflowV1State): Session {
  const { updated_at: _updated, harness, verify, model_config, ...rest } = state;
  const own = ownState(harness);
  const kept = own.phase !== undefined && TO_V1[own.phase] === state.phase ? own.phase : FROM_V1[state.phase];
  return {
    ...rest,
    phase: kept,
    skill: 'workflow',
    run_style: 'auto',
    model_config: model_config ?? { preset: 'default', executor: null, advisor: null, evaluator: null, verifier: 'haiku' },
    cli_flags: { verifier_model: null, output_dir: null },
    repo_name: '',
    repo_path: '',
    verify: {
      layer1_result: verify?.result ?? null,
      layer1_retries: verify?.retries ?? 0,
      layer2_result: null,
      layer2_retries: 0,
      todo_blocking: false,
      autofix_attempted: false,
    },
    autofix: null,
    conventions: state.conventions ?? 'skipped',
    harness: withoutPhase(own),
    rules: { legacy: { verify: verify !== null } },
  };
}

function withoutPhase({ phase: _phase, ...own }: z.infer<typeof OwnSchema>): OwnState {
  return own;
}

/** One write of everything that differs. */
export async function saveSession(place: Pick<Place, 'platform' | 'documents'>, before: Session, after: Session): Promise<Session> {
  if (after.rules.legacy === null) {
    const change = differences(before, after);
    const harness = { ...(after.harness as object) } as WorkflowState['harness'];
    return fromState(await changeWorkflow(place, { ...change, harness }));
  }
  const { layer1_result, layer1_retries } = after.verify;
  const state = await changeWorkflowV1(place, {
    phase: TO_V1[after.phase],
    round: after.round,
    user_lang: after.user_lang,
    ...(after.rules.legacy.verify ? { verify: { result: layer1_result, retries: layer1_retries } } : {}),
    harness: { ...after.harness, phase: after.phase } as unknown as WorkflowV1State['harness'],
  });
  return fromV1(state);
}

function differences(before: Session, after: Session): Partial<WorkflowState> {
  const names = Object.keys(after).filter((name) => name !== 'rules' && name !== 'harness') as (keyof Session)[];
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).map((name) => [name, after[name]]),
  );
}
