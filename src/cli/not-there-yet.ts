/** What a command says whose flow is not part of this version. */
import { usageError, type HarnessError } from '../domain/errors.ts';
import { HARNESS_VERSION } from '../domain/version.ts';

export function notThereYet(name: string): HarnessError {
  return usageError(`harness ${name} is not part of version ${HARNESS_VERSION}; it comes in a later one.`);
}
