// Runs the corpus of cheats and honest look-alikes: `npm run corpus -- --help` names the options.
import { runBundled } from './run-bundled.mjs';

await runBundled('corpus', 'tests/adversarial/main.ts');
