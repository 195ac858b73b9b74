/** Features that seldom fit one session: asked about once, one after the other, when their list comes in or a person has changed it. */
import { FeatureListSchema, type Feature, type FeatureList } from '../../../domain/feature.ts';
import type { ProjectState } from '../../../domain/session.ts';
import type { Asker } from './asker.ts';
import { carryOut, largeFeatureEscalation, type LargeFeature } from './carry-out.ts';
import { idOf, keepEscalation, questionOf, raise } from './escalate.ts';
import { readTrusted } from '../list/trusted.ts';
import type { LoadedList, Project } from '../project.ts';
import { readState, step, stepAll } from '../state-files.ts';

/** The gate that waits for an answer, or null. What is not answered now is asked again by the next run. */
export async function askAboutLargeFeatures(project: Project, loaded: LoadedList, asker: Asker): Promise<string | null> {
  return await askAbout(project, largeFeatures(loaded.list, mostSteps(project)), asker);
}

/** The question waits for the next run, or for an answer before it: nobody is there to give one now. */
export async function leaveLargeFeatures(project: Project, loaded: LoadedList, asker: Asker | null): Promise<void> {
  const state = await readState(project, { writer: true });
  const escalation = largeFeatureEscalation(largeFeatures(loaded.list, mostSteps(project)));
  if (escalation === null || state.escalation !== null) return;
  await step(project, state, { type: 'escalated', escalation });
  if (asker === null) return;
  await (asker.leave ?? asker.ask)(questionOf(escalation));
  await keepEscalation(project, escalation);
}

/** The question about a list, as anybody who answers beforehand names it. */
export function largeFeatureQuestion(project: Pick<Project, 'config'>, loaded: LoadedList): string {
  const escalation = largeFeatureEscalation(largeFeatures(loaded.list, project.config.features.max_verification_steps));
  return escalation === null ? 'project.large-feature' : idOf(escalation);
}

/** Sizes that their author estimated otherwise than the steps say, told at every run. */
export async function tellEstimates(project: Project, state: Pick<ProjectState, 'skipped'>): Promise<void> {
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const open = new Set(loaded.list.features.filter(({ passes }) => !passes).map(({ id }) => id));
  for (const { feature, message } of loaded.flags)
    if (open.has(feature) && message.startsWith('is estimated'))
      project.emit({ type: 'warning', message: `feature #${feature} ${message}` });
}

/** What became large since that commit: asked about where somebody is there to say, told otherwise. The gate that waits, or null. */
export async function askAboutGrownFeatures(
  project: Project,
  state: Pick<ProjectState, 'skipped'>,
  since: string,
  asker: Asker,
): Promise<string | null> {
  const { loaded } = await readTrusted(project, state, { anyCircle: true });
  const grown = await grownSince(project, loaded, since);
  const escalation = largeFeatureEscalation(grown);
  if (escalation !== null && (await asker.expects?.(idOf(escalation))) === true) return await askAbout(project, grown, asker);
  for (const { feature } of grown)
    for (const flag of loaded.flags.filter((one) => one.feature === feature))
      project.emit({ type: 'warning', message: `feature #${feature} ${flag.message}` });
  return null;
}

/** What became large since that commit. */
export async function grownSince(project: Project, loaded: LoadedList, since: string): Promise<LargeFeature[]> {
  const before = await listAt(project, since);
  return before === null ? [] : grownFeatures(before, loaded.list, mostSteps(project));
}

async function askAbout(project: Project, large: readonly LargeFeature[], asker: Asker): Promise<string | null> {
  const escalation = largeFeatureEscalation(large);
  if (escalation === null) return null;
  let state: ProjectState = (await step(project, await readState(project, { writer: true }), { type: 'escalated', escalation })).state;
  while (state.escalation !== null) {
    const answer = await raise(project, state.escalation, { findings: [], asker });
    if (answer === 'pending') return idOf(state.escalation);
    const followed = await carryOut(project, state, { escalated: state.escalation, answer });
    if (followed.kind === 'aborted') return null;
    if (followed.kind === 'stop' || followed.kind === 'kept') project.emit({ type: 'progress', message: followed.message });
    if ('changes' in followed) state = await stepAll(project, state, followed.changes);
    if (followed.kind !== 'go_on') return null;
  }
  return null;
}

function mostSteps({ config }: Project): number {
  return config.features.max_verification_steps;
}

async function listAt({ trees, config }: Project, commit: string): Promise<FeatureList | null> {
  const tree = await trees.resolve(commit);
  const text = tree === null ? null : await trees.read(tree, config.paths.features);
  try {
    const parsed = FeatureListSchema.safeParse(JSON.parse(text?.toString('utf8') ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Open ones with more steps than fit, and those that their author calls too large. */
export function largeFeatures({ features }: Pick<FeatureList, 'features'>, limit: number): LargeFeature[] {
  return features
    .filter((feature) => !feature.passes && (stepsOf(feature) > limit || feature.size_estimate === 'xlarge'))
    .map((feature) => ({ feature: feature.id, steps: stepsOf(feature), limit }));
}

export function grownFeatures(before: Pick<FeatureList, 'features'>, after: Pick<FeatureList, 'features'>, limit: number): LargeFeature[] {
  const known = new Map(largeFeatures(before, limit).map(({ feature, steps }) => [feature, steps]));
  return largeFeatures(after, limit).filter(({ feature, steps }) => steps > (known.get(feature) ?? -1));
}

function stepsOf({ verification_steps }: Feature): number {
  return verification_steps?.length ?? 0;
}
