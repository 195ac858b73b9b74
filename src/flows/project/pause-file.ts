/** The file by which another process asks the running one to pause. */
import { join } from 'node:path';

export function pauseFile(stateDir: string): string {
  return join(stateDir, 'pause');
}
