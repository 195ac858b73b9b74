import { defineConfig, type ViteUserConfig } from 'vitest/config';

const fixtures = ['**/node_modules/**', '**/fixtures/**', '**/repositories/**'];

/** As esbuild's text loader in the bundle: `import text from './x.md'` gives the file's text. */
const markdownAsText: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'markdown-as-text',
  enforce: 'pre',
  transform(code: string, id: string) {
    return /\.(md|txt)$/.test(id) ? { code: `export default ${JSON.stringify(code)};`, map: null } : null;
  },
};

export default defineConfig({
  plugins: [markdownAsText],
  test: {
    pool: 'forks',
    // Many tests wait for processes: one more than the cores of a small machine.
    maxWorkers: 3,
    // Real processes on a busy machine: a second try in CI, told in the report.
    retry: process.env['CI'] === undefined ? 0 : 1,
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], exclude: fixtures, testTimeout: 60_000, hookTimeout: 60_000 } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/**/*.test.ts'],
          exclude: fixtures,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          globalSetup: ['tests/build-once.ts'],
        },
      },
    ],
  },
});
