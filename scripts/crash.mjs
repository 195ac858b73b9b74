// Cuts commands off at every durable operation, and kills them: `npm run crash -- --help` names the options.
import { runBundled } from './run-bundled.mjs';

await runBundled('crash', 'tests/faults/crash/main.ts');
