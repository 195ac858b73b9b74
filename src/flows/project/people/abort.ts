/**
 * `harness abort`: the end of all work here.
 *
 * 1. Commits, branches, the user's files and every ref under `refs/harness/` stay.
 * 2. The state directory is not deleted but renamed; renaming it back undoes the abort.
 */
import { join } from 'node:path';
import { isChosen, projectGate } from '../../../gates/project-gates.ts';
import type { Asker } from './asker.ts';
import { ignoreItself } from '../../../kernel/documents/backup.ts';
import type { Project } from '../project.ts';

export type AbortReport =
  | { kind: 'aborted'; kept: string; undo: string }
  | { kind: 'declined' }
  | { kind: 'waiting'; gate: 'project.abort' };

export async function confirmAbort(project: Pick<Project, 'config'>, asker: Asker): Promise<'yes' | 'no' | 'pending'> {
  const answer = await asker.ask(projectGate('project.abort', { project: project.config.project.name }));
  if (answer === 'pending') return 'pending';
  return isChosen('project.abort', 'Yes', answer) ? 'yes' : 'no';
}

/** Called by the holder of the lock; nothing of the project may be written afterwards. */
export async function clearState(project: Project): Promise<Extract<AbortReport, { kind: 'aborted' }>> {
  const { platform, stateDir } = project;
  project.emit({ type: 'decision', session: null, text: 'aborted: all work here ends, the state is set aside', by: 'user' });
  await project.journal?.close();
  const kept = `${stateDir}.aborted-${project.now().replace(/[-:]|\.\d+Z$/g, '')}-${platform.random.id(2)}`;
  await platform.files.rename(stateDir, kept);
  await platform.files.remove(join(kept, 'lock'));
  await ignoreItself(platform, kept);
  return { kind: 'aborted', kept, undo: `mv ${kept} ${stateDir}` };
}
