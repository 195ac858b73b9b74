/** The branch that a mission builds on, or why it cannot. Looked at before anybody is paid, and again before each worker. */
import type { Head } from '../../kernel/flight/contract.ts';
import { headOf } from '../../kernel/ground/head.ts';
import { ended, type MissionPlace, type MissionReport } from './contract.ts';

export async function groundOf(place: MissionPlace): Promise<Head | MissionReport> {
  const head = await headOf(place);
  const wanted = place.config.mission.branch_isolation.base_branch;
  if (head === null) return ended('error', ['git.no_commits'], 'the repository has no commit yet: commit your files first');
  if (head.branch === '')
    return ended('error', ['git.detached'], 'HEAD is detached: check out the branch that the mission should work on (git switch BRANCH)');
  if (wanted !== null && wanted !== head.branch)
    return ended(
      'error',
      ['preflight.directory'],
      `mission.branch_isolation.base_branch is ${wanted}, but ${head.branch} is checked out: git switch ${wanted}`,
    );
  return head;
}
