/** Whether there is any ref below a folder of the harness's own, told by git's files; true where only git itself can tell. */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import type { Home } from './home.ts';

export async function mayHaveRefs({ files }: Platform, { commonDir }: Home, folder: string): Promise<boolean> {
  if (await files.exists(join(commonDir, 'reftable'))) return true;
  const loose = await files.list(join(commonDir, folder)).catch(() => []);
  const packed = await files.readTextIfExists(join(commonDir, 'packed-refs')).catch(() => ` ${folder}/`);
  return loose.length > 0 || (packed ?? '').includes(` ${folder}/`);
}
