// Instruments on much used packages (`npm run trial`): tests/trial/main.ts.
import { runBundled } from './run-bundled.mjs';

await runBundled('trial', 'tests/trial/main.ts');
