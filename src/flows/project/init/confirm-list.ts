/** The list that an initializer proposes, shown to a person who is there: it becomes the project's when they say so. */
import type { Feature } from '../../../domain/feature.ts';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import type { Asker } from '../people/asker.ts';

/** Words: what should be different. `declined`: nothing of it is wanted. */
type ListAnswer = { kind: 'accepted' } | { kind: 'changes'; text: string } | { kind: 'declined' };

/** Nobody is kept waiting for it: where nobody is there, the list is taken and can be edited later. */
export async function confirmList(features: readonly Feature[], asker: Asker | undefined): Promise<ListAnswer> {
  if (asker?.expects === undefined || !(await asker.expects('project.features'))) return { kind: 'accepted' };
  const answer = await asker.ask(projectGate('project.features', { features: features.length }, features.map(listLine)));
  if (answer === 'pending' || isChosen('project.features', 'Accept list', answer)) return { kind: 'accepted' };
  const text = answer.text?.trim() ?? '';
  return isChosen('project.features', 'Stop', answer) || text === '' ? { kind: 'declined' } : { kind: 'changes', text };
}

function listLine({ id, description, depends_on, size_estimate, verification_steps }: Feature): string {
  const notes = [
    size_estimate,
    verification_steps === undefined ? undefined : `${verification_steps.length} steps`,
    (depends_on ?? []).length === 0 ? undefined : `after ${depends_on!.map((other) => `#${other}`).join(', ')}`,
  ].filter((note) => note !== undefined);
  return `#${id} ${description.replace(/\s+/g, ' ')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
