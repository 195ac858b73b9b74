/** `harness skip`: a feature is set aside, or taken up again. */
import { usageError } from '../../domain/errors.ts';
import type { ProjectState } from '../../domain/session.ts';
import { closeQuestions } from './questions.ts';
import { findFeature } from './list-commit.ts';
import { blockedBy } from './next-feature.ts';
import type { Project } from './project.ts';
import { step } from './state-files.ts';
import { readTrusted } from './trusted.ts';

export interface SkipReport {
  feature: number;
  skipped: boolean;
  reason: string | null;
  /** Open features that now wait for it. */
  blocks: number[];
}

export async function skipFeature(
  project: Project,
  state: ProjectState,
  options: { feature: number; reason: string | null },
): Promise<SkipReport> {
  const { feature: id } = options;
  const skipped = [...state.skipped.map((entry) => entry.feature), id];
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const feature = findFeature(loaded, id);
  if (feature.passes)
    throw usageError(`Feature #${id} passes already.`, `To open it again: harness override --feature ${id} --passes false`);
  const reason = options.reason ?? 'no reason given';
  await closeQuestions(project, state, id);
  await step(project, state, { type: 'skipped', feature: id, reason });
  project.emit({ type: 'decision', session: null, text: `feature #${id} is set aside: ${reason}`, by: 'user' });
  return { feature: id, skipped: true, reason, blocks: blockedBy(loaded.list.features, id).filter((other) => !skipped.includes(other)) };
}

export async function unskipFeature(project: Project, state: ProjectState, feature: number): Promise<SkipReport> {
  if (!state.skipped.some((entry) => entry.feature === feature))
    throw usageError(`Feature #${feature} is not set aside.`, 'harness status shows where the project stands.');
  await step(project, state, { type: 'unskipped', feature });
  project.emit({ type: 'decision', session: null, text: `feature #${feature} is taken up again`, by: 'user' });
  return { feature, skipped: false, reason: null, blocks: [] };
}
