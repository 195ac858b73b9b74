/**
 * `git.push`: accepted commits go to the branch's remote.
 *
 * 1. Where the remote has moved on, the commits are made again on top of it, everything that passed is run again on the result, and the
 *    push is tried once more. A second refusal, a conflict or a test that fails there pauses the project: a person brings the two together.
 * 2. A remote that cannot be reached is a warning: the next accepted commit takes this one along.
 * 3. The branch here moves by compare and swap, with its new commit in the state first, so that a crash in between is completed.
 */
import type { ProjectState } from '../../domain/session.ts';
import { readHead } from '../../workspace/home.ts';
import { finishLanding } from '../../workspace/land.ts';
import { fetchUpstream, pushBranch, unpushed, upstreamOf, type Upstream } from '../../workspace/push.ts';
import { replay } from '../../workspace/replay.ts';
import { checkBaselineOnHead } from './baseline-step.ts';
import type { Project } from './project.ts';
import { step } from './state-files.ts';

export interface PushInput {
  branch: string;
  commit: string;
  session: number;
  verdict: string;
}

export interface PushedAs {
  state: ProjectState;
  /** What the branch stands at now. */
  commit: string;
  /** What a person has to know; empty when all went well. */
  note: string;
}

export async function pushAccepted(project: Project, state: ProjectState, input: PushInput): Promise<PushedAs> {
  const { platform, home } = project;
  const unchanged: PushedAs = { state, commit: input.commit, note: '' };
  if (!project.config.git.push) return unchanged;
  const to = await upstreamOf(platform, home, input.branch);
  if (to === null) return warned(project, unchanged, `git.push is set, but branch ${input.branch} has no remote to go to`);
  const first = await pushBranch(platform, home, input.branch, to);
  if (first.kind === 'pushed') return told(project, unchanged, to);
  if (first.kind === 'failed') return warned(project, unchanged, unreached(to, first.detail));
  const fetched = await fetchUpstream(platform, home, to);
  if ('failed' in fetched) return warned(project, unchanged, unreached(to, fetched.failed));
  const moved = await bringOnto(project, state, input, fetched.commit, to);
  if (typeof moved === 'string') return await paused(project, unchanged, to, moved);
  const second = await pushBranch(platform, home, input.branch, to);
  if (second.kind === 'failed') return warned(project, moved, unreached(to, second.detail));
  return second.kind === 'pushed' ? told(project, moved, to) : await paused(project, moved, to, second.detail);
}

/** The branch on top of what the remote has; a text says why that cannot be. */
async function bringOnto(
  project: Project,
  state: ProjectState,
  input: PushInput,
  theirs: string,
  to: Upstream,
): Promise<PushedAs | string> {
  const { platform, home } = project;
  project.emit({
    type: 'progress',
    message: `${to.remote} has commits that are not here: the accepted work is brought onto them and run again`,
  });
  const commits = await unpushed(platform, home, input.branch, theirs);
  const made = await replay(platform, home, commits, theirs);
  if (made.kind === 'conflict') return `the same places were changed there: ${made.paths.slice(0, 5).join(', ')}`;
  if (made.kind === 'unsupported') return `this git cannot bring the two together (${made.detail})`;
  const { broken } = await checkBaselineOnHead(project, made, input.session, { noCache: false });
  if (broken.length > 0) return `together with what is there, tests fail that passed: ${broken.slice(0, 5).join(', ')}`;
  const next = (
    await step(project, state, { type: 'landing', tree: made.tree, verdict: input.verdict, commit: made.commit, base: input.commit })
  ).state;
  const landed = await finishLanding(platform, { home, branch: input.branch, base: input.commit, commit: made.commit });
  if (landed.kind !== 'landed')
    return landed.kind === 'moved' ? 'the branch here moved as well' : `files are in the way: ${landed.paths.join(', ')}`;
  project.emit({
    type: 'commit.created',
    session: input.session,
    feature: state.flight?.feature ?? null,
    commit: made.commit,
    branch: input.branch,
  });
  return { state: next, commit: made.commit, note: '' };
}

function unreached(to: Upstream, detail: string): string {
  return `the push to ${to.remote} failed: ${detail}; the next one takes the commit along`;
}

function told(project: Project, pushed: PushedAs, to: Upstream): PushedAs {
  project.emit({ type: 'progress', message: `pushed to ${to.remote}` });
  return pushed;
}

function warned(project: Project, pushed: PushedAs, message: string): PushedAs {
  project.emit({ type: 'warning', message });
  return { ...pushed, note: message };
}

async function paused(project: Project, pushed: PushedAs, to: Upstream, detail: string): Promise<PushedAs> {
  const { head } = await readHead(project.platform, project.home);
  const message = `the accepted commit ${(head ?? pushed.commit).slice(0, 10)} is on your branch, but ${to.remote} refused the push (${detail}). The project is paused: bring the branch and its remote together (git pull --rebase, git push), then: harness resume`;
  const state = (await step(project, pushed.state, { type: 'paused' })).state;
  return warned(project, { ...pushed, state }, message);
}
