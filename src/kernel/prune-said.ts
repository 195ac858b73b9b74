/** What agents said is kept for the last sessions; what is under way stays, however many began after it. 0: nothing goes. */
import { basename } from 'node:path';
import { spoolFile, spoolFiles } from '../journal/spool.ts';
import { localFolder } from './local-folder.ts';
import type { Place } from './place.ts';

export async function pruneSaid(
  { platform, documents, stateDir }: Pick<Place, 'platform' | 'documents' | 'stateDir'>,
  keep: number,
  underWay: readonly number[],
): Promise<void> {
  if (keep === 0) return;
  const spared = new Set(underWay.map(spoolFile));
  const files = await spoolFiles(platform, localFolder({ documents, stateDir }, 'logs'));
  for (const old of files.slice(0, -keep)) if (!spared.has(basename(old))) await platform.files.remove(old);
}
