// Cuts commands off at every durable operation, and kills them: `npm run crash`, with --only COMMAND, --every N, --at POINT:FAULT, --kills N.
// The sources are bundled first, so that what is cut off is what stands in src/ now.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = await mkdtemp(join(tmpdir(), 'harness-crash-build-'));
try {
  const outfile = join(scratch, 'crash.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['tests/faults/crash/main.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    loader: { '.md': 'text', '.txt': 'text' },
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const { main } = await import(pathToFileURL(outfile).href);
  process.exitCode = await main(process.argv.slice(2), root, outfile);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
