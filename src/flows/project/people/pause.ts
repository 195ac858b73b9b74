/**
 * `harness pause` and `harness resume`.
 *
 * 1. A running process is reached through a request; it stops after its current operation and takes the request away.
 * 2. Without one the state itself says that the project is paused.
 * 3. As long as the process has not come to it, the request can be taken back.
 */
import { usageError } from '../../../domain/errors.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { doorOf, isLocked, orAskHolder, type Requested, type RunningHolder } from '../../../kernel/documents/ask-holder.ts';
import { asWriter, type HoldOptions } from '../open.ts';
import { nextPrompt, planSession } from '../machine/plan-session.ts';
import type { Project } from '../project.ts';
import { step } from '../state-files.ts';
import { readTrusted } from '../list/trusted.ts';

export async function pause(platform: Project['platform'], root: string, options: HoldOptions): Promise<{ kind: 'paused' } | Requested> {
  const held = (project: Project, state: ProjectState): Promise<{ kind: 'paused' }> =>
    step(project, state, { type: 'paused' }).then(() => ({ kind: 'paused' }));
  return await orAskHolder(
    platform,
    root,
    () => asWriter(platform, root, { ...options, reopens: false }, held),
    async () => ({ kind: 'pause' }),
  );
}

export interface ResumeReport {
  kind: 'resumed';
  was_paused: boolean;
  session: number;
  next_prompt: string;
  next_in_words: string;
  next_feature: number | null;
  plan: string;
}

/** The process that was asked to pause goes on as if it had not been asked. */
export interface WithdrawnPause {
  kind: 'withdrawn';
  holder: RunningHolder | null;
}

export async function resume(platform: Project['platform'], root: string, options: HoldOptions): Promise<ResumeReport | WithdrawnPause> {
  try {
    return await asWriter(platform, root, options, resumeHeld);
  } catch (error) {
    const door = isLocked(error) ? await doorOf(platform, root) : null;
    if (door === null || !(await door.requests.has('pause'))) throw error;
    await door.requests.drop('pause');
    return { kind: 'withdrawn', holder: await door.holder() };
  }
}

async function resumeHeld(project: Project, state: ProjectState): Promise<ResumeReport> {
  if (state.handoff !== null)
    throw usageError("The project has been in a person's hands since the handoff.", 'Give it back to the harness with: harness takeback');
  await project.documents.requests.drop('pause');
  const next = state.paused ? (await step(project, state, { type: 'resumed' })).state : state;
  const { loaded } = await readTrusted(project, next);
  const plan = planSession(next, loaded.list, { cleanup: false });
  return {
    kind: 'resumed',
    was_paused: state.paused,
    session: next.last_session,
    next_prompt: nextPrompt(next, loaded.list).prompt ?? next.next_prompt,
    next_in_words: nextPrompt(next, loaded.list).words,
    next_feature: plan.kind === 'session' ? (plan.feature?.id ?? null) : null,
    plan: plan.kind,
  };
}
