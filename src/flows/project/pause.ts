/**
 * `harness pause` and `harness resume`.
 *
 * 1. A running process is reached through a request; it stops after its current operation and takes the request away.
 * 2. Without one the state itself says that the project is paused.
 * 3. As long as the process has not come to it, the request can be taken back.
 */
import { join } from 'node:path';
import { loadSettings } from '../../config/user-settings.ts';
import { HarnessError, usageError } from '../../domain/errors.ts';
import { EXIT } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { Platform } from '../../platform/platform.ts';
import { folderStore } from '../../store/folder-store.ts';
import type { Holder } from '../../store/lock.ts';
import type { DocumentStore } from '../../store/shelf.ts';
import { openRequests } from '../../kernel/documents/requests.ts';
import { asWriter, type HoldOptions } from './open.ts';
import { planSession } from './plan-session.ts';
import type { Project } from './project.ts';
import { step } from './state-files.ts';
import { readTrusted } from './trusted.ts';

type RunningHolder = Pick<Holder, 'pid' | 'command' | 'since'>;

export type PauseReport = { kind: 'paused' } | { kind: 'requested'; holder: RunningHolder | null };

export async function pause(platform: Platform, root: string, options: HoldOptions): Promise<PauseReport> {
  try {
    return await asWriter(platform, root, { ...options, reopens: false }, async (project, state) => {
      await step(project, state, { type: 'paused' });
      return { kind: 'paused' };
    });
  } catch (error) {
    if (!isLocked(error)) throw error;
    return await requestPause(platform, root);
  }
}

async function requestPause(platform: Platform, root: string): Promise<PauseReport> {
  const store = await storeOf(platform, root);
  await openRequests(platform, store.in('requests')).ask({ kind: 'pause' });
  return { kind: 'requested', holder: await holderOf(store) };
}

async function storeOf(platform: Platform, root: string): Promise<DocumentStore> {
  return folderStore(platform, join(root, (await loadSettings(platform, root)).config.paths.state_dir));
}

async function holderOf(store: DocumentStore): Promise<RunningHolder | null> {
  const holder = await store.holder();
  return holder === null ? null : { pid: holder.pid, command: holder.command, since: holder.since };
}

function isLocked(error: unknown): boolean {
  return error instanceof HarnessError && error.exitCode === EXIT.locked;
}

/** Whether a pause was asked for from outside. The request is gone once the state says that the project is paused. */
export async function pauseRequested(project: Pick<Project, 'documents'>): Promise<boolean> {
  return await project.documents.requests.has('pause');
}

export interface ResumeReport {
  kind: 'resumed';
  was_paused: boolean;
  session: number;
  next_prompt: string;
  next_feature: number | null;
  plan: string;
}

/** The process that was asked to pause goes on as if it had not been asked. */
export interface WithdrawnPause {
  kind: 'withdrawn';
  holder: RunningHolder | null;
}

export async function resume(platform: Platform, root: string, options: HoldOptions): Promise<ResumeReport | WithdrawnPause> {
  try {
    return await asWriter(platform, root, options, resumeHeld);
  } catch (error) {
    const store = isLocked(error) ? await storeOf(platform, root) : null;
    const requests = store === null ? null : openRequests(platform, store.in('requests'));
    if (store === null || requests === null || !(await requests.has('pause'))) throw error;
    await requests.drop('pause');
    return { kind: 'withdrawn', holder: await holderOf(store) };
  }
}

async function resumeHeld(project: Project, state: ProjectState): Promise<ResumeReport> {
  if (state.handoff !== null) throw usageError('A person has the wheel since the handoff.', 'Give it back with: harness takeback');
  await project.documents.requests.drop('pause');
  const next = state.paused ? (await step(project, state, { type: 'resumed' })).state : state;
  const { loaded } = await readTrusted(project, next);
  const plan = planSession(next, loaded.list, { cleanup: false });
  return {
    kind: 'resumed',
    was_paused: state.paused,
    session: next.last_session,
    next_prompt: plan.kind === 'session' ? plan.prompt : next.next_prompt,
    next_feature: plan.kind === 'session' ? (plan.feature?.id ?? null) : null,
    plan: plan.kind,
  };
}
