/** The session's document, as this flow sees it. */
import type { Place } from '../../kernel/place.ts';
import type { SpecState as StoredSpec } from '../../kernel/session-schema.ts';
import { changeSpec, createSession, readSession, stateFilePath } from '../../kernel/state-file.ts';
import { usageError } from '../../domain/errors.ts';
import { SpecExtrasSchema, type SpecState } from './state.ts';

type Ground = Pick<Place, 'platform' | 'stateDir'>;

export async function createState(desk: Ground & Pick<Place, 'chosenAgent'>, state: SpecState): Promise<void> {
  await createSession(desk.platform, desk.stateDir, { ...state, agent: desk.chosenAgent, harness: { ...NO_TREES, ...state.harness } });
}

/** One write of all fields; those that this flow does not know stay. */
export async function writeState(desk: Ground, state: SpecState): Promise<void> {
  const stored = await readSession(desk.platform, desk.stateDir, { setAside: true });
  const kept = stored.kind === 'spec' ? stored.state.harness : NO_TREES;
  await changeSpec(desk.platform, desk.stateDir, { ...state, harness: { ...kept, ...state.harness } });
}

const NO_TREES = { sessions: 0, base_commit: null, base_tree: null, candidate_tree: null };

export function stateOf(desk: Pick<Place, 'stateDir' | 'hasGit'>, stored: StoredSpec): SpecState {
  const { task, skill, mode, model_config, user_lang, phase, qa_round, branch, docs_path, created_at, cli_flags, conventions, critic } =
    stored;
  const shared = {
    task,
    skill,
    mode,
    model_config,
    user_lang,
    phase,
    qa_round,
    branch,
    docs_path,
    created_at,
    cli_flags,
    conventions,
    critic,
  };
  return { ...shared, has_git: stored.has_git ?? desk.hasGit, harness: extrasOf(desk, stored) };
}

function extrasOf(desk: Pick<Place, 'stateDir'>, stored: StoredSpec): SpecState['harness'] {
  const parsed = SpecExtrasSchema.safeParse(stored.harness);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map((issue) => `Found: harness.${issue.path.join('.')}: ${issue.message}`);
  throw usageError(
    `${stateFilePath(desk.stateDir)} cannot be understood.`,
    ...problems,
    'Put back what stood there, or remove the file and start again.',
  );
}
