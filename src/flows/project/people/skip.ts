/** `harness skip`: a feature is set aside, or taken up again. */
import { usageError } from '../../../domain/errors.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { closeQuestions } from './questions.ts';
import { findFeature } from '../list/list-commit.ts';
import type { ProjectEvent } from '../machine/document.ts';
import { blockedBy } from '../machine/next-feature.ts';
import type { Project } from '../project.ts';
import { readTrusted } from '../list/trusted.ts';

export interface SkipReport {
  feature: number;
  skipped: boolean;
  reason: string | null;
  /** Open features that now wait for it; with `unblock`, those that need not. */
  blocks: number[];
  unblocks: boolean;
}

export interface SkipWish {
  feature: number;
  reason: string | null;
  undo: boolean;
  /** What depends on it need not wait. */
  unblock?: boolean | undefined;
}

/** Changes nothing: whether it can be done, and what it comes to. */
export async function planSkip(project: Project, state: ProjectState, wish: SkipWish): Promise<SkipReport> {
  const { feature: id, undo } = wish;
  if (undo) {
    if (state.skipped.some((entry) => entry.feature === id))
      return { feature: id, skipped: false, reason: null, blocks: [], unblocks: false };
    throw usageError(`Feature #${id} is not set aside.`, 'harness status shows where the project stands.');
  }
  const skipped = [...state.skipped.map((entry) => entry.feature), id];
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const feature = findFeature(loaded, id);
  if (feature.passes)
    throw usageError(`Feature #${id} already passes.`, `To open it again: harness override --feature ${id} --passes false`);
  const blocks = blockedBy(loaded.list.features, id).filter((other) => !skipped.includes(other));
  return { feature: id, skipped: true, reason: wish.reason ?? 'no reason given', blocks, unblocks: wish.unblock === true };
}

/** What changes is handed back, and written by the caller. */
export async function skipFeature(
  project: Project,
  state: ProjectState,
  wish: SkipWish,
): Promise<{ report: SkipReport; changes: ProjectEvent[] }> {
  const report = await planSkip(project, state, wish);
  const { feature, reason, unblocks } = report;
  if (report.skipped) await closeQuestions(project, state, feature);
  const text = report.skipped ? `feature #${feature} is skipped: ${reason ?? ''}` : `feature #${feature} is no longer skipped`;
  project.emit({ type: 'decision', session: null, text, by: 'user' });
  return {
    report,
    changes: [
      report.skipped
        ? { type: 'skipped', feature, reason: reason ?? '', ...(unblocks ? { unblocks } : {}) }
        : { type: 'unskipped', feature },
    ],
  };
}
