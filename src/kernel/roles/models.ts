/**
 * Which model each role of the workflow and spec flows gets: pure.
 *
 * 1. A configuration is chosen once per session: a preset, or one's own `executor:<m>,advisor:<m>,evaluator:<m>`.
 * 2. Roles that one's own does not name come from `balanced`.
 * 3. The verifier runs and summarises checks; it is `haiku` in every preset and changes only by `--verifier-model`.
 * 4. Null means the configured default of the agent: no override.
 */
export const MODEL_NAMES = ['opus', 'sonnet', 'haiku'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];
export const MODEL_ROLES = ['executor', 'advisor', 'evaluator'] as const;
export type ModelRole = (typeof MODEL_ROLES)[number];
export type PresetName = 'default' | 'all-opus' | 'balanced' | 'economy';
export type RoleModels = { preset: PresetName | 'custom' } & Record<ModelRole, ModelName | null>;

export const PRESETS: Readonly<Record<PresetName, RoleModels>> = {
  default: { preset: 'default', executor: null, advisor: null, evaluator: null },
  'all-opus': { preset: 'all-opus', executor: 'opus', advisor: 'opus', evaluator: 'opus' },
  balanced: { preset: 'balanced', executor: 'sonnet', advisor: 'opus', evaluator: 'opus' },
  economy: { preset: 'economy', executor: 'haiku', advisor: 'sonnet', evaluator: 'sonnet' },
};

export type ParsedModels =
  | { ok: true; models: RoleModels }
  /** The parts that are wrong, as they were written. */
  | { ok: false; invalid: string[] };

/** `roles` are those that the flow has: the spec flow knows no evaluator. */
export function parseModels(text: string, roles: readonly ModelRole[] = MODEL_ROLES): ParsedModels {
  const wanted = text.trim().toLowerCase();
  if (isPreset(wanted)) return { ok: true, models: PRESETS[wanted] };
  const models: RoleModels = { ...PRESETS.balanced, preset: 'custom' };
  const seen = new Set<string>();
  const invalid: string[] = [];
  for (const part of text.split(',')) {
    const [role = '', name = '', ...more] = part.split(':').map((piece) => piece.trim().toLowerCase());
    const known = roles.find((candidate) => candidate === role);
    if (known === undefined || !isModelName(name) || more.length > 0 || seen.has(role)) invalid.push(part.trim());
    else models[known] = name;
    seen.add(role);
  }
  return invalid.length === 0 ? { ok: true, models } : { ok: false, invalid };
}

const MOST_RETRIES = 3;

export type ModelQuestion =
  | { status: 'ask'; retries: number; invalid: readonly string[] }
  /** `gaveUp`: the retries are used up and `balanced` was taken. */
  | { status: 'chosen'; models: RoleModels; gaveUp: boolean };

/** The question after an answer: settled, or asked again at most three times. */
export function answerModelQuestion(retries: number, answer: string, roles: readonly ModelRole[] = MODEL_ROLES): ModelQuestion {
  const parsed = parseModels(answer, roles);
  if (parsed.ok) return { status: 'chosen', models: parsed.models, gaveUp: false };
  if (retries >= MOST_RETRIES) return { status: 'chosen', models: PRESETS.balanced, gaveUp: true };
  return { status: 'ask', retries: retries + 1, invalid: parsed.invalid };
}

/** Null: not one of haiku, sonnet, opus. Without a value it is haiku. */
export function chooseVerifier(given: string | null): ModelName | null {
  return given === null ? 'haiku' : isModelName(given) ? given : null;
}

/** Checks are mechanical; a dearer model than haiku deserves a warning. */
export function isCostlyVerifier(model: ModelName): boolean {
  return model !== 'haiku';
}

/** The convention scanner reads a lot and decides little. */
export function scannerModel(models: Pick<RoleModels, 'preset' | 'advisor'>): ModelName | null {
  return models.preset === 'economy' ? 'haiku' : models.advisor;
}

function isPreset(text: string): text is PresetName {
  return Object.hasOwn(PRESETS, text);
}

function isModelName(text: string): text is ModelName {
  return MODEL_NAMES.some((name) => name === text);
}
