/** A commit that only records something: one file of the project, on the branch that is checked out. It is nobody's work on the project. */
import { usageError } from '../../domain/errors.ts';
import type { TrailerName } from '../../domain/trailers.ts';
import { commitFiles } from '../../workspace/commit-files.ts';
import type { Place } from '../place.ts';

export const RECORD_TRAILER: TrailerName = 'Harness-Record';

/** The commit, or null when the file says so already. `what` is recorded. */
export async function commitRecord(
  { platform, home }: Pick<Place, 'platform' | 'home'>,
  record: { path: string; content: string; subject: string; what: string },
): Promise<string | null> {
  const { path, content, subject, what } = record;
  const result = await commitFiles(platform, home, {
    files: [{ path, content }],
    message: `${subject}\n\n${RECORD_TRAILER}: ${what}\n`,
  });
  if (result.kind === 'moved') throw usageError('The branch moved while the feature list was being committed.', 'Run the command again.');
  return result.kind === 'committed' ? result.commit : null;
}
