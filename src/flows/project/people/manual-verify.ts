/**
 * `harness manual-verify`: what a person saw.
 *
 * 1. Where a candidate of the feature waits for exactly this, the answer lands or drops it.
 * 2. Otherwise the answer is about the branch as it stands, and is recorded as a person's word.
 */
import type { Feature } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import { asTestFile, namesOfFiles, testFilesOf } from '../../../domain/test-files.ts';
import { isChosen, projectGate, questionId } from '../../../gates/project-gates.ts';
import { headOf } from '../../../kernel/ground/head.ts';
import { testCommand } from '../../../kernel/ground/commands.ts';
import { committedList, findFeature } from '../list/list-commit.ts';
import { recordWord, skippedIds } from './override.ts';
import { bringToEnd } from '../open.ts';
import { parkedId } from '../machine/parked.ts';
import { decideCandidate, type Pending } from './pending.ts';
import { checkpointByHand } from './checkpoint-by-hand.ts';
import type { Project } from '../project.ts';
import { step, stepAll } from '../state-files.ts';

export interface ManualGuide {
  feature: number;
  description: string;
  test_file: string | string[] | null;
  command: string | null;
  checks: string[];
}

export type ManualReport = ManualGuide &
  (
    | { kind: 'landed' | 'recorded'; passes: boolean; commit: string | null }
    | { kind: 'dropped' }
    | { kind: 'stale'; message: string }
    | { kind: 'waiting'; gate: string }
  );

export async function manualVerify(
  project: Project,
  state: ProjectState,
  options: { feature: number; show(guide: ManualGuide): void },
): Promise<ManualReport> {
  const loaded = await committedList(project, skippedIds(state));
  const feature = findFeature(loaded, options.feature);
  const guide = await guideFor(project, feature);
  options.show(guide);
  const waiting = await withCandidate(project, state, feature.id);
  if (waiting !== null) return { ...guide, ...(await decide(project, waiting, waiting.pending)) };
  const answer = await project.asker.ask(
    projectGate('project.manual-verify', { feature: feature.id, description: feature.description }, guideLines(guide)),
  );
  if (answer === 'pending') return { ...guide, kind: 'waiting', gate: questionId('project.manual-verify', feature.id) };
  const passes = isChosen('project.manual-verify', 'Passed', answer);
  const subject = `Record feature #${feature.id} as ${passes ? 'passing' : 'not passing'} (checked by a person)`;
  await checkpointByHand(project, state, { feature: feature.id, reason: 'pre_verification' });
  const recorded = await recordWord(project, state, { feature: feature.id, passes, kind: 'manual', subject, text: answer.text });
  const text = answer.text?.trim() ?? '';
  await stepAll(project, state, [
    ...recorded.changes,
    ...(!passes && feature.passes ? [{ type: 'setback' as const, features: [feature.id] }] : []),
    ...(!passes && text !== '' ? [{ type: 'noted' as const, note: { feature: feature.id, gate: 'project.manual-verify', text } }] : []),
  ]);
  return { ...guide, kind: 'recorded', passes, commit: recorded.commit };
}

/** The state in which the feature's candidate is the one that is asked about; null where none waits. */
async function withCandidate(
  project: Project,
  state: ProjectState,
  feature: number,
): Promise<(ProjectState & { pending: Pending }) | null> {
  const parked = state.parked.find(({ pending }) => pending?.feature === feature);
  const seen = parked === undefined ? state : (await step(project, state, { type: 'recalled', id: parkedId(parked) })).state;
  const { pending } = seen;
  return pending === null || pending.feature !== feature ? null : { ...seen, pending };
}

async function decide(
  project: Project,
  state: ProjectState,
  pending: Pending,
): Promise<
  | { kind: 'landed'; passes: boolean; commit: string }
  | { kind: 'dropped' }
  | { kind: 'stale'; message: string }
  | { kind: 'waiting'; gate: string }
> {
  const answer = await decideCandidate(project, state, pending);
  if (answer === null) return { kind: 'waiting', gate: questionId(pending.gate, pending.feature) };
  const decided = (await step(project, state, answer.change)).state;
  if (!answer.accepted) return { kind: 'dropped' };
  const { run } = await bringToEnd(project, decided);
  return run.decided?.kind === 'landed'
    ? { kind: 'landed', passes: true, commit: run.decided.commit }
    : { kind: 'stale', message: run.decided?.message ?? '' };
}

async function guideFor(project: Project, feature: Feature): Promise<ManualGuide> {
  const files = testFilesOf(feature);
  return {
    feature: feature.id,
    description: feature.description,
    test_file: asTestFile(files),
    command: files.length === 0 ? null : await testCommand(project, (await headOf(project))?.tree ?? null, files),
    checks: [...(feature.verification_steps ?? []), ...(feature.manual_checks ?? [])],
  };
}

export function guideLines(guide: ManualGuide): string[] {
  return [
    `Test file: ${namesOfFiles([guide.test_file ?? 'none'].flat())}`,
    ...(guide.command === null ? [] : [`Run: ${guide.command}`]),
    ...guide.checks.map((check) => `Check: ${check}`),
  ];
}
