/** Where everything is kept that outlives one project. */
import { isAbsolute, join } from 'node:path';
import { usageError } from '../domain/errors.ts';
import type { Platform } from './platform.ts';

export function harnessHome(platform: Pick<Platform, 'env'>): string {
  const own = platform.env['HARNESS_HOME'];
  if (own !== undefined && own !== '') {
    if (!isAbsolute(own)) throw usageError(`HARNESS_HOME must be an absolute path, not "${own}".`);
    return own;
  }
  const home = platform.env['HOME'];
  if (home === undefined || !isAbsolute(home))
    throw usageError('Neither HARNESS_HOME nor HOME is set.', 'Set HARNESS_HOME to a directory for what the harness keeps.');
  return join(home, '.harness');
}
