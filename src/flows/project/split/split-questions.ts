/**
 * Splitting at the questions: an agent proposes, a person sees the difference of the list, and only then does the list change.
 *
 * 1. The proposal is a file that a person may edit before it is applied; it is checked again then, and a circle or a lost dependency cannot be
 *    written down in it.
 * 2. The list is committed alone. What was kept of the feature's work stays under its refs.
 */
import type { ProjectState } from '../../../domain/session.ts';
import { commitList, committedList } from '../list/list-commit.ts';
import { replaceFeature, setDependsOn } from '../list/feature-text.ts';
import type { Escalated, Followed } from '../people/followed.ts';
import type { Project } from '../project.ts';
import { describeSplit, planSplit } from './plan-split.ts';
import { proposeSplit, readProposal } from './propose.ts';

export async function askForSplit(project: Project, state: ProjectState, escalated: Escalated, said: string | null): Promise<Followed> {
  const { feature } = escalated;
  if (feature === null) return { kind: 'kept', message: 'There is no feature to split.' };
  project.emit({ type: 'progress', message: `an agent proposes how to split feature #${feature}` });
  const proposed = await proposeSplit(project, state, { feature, reason: escalated.message, said });
  if (proposed.kind === 'none')
    return { kind: 'kept', message: `No split was proposed: ${proposed.why}. You can edit the list yourself: harness handoff` };
  await project.shelf.write(proposalFile(feature), `${JSON.stringify(proposed.proposal, null, 2)}\n`);
  const file = project.shelf.where(proposalFile(feature));
  const plan = await planFromFile(project, feature);
  const lines = typeof plan === 'string' ? [plan] : describeSplit(plan.before, plan.split);
  const rest = Array.isArray(escalated.facts['rest']) ? { rest: escalated.facts['rest'] } : {};
  const escalation: Escalated = {
    gate: 'project.split',
    feature,
    facts: { feature, parts: proposed.proposal.parts.length, file, lines, ...rest },
    message: `An agent proposes to split feature #${feature} into ${proposed.proposal.parts.length}.`,
  };
  return { kind: 'go_on', changes: [{ type: 'escalated', escalation }] };
}

export async function applySplit(project: Project, { feature }: Escalated): Promise<Followed> {
  const plan = feature === null ? 'There is no feature to split.' : await planFromFile(project, feature);
  if (typeof plan === 'string') return { kind: 'kept', message: plan };
  const { split, text } = plan;
  const replaced = replaceFeature(text, split.feature, split.parts);
  const changed = split.rewired.reduce((list, { id, depends_on }) => setDependsOn(list, id, depends_on), replaced);
  await commitList(project, changed, `Split feature #${split.feature} into ${split.parts.map(({ id }) => `#${id}`).join(', ')}`);
  await project.shelf.remove(proposalFile(split.feature));
  project.emit({ type: 'decision', session: null, text: `feature #${split.feature} was split`, by: 'user' });
  return { kind: 'go_on', changes: [] };
}

type FromFile = { before: Parameters<typeof describeSplit>[0]; split: Parameters<typeof describeSplit>[1]; text: string };

async function planFromFile(project: Project, feature: number): Promise<FromFile | string> {
  const file = project.shelf.where(proposalFile(feature));
  const written = await project.shelf.read(proposalFile(feature));
  if (written === null) return `The proposal ${file} is gone. Choose "Propose again".`;
  const { list, text } = await committedList(project, 'all');
  const before = list.features.find(({ id }) => id === feature);
  if (before === undefined) return `Feature #${feature} no longer exists.`;
  const proposal = readProposal(written, (message) => project.emit({ type: 'warning', message }));
  const split = typeof proposal === 'string' ? proposal : planSplit(list, before, proposal, project.config.features.max_verification_steps);
  return typeof split === 'string' ? `${file} cannot be used: ${split}.` : { before, split, text };
}

function proposalFile(feature: number): string {
  return `split-${feature}.json`;
}
