/** The sizes of a tree's files, for whoever looks without landing anything. */
import { measureSizes } from '../../verify/memory/sizes.ts';
import type { Place } from '../place.ts';
import type { FileSizes } from './memory-files.ts';

export async function sizesOf(
  { trees, config }: Pick<Place, 'trees' | 'config'>,
  tree: string,
  known: FileSizes | null,
): Promise<Pick<FileSizes, 'files' | 'session'>> {
  const session = known?.session ?? 0;
  const { max_file_lines: maxLines } = config.quality;
  const measured = await measureSizes(trees, tree, { session, previous: known?.files ?? {}, previousTree: known?.tree, maxLines });
  return { files: measured.files, session };
}
