/** `harness override`: a feature is recorded as passing or not, on a person's word alone. The harness calls it unverified from then on. */
import type { ProjectState } from '../../../domain/session.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import { setPasses } from '../list/feature-text.ts';
import { commitList, committedList, findFeature } from '../list/list-commit.ts';
import type { ProjectEvent } from '../machine/document.ts';
import type { Project } from '../project.ts';
import { closeQuestions } from './questions.ts';

export interface OverrideWish {
  feature: number;
  passes: boolean;
}

export type Agreed = { kind: 'agreed' } | { kind: 'declined' } | { kind: 'waiting'; gate: string };

/** Whether a person really wants it. Changes nothing. */
export async function askForOverride(project: Project, state: ProjectState, { feature, passes }: OverrideWish): Promise<Agreed> {
  const loaded = await committedList(project, skippedIds(state));
  const { description } = findFeature(loaded, feature);
  const answer = await project.asker.ask(projectGate('project.override', { feature, passes }, [`#${feature}: ${description}`]));
  if (answer === 'pending') return { kind: 'waiting', gate: 'project.override' };
  return isChosen('project.override', 'Yes', answer) ? { kind: 'agreed' } : { kind: 'declined' };
}

export function overrideFeature(project: Project, state: ProjectState, { feature, passes }: OverrideWish): Promise<Recorded> {
  const subject = `Record feature #${feature} as ${passes ? 'passing' : 'not passing'} (not verified)`;
  return recordWord(project, state, { feature, passes, kind: 'override', subject });
}

export function skippedIds(state: ProjectState): number[] {
  return state.skipped.map((entry) => entry.feature);
}

export interface Recorded {
  commit: string | null;
  changes: ProjectEvent[];
}

/** A person's word: one commit of the list, a decision in the journal, and a mark in the state, for the caller to write. */
export async function recordWord(
  project: Project,
  state: ProjectState,
  word: { feature: number; passes: boolean; kind: 'override' | 'manual'; subject: string; text?: string | null },
): Promise<Recorded> {
  const { feature, passes, kind } = word;
  const loaded = await committedList(project, skippedIds(state));
  if (passes) await closeQuestions(project, state, feature);
  const commit = await commitList(project, setPasses(loaded.text, feature, passes), word.subject, skippedIds(state));
  const how = kind === 'manual' ? 'verified by hand' : 'overridden, without proof';
  project.emit({
    type: 'decision',
    session: null,
    text: `feature #${feature} is recorded as ${passes ? 'passing' : 'not passing'}: ${how}${word.text === undefined || word.text === null ? '' : ` (${word.text})`}`,
    by: 'user',
  });
  return { commit, changes: [{ type: 'overridden', feature, passes, kind }] };
}
