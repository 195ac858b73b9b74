/** `harness override`: a feature is recorded as passing or not, on a person's word alone. The harness calls it unverified from then on. */
import type { ProjectState } from '../../domain/session.ts';
import { isChosen, projectGate } from '../../gates/project-gates.ts';
import type { Asker } from './asker.ts';
import { setPasses } from './feature-text.ts';
import { commitList, committedList, findFeature } from './list-commit.ts';
import type { Project } from './project.ts';
import { closeQuestions } from './questions.ts';
import { step } from './state-files.ts';

export type OverrideReport = { feature: number; passes: boolean } & (
  | { kind: 'recorded'; commit: string | null }
  | { kind: 'declined' }
  | { kind: 'waiting'; gate: string }
);

export async function overrideFeature(
  project: Project,
  state: ProjectState,
  options: { feature: number; passes: boolean; asker: Asker },
): Promise<OverrideReport> {
  const { feature, passes } = options;
  const loaded = await committedList(project, skippedIds(state));
  const { description } = findFeature(loaded, feature);
  const answer = await options.asker.ask(projectGate('project.override', { feature, passes }, [`#${feature}: ${description}`]));
  if (answer === 'pending') return { feature, passes, kind: 'waiting', gate: 'project.override' };
  if (!isChosen('project.override', 'Yes', answer)) return { feature, passes, kind: 'declined' };
  const { commit } = await recordWord(project, state, {
    feature,
    passes,
    kind: 'override',
    subject: `Record feature #${feature} as ${passes ? 'passing' : 'not passing'} (not verified)`,
  });
  return { feature, passes, kind: 'recorded', commit };
}

export function skippedIds(state: ProjectState): number[] {
  return state.skipped.map((entry) => entry.feature);
}

/** A person's word: one commit of the list, a decision in the journal, and a mark in the state that says who vouches for it. */
export async function recordWord(
  project: Project,
  state: ProjectState,
  word: { feature: number; passes: boolean; kind: 'override' | 'manual'; subject: string; text?: string | null },
): Promise<{ commit: string | null; state: ProjectState }> {
  const { feature, passes, kind } = word;
  const loaded = await committedList(project, skippedIds(state));
  if (passes) await closeQuestions(project, state, feature);
  const commit = await commitList(project, setPasses(loaded.text, feature, passes), word.subject, skippedIds(state));
  const next = (await step(project, state, { type: 'overridden', feature, passes, kind })).state;
  const how = kind === 'manual' ? 'verified by hand' : 'overridden, without proof';
  project.emit({
    type: 'decision',
    session: null,
    text: `feature #${feature} is recorded as ${passes ? 'passing' : 'not passing'}: ${how}${word.text === undefined || word.text === null ? '' : ` (${word.text})`}`,
    by: 'user',
  });
  return { commit, state: next };
}
