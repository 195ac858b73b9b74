// Projects on a fleet of real workers, compared with one machine, and under faults: `npm run fleet -- --help` names the options.
import { runBundled } from './run-bundled.mjs';

await runBundled('fleet', 'tests/faults/fleet/main.ts');
