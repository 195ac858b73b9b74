/** What the corpus knows of the runners that stand for all whose single tests the harness reads: one of each way in which tests are run. */
import { deepRunner, type DeepName } from '../../src/verify/runners/registry.ts';

export type RunnerKey = Extract<DeepName, 'node:test' | 'vitest' | 'jest' | 'pytest'>;

interface CorpusRunner {
  /** The project's whole test command, and what `npm test` runs. */
  full: string;
  script: string;
  /** What a passing run of two tests prints. */
  shown: string;
  isModule: boolean;
  /** Assertions by `assert` instead of `expect`. */
  asserts: boolean;
  /** The first lines of a test file that takes these names beside the usual ones. */
  header(names: readonly string[]): string;
  needsPackages: boolean;
}

export const CORPUS_RUNNERS: Readonly<Record<RunnerKey, CorpusRunner>> = {
  'node:test': {
    full: 'npm test',
    script: 'node --test',
    shown: '# tests 2\n# pass 2\n# fail 0',
    isModule: true,
    asserts: true,
    header: (names) => `import assert from 'node:assert/strict';\nimport { ${['test', ...names].join(', ')} } from 'node:test';\n`,
    needsPackages: false,
  },
  vitest: {
    full: 'npm test',
    script: 'vitest run',
    shown: ' Test Files  1 passed (1)\n      Tests  2 passed (2)',
    isModule: true,
    asserts: false,
    header: (names) => `import { ${['expect', 'test', ...names].join(', ')} } from 'vitest';\n`,
    needsPackages: true,
  },
  jest: {
    full: 'npm test',
    script: 'jest',
    shown: 'Tests:       2 passed, 2 total',
    isModule: false,
    asserts: false,
    header: () => '',
    needsPackages: true,
  },
  pytest: {
    // Without what this machine has installed beside pytest: plugins would be measured along, and each of them costs every run time.
    full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest',
    script: 'pytest',
    shown: '============ 2 passed in 0.02s ============',
    isModule: true,
    asserts: false,
    header: () => '',
    needsPackages: false,
  },
};

export const RUNNERS = Object.keys(CORPUS_RUNNERS) as RunnerKey[];
export const SCRIPT_RUNNERS = RUNNERS.filter(isScript);

export function isScript(runner: RunnerKey): boolean {
  return deepRunner(runner).single.language === 'javascript';
}

/** Those that need an interpreter which is not there. */
export function withoutInterpreter(python: string | null): RunnerKey[] {
  return RUNNERS.filter((name) => deepRunner(name).interpreter === 'python' && python === null);
}
