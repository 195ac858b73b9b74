/** What the corpus knows of the runners that stand for all whose single tests the harness reads: one of each way in which tests are run. */
import { deepRunner, type DeepName } from '../../src/verify/runners/registry.ts';

export type RunnerKey = Extract<DeepName, 'node:test' | 'vitest' | 'jest' | 'pytest' | 'mocha' | 'tape'>;

interface CorpusRunner {
  /** The project's whole test command, and what `npm test` runs. */
  full: string;
  script: string;
  /** What a passing run of two tests prints. */
  shown: string;
  isModule: boolean;
  /** The word in front of assertions: `assert.equal(…)`, `t.equal(…)`, or `expect(…)`. */
  asserts: 'assert' | 'expect' | 't';
  /** A test with this title, up to its body, and what ends it; absent: `test('…', () => {` and nothing more. */
  opens?: (title: string) => string;
  ends?: string;
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
    asserts: 'assert',
    header: (names) => `import assert from 'node:assert/strict';\nimport { ${['test', ...names].join(', ')} } from 'node:test';\n`,
    needsPackages: false,
  },
  vitest: {
    full: 'npm test',
    script: 'vitest run',
    shown: ' Test Files  1 passed (1)\n      Tests  2 passed (2)',
    isModule: true,
    asserts: 'expect',
    header: (names) => `import { ${['expect', 'test', ...names].join(', ')} } from 'vitest';\n`,
    needsPackages: true,
  },
  jest: {
    full: 'npm test',
    script: 'jest',
    shown: 'Tests:       2 passed, 2 total',
    isModule: false,
    asserts: 'expect',
    header: () => '',
    needsPackages: true,
  },
  pytest: {
    // Without what this machine has installed beside pytest: plugins would be measured along, and each of them costs every run time.
    full: 'PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 python3 -m pytest',
    script: 'pytest',
    shown: '============ 2 passed in 0.02s ============',
    isModule: true,
    asserts: 'expect',
    header: () => '',
    needsPackages: false,
  },
  mocha: {
    full: 'npm test',
    script: 'mocha --recursive',
    shown: '  2 passing (4ms)',
    isModule: false,
    asserts: 'assert',
    opens: (title) => `it('${title}', () => {`,
    header: () => "import assert from 'node:assert/strict';\n",
    needsPackages: true,
  },
  tape: {
    full: 'npm test',
    script: "tape 'test/**/*.test.js'",
    shown: '# tests 2\n# pass  2\n\n# ok',
    isModule: false,
    asserts: 't',
    opens: (title) => `test('${title}', (t) => {`,
    ends: 't.end();',
    header: () => "import test from 'tape';\n",
    needsPackages: true,
  },
};

/** Those that every behaviour is written for unless it names others. */
export const RUNNERS: readonly RunnerKey[] = ['node:test', 'vitest', 'jest', 'pytest'];
/** With those that a few behaviours are written for: shapes that only their tests have. */
export const ALL_RUNNERS = Object.keys(CORPUS_RUNNERS) as RunnerKey[];
export const SCRIPT_RUNNERS = RUNNERS.filter(isScript);

export function isScript(runner: RunnerKey): boolean {
  return deepRunner(runner).single.language === 'javascript';
}

/** Those that need an interpreter which is not there. */
export function withoutInterpreter(python: string | null): RunnerKey[] {
  return ALL_RUNNERS.filter((name) => deepRunner(name).interpreter === 'python' && python === null);
}
