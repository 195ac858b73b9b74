import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const fixtures = ['**/node_modules/**', '**/fixtures/**', '**/repositories/**'];

/** As in the bundle (`scripts/text-assets.mjs`): `import text from './x.md'` gives the file's text, and so for programs under `assets/`. */
const textAssets: NonNullable<ViteUserConfig['plugins']>[number] = {
  name: 'text-assets',
  enforce: 'pre',
  transform(code: string, id: string) {
    return /\.(md|txt|py)$|[\\/]assets[\\/](?:[\w-]+[\\/])?[^\\/]+\.[cm]js$/.test(id)
      ? { code: `export default ${JSON.stringify(code)};`, map: null }
      : null;
  },
};

/** A minute and more each: begun last, one of them would be waited for alone. */
const SLOW = [
  'checks/controls',
  'self-check',
  'checks/again',
  'verify/judge',
  'run/compiled',
  'adversarial/',
  'e2e/wheel-',
  'e2e/runners',
  'e2e/limits-',
  'faults/',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = (file: TestSpecification): number => {
      const at = SLOW.findIndex((part) => file.moduleId.includes(part));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  plugins: [textAssets],
  test: {
    pool: 'forks',
    // Many tests wait for processes: one more than the cores of a small machine.
    maxWorkers: 3,
    setupFiles: ['tests/leave-to-long.ts'],
    sequence: { sequencer: SlowFirst },
    // Real processes on a busy machine: a second try in CI, told in the report.
    retry: process.env['CI'] === undefined ? 0 : 1,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['{src,scripts}/**/*.test.ts'], exclude: fixtures, testTimeout: 180_000, hookTimeout: 180_000 },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/**/*.test.ts'],
          exclude: fixtures,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          globalSetup: ['tests/build-once.ts'],
        },
      },
    ],
  },
});
