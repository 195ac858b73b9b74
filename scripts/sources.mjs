// Random and hostile source files against reference parsers: `npm run sources -- --help` names the options.
import { runBundled } from './run-bundled.mjs';

await runBundled('sources', 'tests/sources/main.ts');
