/** The session's document, as this flow sees it. */
import type { Place } from '../../kernel/place.ts';
import type { SpecState as StoredSpec } from '../../kernel/session-schema.ts';
import { changeSpec, createSession, readSession } from '../../kernel/state-file.ts';
import { SpecExtrasSchema, type SpecState } from './state.ts';

type Ground = Pick<Place, 'platform' | 'stateDir'>;

export async function createState(desk: Ground, state: SpecState): Promise<void> {
  await createSession(desk.platform, desk.stateDir, { ...state, harness: { ...NO_TREES, ...state.harness } });
}

/** One write of all fields; those that this flow does not know stay. */
export async function writeState(desk: Ground, state: SpecState): Promise<void> {
  const stored = await readSession(desk.platform, desk.stateDir, { setAside: true });
  const kept = stored.kind === 'spec' ? stored.state.harness : NO_TREES;
  await changeSpec(desk.platform, desk.stateDir, { ...state, harness: { ...kept, ...state.harness } });
}

const NO_TREES = { sessions: 0, base_commit: null, base_tree: null, candidate_tree: null };

export function stateOf(stored: StoredSpec, hasGit: boolean): SpecState {
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
  return { ...shared, has_git: stored.has_git ?? hasGit, harness: SpecExtrasSchema.parse(stored.harness) };
}
