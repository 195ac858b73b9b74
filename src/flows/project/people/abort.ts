/**
 * `harness abort`: the end of all work here.
 *
 * 1. Commits, branches, the user's files and every ref under `refs/harness/` stay.
 * 2. The state directory is not deleted but renamed; renaming it back undoes the abort.
 * 3. Documents of a session that is not finished go with it, and HEAD goes back to the branch that the session began on.
 */
import { join } from 'node:path';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import { quoteWord } from '../../../domain/quote-word.ts';
import type { Asker } from './asker.ts';
import { ignoreItself } from '../../../kernel/documents/backup.ts';
import { giveBack } from '../../../kernel/ground/session-branch.ts';
import { putTracesAway } from '../../../kernel/session-traces.ts';
import type { Place } from '../../../kernel/place.ts';
import { readSession } from '../../../kernel/state-file.ts';

export type AbortReport =
  | { kind: 'aborted'; kept: string; undo: string }
  | { kind: 'declined' }
  | { kind: 'waiting'; gate: 'project.abort' };

export async function confirmAbort(project: Pick<Place, 'config'>, asker: Asker): Promise<'yes' | 'no' | 'pending'> {
  const answer = await asker.ask(projectGate('project.abort', { project: project.config.project.name }));
  if (answer === 'pending') return 'pending';
  return isChosen('project.abort', 'Yes', answer) ? 'yes' : 'no';
}

/** Called by the holder of the lock; nothing of the project may be written afterwards. */
export async function clearState(project: Place): Promise<Extract<AbortReport, { kind: 'aborted' }>> {
  const { platform, stateDir } = project;
  const { branch, kept: hasDocuments } = await putTracesAway(project, join(stateDir, DOCUMENTS));
  await returnChanges(project);
  project.emit({ type: 'decision', session: null, text: 'aborted: all work here ends, the state is set aside', by: 'user' });
  await project.journal?.close();
  const kept = `${stateDir}.aborted-${project.now().replace(/[-:]|\.\d+Z$/g, '')}-${platform.random.id(2)}`;
  await platform.files.rename(stateDir, kept);
  await platform.files.remove(join(kept, 'lock'));
  await ignoreItself(platform, kept);
  const undo = [
    `mv ${quoteWord(kept)} ${quoteWord(stateDir)}`,
    ...(branch === null ? [] : [`git switch ${branch}`]),
    ...(hasDocuments ? [`cp -R ${quoteWord(join(stateDir, DOCUMENTS))}/. ${quoteWord(project.root)}`] : []),
  ];
  return { kind: 'aborted', kept, undo: undo.join(' && ') };
}

/** Where documents of sessions wait in the state that was set aside. */
const DOCUMENTS = 'documents';

/** A workflow that set uncommitted changes aside no longer gives them back by itself. */
async function returnChanges(place: Place): Promise<void> {
  const session = await readSession(place.documents, { writer: false }).catch(() => null);
  if (!place.hasGit || session === null || session.kind === 'spec' || !('state' in session)) return;
  const back = await giveBack(place, session.state.slug);
  if (back?.restored === false)
    place.emit({
      type: 'warning',
      message: `The changes that were set aside stay on the stash (${back.detail}). Get them back with: git stash pop`,
    });
}
