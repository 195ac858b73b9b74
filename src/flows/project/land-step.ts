/** From an accepted verdict to the user's branch, and what follows from it: baseline, sizes, quality warnings. */
import { cleanText } from '../../domain/clean-text.ts';
import type { Reason } from '../../domain/reasons.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { HARNESS_VERSION } from '../../domain/version.ts';
import { measureSizes } from '../../verify/memory/sizes.ts';
import { finishLanding, makeCommit } from '../../workspace/land.ts';
import type { Feature } from '../../domain/feature.ts';
import { runCommitHooks } from './hooks-step.ts';
import type { Project } from './project.ts';
import { pushAccepted } from './push-step.ts';
import { adoptLedger } from './verdict-files.ts';
import { readSizes, step, writeBaseline, writeSizes } from './state-files.ts';

export interface LandInput {
  plan: { session: number; feature: Feature | null };
  head: { commit: string; branch: string };
  verdict: Verdict;
  tree: string;
}

export type Landed =
  /** `note`: what a person has to know all the same. */
  | { kind: 'landed'; state: ProjectState; commit: string; note: string }
  | { kind: 'refused'; state: ProjectState; reason: Extract<Reason, 'git.moved' | 'git.conflict' | 'git.hook'>; message: string };

export async function land(project: Project, state: ProjectState, input: LandInput): Promise<Landed> {
  const { platform, home } = project;
  const { plan, head, verdict, tree } = input;
  const hooked = project.config.git.hooks
    ? await runCommitHooks(project, { head, tree, message: commitMessage(plan, verdict) })
    : { kind: 'passed' as const, message: commitMessage(plan, verdict) };
  if (hooked.kind === 'refused') return { kind: 'refused', state, reason: 'git.hook', message: hooked.message };
  const commit = await makeCommit(platform, { home, base: head.commit, tree, message: hooked.message });
  const next = (await step(project, state, { type: 'landing', tree, verdict: verdict.id, commit })).state;
  const landing = await finishLanding(platform, { home, branch: head.branch, base: head.commit, commit });
  if (landing.kind !== 'landed') {
    return {
      kind: 'refused',
      state: next,
      reason: landing.kind === 'moved' ? 'git.moved' : 'git.conflict',
      message:
        landing.kind === 'moved'
          ? `branch ${head.branch} moved during the session; the work is kept and judged again on the new commit`
          : `files in your working tree are in the way: ${landing.paths.slice(0, 5).join(', ')}`,
    };
  }
  project.emit({ type: 'commit.created', session: plan.session, feature: plan.feature?.id ?? null, commit, branch: head.branch });
  await recordLanding(project, verdict, commit, tree);
  const pushed = await pushAccepted(project, next, { branch: head.branch, commit, session: plan.session, verdict: verdict.id });
  return { kind: 'landed', ...pushed };
}

/** Everything derived from an accepted tree; can be done again after a crash. */
export async function recordLanding(project: Project, verdict: Verdict, commit: string, tree: string): Promise<void> {
  await writeBaseline(project, {
    session: verdict.session,
    commit,
    tree,
    runner: verdict.runner,
    passing_tests: verdict.passing_tests,
    total_passing: verdict.passing_tests.length,
    total_tests: verdict.total_tests,
  });
  const before = await readSizes(project);
  await adoptLedger(project, verdict.id);
  const sizes = await measureSizes(project.trees, tree, {
    session: verdict.session,
    previous: before?.files ?? {},
    previousTree: before?.tree,
    maxLines: project.config.quality.max_file_lines,
  });
  await writeSizes(project, { session: verdict.session, tree, files: sizes.files });
  for (const warning of sizes.warnings) project.emit({ type: 'quality.warning', file: warning.file, message: warning.message });
}

function commitMessage(plan: LandInput['plan'], verdict: Verdict): string {
  const description = plan.feature === null ? '' : cleanText(plan.feature.description).replace(/\s+/g, ' ').trim();
  const subject = plan.feature === null ? `Clean up (session ${plan.session})` : `Feature #${plan.feature.id}: ${description}`;
  const trailers = [
    `Harness-Session: ${plan.session}`,
    ...(plan.feature === null ? [] : [`Harness-Feature: ${plan.feature.id}`]),
    `Harness-Tests: ${verdict.feature_tests.length} of the feature passed, ${verdict.kept_green} kept green`,
    `Harness-Verdict: ${verdict.id}`,
    `Harness-Version: ${HARNESS_VERSION}`,
  ];
  return `${subject.length <= 100 ? subject : `${subject.slice(0, 99)}…`}\n\n${trailers.join('\n')}\n`;
}
