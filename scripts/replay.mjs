// Real commits as sessions (`npm run replay -- LIST`): tests/replay/main.ts.
import { runBundled } from './run-bundled.mjs';

await runBundled('replay', 'tests/replay/main.ts');
