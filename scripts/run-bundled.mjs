// Bundles a TypeScript entry and runs its `main(args, root, bundle)`: what runs is what stands in the sources now.
// `--help`, and an option that the entry does not know, print its `USAGE`.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { programsAsText, TEXTS } from './text-assets.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export async function runBundled(name, entry) {
  const scratch = await mkdtemp(join(tmpdir(), `harness-${name}-build-`));
  try {
    const outfile = join(scratch, `${name}.mjs`);
    await symlink(join(root, 'node_modules'), join(scratch, 'node_modules'));
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: ['typescript'],
      loader: TEXTS,
      plugins: [programsAsText],
      banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
      logLevel: 'error',
    });
    process.exitCode = await call(await import(pathToFileURL(outfile).href), process.argv.slice(2), outfile);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function call({ main, USAGE }, args, outfile) {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  try {
    return await main(args, root, outfile);
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    console.error(`${error.message}\n${USAGE}`);
    return 2;
  }
}
