/**
 * Landing on a branch that may have gone on during the session.
 *
 * 1. Accepted work whose branch moved is merged into the new commit, judged there like any claim, and lands there by compare and swap.
 * 2. The feature list is never merged as text: the new commit's list stands, with the one flag of the claim.
 * 3. A conflict, a feature that changed or is gone, or a baseline that is broken on the new commit ends it: the work is kept.
 */
import type { Verdict } from '../../domain/verdict.ts';
import type { ProjectState } from '../../domain/session.ts';
import type { TreeEdit } from '../../domain/tree.ts';
import { gitLine } from '../../platform/git.ts';
import { HARNESS_IDENTITY } from '../../workspace/commit.ts';
import { pinTree } from '../../workspace/capture.ts';
import { mergeInto } from '../../workspace/replay.ts';
import { checkBaselineOnHead } from './baseline-step.ts';
import { setPasses } from './feature-text.ts';
import { judgeCandidate, type JudgeStepInput } from './judge-step.ts';
import { land, type Landed } from './land-step.ts';
import type { LoadedList, Project } from './project.ts';
import { step } from './state-files.ts';
import { readTrusted, type Head } from './trusted.ts';
import { harnessRef } from '../../workspace/refs.ts';

export interface MovingInput extends Omit<JudgeStepInput, 'head' | 'baseline'> {
  head: Head;
  verdict: Verdict;
  /** The judged tree. */
  tree: string;
}

/** How often the branch may move under the work before it is left for the next session. */
const MOST_MOVES = 3;

export async function landWhereBranchStands(project: Project, state: ProjectState, input: MovingInput): Promise<Landed> {
  let landed = await land(project, state, input);
  let work = input;
  for (let moves = 0; landed.kind === 'refused' && landed.reason === 'git.moved' && moves < MOST_MOVES; moves += 1) {
    const moved = await bringOntoBranch(project, landed.state, work);
    if (typeof moved === 'string')
      return { ...landed, message: `branch ${input.head.branch} moved during the session: ${moved}; the work is kept` };
    const { verdict, tree } = moved.judged;
    work = { ...work, ...moved.input, verdict, tree };
    if (verdict.decision !== 'accepted') {
      const finding = verdict.findings.find(({ weight }) => weight !== 'warn');
      const message = `branch ${input.head.branch} moved during the session, and on its new commit the work does not stand: ${finding?.message ?? verdict.reasons.join(', ')}`;
      return { ...landed, state: moved.state, message };
    }
    landed = await land(project, moved.state, work);
  }
  return landed;
}

interface Moved {
  state: ProjectState;
  input: Pick<MovingInput, 'head' | 'loaded' | 'capture' | 'plan'>;
  judged: { verdict: Verdict; tree: string };
}

/** A text says why the work cannot stand on the new commit. */
async function bringOntoBranch(project: Project, state: ProjectState, input: MovingInput): Promise<Moved | string> {
  const { plan, options } = input;
  const { head, loaded } = await readTrusted(project, state);
  if (head.branch !== input.head.branch) return `branch ${input.head.branch} is not checked out any more`;
  const feature = plan.feature === null ? null : (loaded.list.features.find(({ id }) => id === plan.feature!.id) ?? null);
  if (plan.feature !== null && (feature === null || feature.passes || feature.test_file !== plan.feature.test_file))
    return `feature #${plan.feature.id} was changed there`;
  const merged = await mergeWork(project, input, head);
  if (merged.kind === 'conflict') return `the same places were changed there (${merged.paths.slice(0, 5).join(', ')})`;
  if (merged.kind === 'unsupported') return `this git cannot merge it by itself (${merged.detail})`;
  project.emit({
    type: 'progress',
    message: `branch ${head.branch} moved during the session: the work is brought onto ${head.commit.slice(0, 10)} and judged again`,
  });
  const tree = await withList(project, merged.tree, feature === null ? loaded.text : setPasses(loaded.text, feature.id, true));
  await pinTree(project.platform, project.home, {
    tree,
    parent: null,
    ref: harnessRef('candidates', plan.session),
    message: `harness: work of session ${plan.session} on the moved branch`,
  });
  const next = (await step(project, state, { type: 'moved', base: head.commit, tree })).state;
  const { baseline, broken } = await checkBaselineOnHead(project, head, plan.session, options);
  if (broken.length > 0) return `tests that passed before fail on its new commit (${broken.slice(0, 3).join(', ')})`;
  const changed = { head, loaded, capture: { ...input.capture, tree }, plan: { ...plan, feature } };
  return { state: next, input: changed, judged: await judgeCandidate(project, { ...input, ...changed, baseline }) };
}

/** The captured work over its base, without what it says in the feature list, merged into the new commit. */
async function mergeWork(project: Project, input: MovingInput, head: Head): ReturnType<typeof mergeInto> {
  const { platform, home } = project;
  const tree = await withList(project, input.capture.tree, input.loaded.text);
  const commit = await gitLine(platform, ['commit-tree', tree, '-p', input.head.commit], {
    cwd: home.root,
    stdin: 'harness: work to be moved\n',
    env: HARNESS_IDENTITY,
  });
  return await mergeInto(platform, home, head.commit, commit);
}

async function withList(project: Project, tree: string, text: LoadedList['text']): Promise<string> {
  const edit: TreeEdit = { path: project.config.paths.features, kind: 'write', content: text };
  return await project.trees.compose(tree, [edit]);
}
