/** `harness handoff`: the harness starts nothing until `harness takeback`; a person works on the branch. */
import type { ProjectState } from '../../../domain/session.ts';
import { STATE_FILE } from '../../../kernel/documents/catalogue.ts';
import { checkpointSession } from '../../../kernel/flight/checkpoint-session.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import type { Project } from '../project.ts';
import { step } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';

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
  if (state.handoff === null) await checkpointByHand(project, state);
  const next = state.handoff === null ? (await step(project, state, { type: 'handed.off', head: head.commit })).state : state;
  if (state.handoff === null)
    project.emit({ type: 'decision', session: null, text: `handed over to a person at ${head.commit.slice(0, 12)}`, by: 'user' });
  const { features } = loaded.list;
  return {
    head: next.handoff!.head,
    since: next.handoff!.at,
    already: state.handoff !== null,
    features: { passing: features.filter((feature) => feature.passes).length, total: features.length },
    in_progress: next.wip === null ? null : { feature: next.wip.feature, ref: next.wip.ref, get: `git merge --squash ${next.wip.ref}` },
  };
}

/** A person can do anything: the way back is kept first. */
async function checkpointByHand(project: Project, state: ProjectState): Promise<void> {
  if ((await headOf(project)) === null) return;
  const start = { session: state.last_session, feature: state.wip?.feature ?? null, copies: [STATE_FILE], reason: 'manual' as const };
  await checkpointSession(project, start, []);
}
