// What the bundlers give as text: pages, and the programs under `assets/` that run in rooms, runners and threads.
import { readFile } from 'node:fs/promises';

export const TEXTS = { '.md': 'text', '.txt': 'text', '.py': 'text' };

/** Elsewhere `.mjs` and `.cjs` are modules. */
export const programsAsText = {
  name: 'programs-as-text',
  setup(build) {
    build.onLoad({ filter: /[\\/]assets[\\/](?:[\w-]+[\\/])?[^\\/]+\.[cm]js$/ }, async ({ path }) => ({
      contents: await readFile(path),
      loader: 'text',
    }));
  },
};
