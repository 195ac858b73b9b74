/** `harness handoff`: the harness starts nothing until `harness takeback`; a person works on the branch. */
import type { ProjectState } from '../../../domain/session.ts';
import type { Project } from '../project.ts';
import { checkpointByHand } from './checkpoint-by-hand.ts';
import { step } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';
import { mustHave } from '../../../domain/must-have.ts';

export interface HandoffReport {
  head: string;
  since: string;
  already: boolean;
  features: { passing: number; total: number };
  /** The feature with unfinished work, where it is kept and how to get it. */
  in_progress: { feature: number; ref: string; get: string } | null;
}

export async function handOff(project: Project, state: ProjectState): Promise<HandoffReport> {
  const { loaded, head } = await readTrusted(project, state);
  if (state.handoff === null) await checkpointByHand(project, state, { feature: state.wip?.feature ?? null, reason: 'manual' });
  const next = state.handoff === null ? (await step(project, state, { type: 'handed.off', head: head.commit })).state : state;
  if (state.handoff === null)
    project.emit({ type: 'decision', session: null, text: `handed over to a person at ${head.commit.slice(0, 12)}`, by: 'user' });
  const { features } = loaded.list;
  const { head: from, at: since } = mustHave(next.handoff, 'the project is with a person');
  return {
    head: from,
    since,
    already: state.handoff !== null,
    features: { passing: features.filter((feature) => feature.passes).length, total: features.length },
    in_progress: next.wip === null ? null : { feature: next.wip.feature, ref: next.wip.ref, get: `git merge --squash ${next.wip.ref}` },
  };
}
