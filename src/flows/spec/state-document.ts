/** The session's document, as this flow sees it. */
import type { Place } from '../../kernel/place.ts';
import type { SpecState as StoredSpec } from '../../kernel/session-schema.ts';
import { changeSpec, createSession, readSession } from '../../kernel/state-file.ts';
import { usageError } from '../../domain/errors.ts';
import { SpecExtrasSchema, type SpecState } from './machine/state.ts';

type Ground = Pick<Place, 'platform' | 'documents'>;

export async function createState(place: Ground & Pick<Place, 'chosenAgent'>, state: SpecState): Promise<void> {
  await createSession(place, { ...state, agent: place.chosenAgent, harness: { ...NO_TREES, ...state.harness } });
}

/** One write of all fields; those that this flow does not know stay. */
export async function writeState(place: Ground, state: SpecState): Promise<void> {
  const stored = await readSession(place.documents, { writer: true });
  const kept = stored.kind === 'spec' ? stored.state.harness : NO_TREES;
  await changeSpec(place, { ...state, harness: { ...kept, ...state.harness } });
}

const NO_TREES = { sessions: 0, base_commit: null, base_tree: null, candidate_tree: null };

export function stateOf(place: Pick<Place, 'documents' | 'hasGit'>, stored: StoredSpec): SpecState {
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
  return { ...shared, has_git: stored.has_git ?? place.hasGit, harness: extrasOf(place, stored) };
}

function extrasOf(place: Pick<Place, 'documents'>, stored: StoredSpec): SpecState['harness'] {
  const parsed = SpecExtrasSchema.safeParse(stored.harness);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.slice(0, 5).map((issue) => `Found: harness.${issue.path.join('.')}: ${issue.message}`);
  throw usageError(
    `${place.documents.where('session')} cannot be understood.`,
    ...problems,
    'Put back what stood there, or remove the file and start again.',
  );
}
