// What nobody uses (`npm test -- 'dead code'`): once with the tests among the users, and once without, for what only tests use is dead in
// the program. An export that a test needs and the program does not is moved to the tests, or says `@internal` and why.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const statuses = [[], ['--production']].map(
  (more) =>
    spawnSync(process.execPath, ['node_modules/knip/bin/knip.js', '--no-progress', ...more], { cwd: root, stdio: 'inherit' }).status,
);
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
