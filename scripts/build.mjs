// Bundles src/ into dist/ with code splitting: one small entry, every command loaded on demand; and one file for quick answers.
// The new bundle is made beside the old one and takes its place at the end, so that a running command never misses a file for long.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const next = `${root}dist.${process.pid}.next`;
const old = `${root}dist.${process.pid}.old`;

/** The messages of zod in forty languages are half of its size and never shown. */
const oneLocale = {
  name: 'one-locale',
  setup(bundler) {
    bundler.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: path.replace(/\/index\.js$/, ''),
    }));
  },
};

const { outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts' },
  outdir: next,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@anthropic-ai/claude-agent-sdk'],
  loader: { '.md': 'text', '.txt': 'text' },
  legalComments: 'none',
  plugins: [oneLocale],
  write: false,
  logLevel: 'warning',
});
/** One file that needs no other: what it would load on demand it never asks for. */
const quick = await build({
  absWorkingDir: root,
  entryPoints: { quick: 'src/quick.ts' },
  outdir: next,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  plugins: [
    {
      name: 'nothing-on-demand',
      setup: (bundler) =>
        bundler.onResolve({ filter: /./ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined)),
    },
  ],
  write: false,
  logLevel: 'warning',
});
/** Loaded by a thread of its own, which cannot share the bundle. */
const parser = await build({
  absWorkingDir: root,
  entryPoints: { 'babel-parser': '@babel/parser' },
  outdir: next,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  write: false,
  logLevel: 'warning',
});
for (const { path, text } of [...outputFiles, ...quick.outputFiles, ...parser.outputFiles]) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, withRequire(path, text));
}
await replaceBundle();

/** Bundled CommonJS packages ask for Node's own modules with `require`, and for nothing else. */
function withRequire(path, text) {
  return /\brequire\b/.test(text) && !path.endsWith('.cjs') ? `const require = (name) => process.getBuiltinModule(name);\n${text}` : text;
}

/** Two builds at once both end with a whole bundle in place. */
async function replaceBundle() {
  for (let attempt = 1; ; attempt++) {
    await rename(`${root}dist`, old).catch(() => {});
    try {
      await rename(next, `${root}dist`);
      break;
    } catch (error) {
      if (attempt === 5) throw error;
    } finally {
      await rm(old, { recursive: true, force: true });
    }
  }
}
