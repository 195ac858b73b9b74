// Bundles src/ into dist/ with code splitting: one small entry, every command loaded on demand.
// The new bundle is made beside the old one and takes its place at the end, so that a running command never misses a file for long.
import { rename, rm } from 'node:fs/promises';
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

await build({
  absWorkingDir: root,
  entryPoints: { main: 'src/main.ts' },
  outdir: next,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@anthropic-ai/claude-agent-sdk', '@agentclientprotocol/sdk'],
  loader: { '.md': 'text', '.txt': 'text' },
  legalComments: 'none',
  plugins: [oneLocale],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await replaceBundle();

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
