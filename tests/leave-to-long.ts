/** `npm test` leaves the tests that tests/long-tests.json names to `npm run test:long`; scripts/long-tests.mjs chooses them. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, type RunnerTestSuite } from 'vitest';
import { isLong } from '../src/domain/test-support-long.ts';
import list from './long-tests.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const left: Readonly<Record<string, readonly string[]>> = list.left;

if (!isLong)
  beforeEach(({ task, skip }) => {
    const names = left[relative(root, task.file.filepath)] ?? [];
    skip(names.includes(nameOf(task.suite, task.name)), 'left to npm run test:long');
  });

function nameOf(suite: RunnerTestSuite | undefined, name: string): string {
  return suite === undefined || suite.name === '' ? name : nameOf(suite.suite, `${suite.name} ${name}`);
}
