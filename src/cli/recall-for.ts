/** The last answer of `harness status`, found from a directory with the few looks at files that an answer in a moment may take. */
import { resolve } from 'node:path';
import { quickFiles } from '../platform/quick-files.ts';
import { findProjectRoot } from './project-root.ts';
import { recallStatus } from './status-memo.ts';

export async function recallFor(directory: string): ReturnType<typeof recallStatus> {
  const platform = { files: quickFiles, env: process.env };
  return await recallStatus(platform, await findProjectRoot(platform, resolve(process.cwd(), directory)));
}
