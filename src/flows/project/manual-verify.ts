/**
 * `harness manual-verify`: what a person saw.
 *
 * 1. Where a candidate of the feature waits for exactly this, the answer lands or drops it.
 * 2. Otherwise the answer is about the branch as it stands, and is recorded as a person's word.
 */
import type { Feature } from '../../domain/feature.ts';
import type { ProjectState } from '../../domain/session.ts';
import { projectGate } from '../../gates/project-gates.ts';
import { chooseFileCommand, scriptsOf } from '../../verify/run/test-command.ts';
import { readHead, treeOf } from '../../workspace/home.ts';
import type { Asker } from './asker.ts';
import { committedList, findFeature } from './list-commit.ts';
import { recordWord, skippedIds } from './override.ts';
import { decidePending, questionFor } from './pending.ts';
import type { LoadedList, Project } from './project.ts';
import { step } from './state-files.ts';

export interface ManualGuide {
  feature: number;
  description: string;
  test_file: string | null;
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
  options: { feature: number; asker: Asker; show(guide: ManualGuide): void },
): Promise<ManualReport> {
  const loaded = await committedList(project, skippedIds(state));
  const feature = findFeature(loaded, options.feature);
  const guide = await guideFor(project, feature);
  options.show(guide);
  const pending = state.pending?.feature === feature.id ? state.pending : null;
  if (pending !== null) return { ...guide, ...(await decideCandidate(project, state, pending, loaded, options.asker)) };
  const answer = await options.asker.ask(
    projectGate('project.manual-verify', { feature: feature.id, description: feature.description }, guideLines(guide)),
  );
  if (answer === 'pending') return { ...guide, kind: 'waiting', gate: 'project.manual-verify' };
  const passes = answer.option?.toLowerCase() === 'passed';
  const subject = `Record feature #${feature.id} as ${passes ? 'passing' : 'not passing'} (checked by a person)`;
  const recorded = await recordWord(project, state, { feature: feature.id, passes, kind: 'manual', subject, text: answer.text });
  const set =
    !passes && feature.passes ? (await step(project, recorded.state, { type: 'setback', features: [feature.id] })).state : recorded.state;
  const text = answer.text?.trim() ?? '';
  if (!passes && text !== '')
    await step(project, set, { type: 'noted', note: { feature: feature.id, gate: 'project.manual-verify', text } });
  return { ...guide, kind: 'recorded', passes, commit: recorded.commit };
}

async function decideCandidate(
  project: Project,
  state: ProjectState,
  pending: NonNullable<ProjectState['pending']>,
  loaded: LoadedList,
  asker: Asker,
): Promise<
  | { kind: 'landed'; passes: boolean; commit: string }
  | { kind: 'dropped' }
  | { kind: 'stale'; message: string }
  | { kind: 'waiting'; gate: string }
> {
  const answer = await asker.ask(await questionFor(project, pending, loaded));
  if (answer === 'pending') return { kind: 'waiting', gate: pending.gate };
  const decided = await decidePending(project, state, pending, loaded, answer);
  if (decided.kind === 'landed') return { kind: 'landed', passes: true, commit: decided.commit };
  return decided.kind === 'stale' ? { kind: 'stale', message: decided.message } : { kind: 'dropped' };
}

async function guideFor(project: Project, feature: Feature): Promise<ManualGuide> {
  const file = feature.test_file ?? null;
  return {
    feature: feature.id,
    description: feature.description,
    test_file: file,
    command: file === null ? null : await commandFor(project, file),
    checks: [...(feature.verification_steps ?? []), ...(feature.manual_checks ?? [])],
  };
}

async function commandFor(project: Project, file: string): Promise<string> {
  const { head } = await readHead(project.platform, project.home);
  const manifest = head === null ? null : await project.trees.read(await treeOf(project.platform, project.home, head), 'package.json');
  return (
    chooseFileCommand(project.config.testing, scriptsOf(manifest?.toString('utf8') ?? null), file)?.display ?? project.config.testing.full
  );
}

export function guideLines(guide: ManualGuide): string[] {
  return [
    `Test file: ${guide.test_file ?? 'none'}`,
    ...(guide.command === null ? [] : [`Run: ${guide.command}`]),
    ...guide.checks.map((check) => `Check: ${check}`),
  ];
}
