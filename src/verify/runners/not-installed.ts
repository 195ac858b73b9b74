/** A runner that comes with the project's packages can be started only from those that the harness installed. */
import type { NoPlan } from './runner.ts';

export function notInstalled(runner: string): NoPlan {
  return {
    missing: `${runner} is not installed for judging: commit a lockfile, so that the harness can install the dependencies itself (npm install --package-lock-only makes one; .gitignore and .npmrc must not keep it away)`,
  };
}
