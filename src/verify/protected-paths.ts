/** Which paths are protected by what they are named, and what they belong to. Also where the path was absent before. */
import type { Reason } from '../domain/reasons.ts';
import { matchesGlob } from './glob.ts';

export type ProtectedKind =
  | 'runner-config'
  | 'toolchain'
  | 'package'
  | 'lockfile'
  | 'harness'
  | 'state'
  | 'hooks'
  | 'modules'
  | 'snapshot'
  | 'custom';

const PATTERNS: readonly (readonly [ProtectedKind, readonly string[]])[] = [
  [
    'modules',
    [
      'node_modules/**',
      '**/node_modules/**',
      '.venv/**',
      'venv/**',
      '_pytest/**',
      'pytest/**',
      'pytest.py',
      '_pytest.py',
      'sitecustomize.py',
      'usercustomize.py',
      '*.pth',
      '**/__pycache__/**',
      '*.pyc',
      '**/*.egg-info/**',
      '**/*.dist-info/**',
    ],
  ],
  [
    'hooks',
    ['.husky/**', '.githooks/**', 'lefthook.y*ml', '.lefthook.y*ml', '.pre-commit-config.yaml', '.lintstagedrc*', 'lint-staged.config.*'],
  ],
  ['package', ['package.json']],
  [
    'lockfile',
    [
      'package-lock.json',
      'npm-shrinkwrap.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'bun.lock',
      'bun.lockb',
      'poetry.lock',
      'uv.lock',
      'Pipfile',
      'Pipfile.lock',
      'requirements*.txt',
      'Cargo.lock',
      'go.sum',
      'Gemfile.lock',
    ],
  ],
  [
    'runner-config',
    [
      'vitest.config.*',
      'vitest.workspace.*',
      'vitest.setup.*',
      'vite.config.*',
      'jest.config.*',
      'jest.setup.*',
      'jest-preset.*',
      'babel.config.*',
      '.babelrc*',
      '.swcrc',
      'pytest.ini',
      '.pytest.ini',
      'conftest.py',
      'tox.ini',
      'setup.cfg',
      'pyproject.toml',
      '.coveragerc',
      '.mocharc*',
      '.nycrc*',
      '.c8rc*',
      '.taprc',
      'ava.config.*',
      'karma.conf.*',
      'playwright.config.*',
      'cypress.config.*',
      'setup-tests.*',
      'setupTests.*',
      'test-setup.*',
      'tests-setup.*',
      'node.config.json',
      '__mocks__/**',
    ],
  ],
  [
    'toolchain',
    [
      'tsconfig*.json',
      'jsconfig.json',
      '.eslintrc*',
      'eslint.config.*',
      '.eslintignore',
      'biome.json*',
      '.prettierrc*',
      '.oxlintrc.json',
      'ruff.toml',
      '.ruff.toml',
      '.flake8',
      'mypy.ini',
      '.mypy.ini',
      '.pylintrc',
      'pyrightconfig.json',
      '.golangci.y*ml',
      '.github/workflows/**',
      '.github/actions/**',
      '.gitlab-ci.yml',
      '.circleci/**',
      '.ci/**',
      'Jenkinsfile',
      'azure-pipelines.yml',
      '.npmrc',
      '.yarnrc*',
      '.yarn/**',
      '.pnpmfile.cjs',
      'pnpm-workspace.yaml',
      '.gitattributes',
      '.gitmodules',
      '.nvmrc',
      '.node-version',
      '.python-version',
      '.tool-versions',
    ],
  ],
  ['harness', ['.harness.yaml', 'init.sh', 'reset.sh', '.gitignore']],
  ['snapshot', ['**/__snapshots__/**', '*.snap']],
];

export function kindOf(
  path: string,
  options: { stateDirectory: string; extra: readonly string[]; commandFiles: ReadonlySet<string> },
): ProtectedKind | null {
  if (path === options.stateDirectory || path.startsWith(`${options.stateDirectory}/`)) return 'state';
  for (const [kind, patterns] of PATTERNS) if (patterns.some((pattern) => matchesGlob(path, pattern))) return kind;
  if (options.commandFiles.has(path)) return 'runner-config';
  return options.extra.some((pattern) => matchesGlob(path, pattern)) ? 'custom' : null;
}

export function reasonFor(kind: ProtectedKind): Reason {
  if (kind === 'runner-config') return 'tamper.test_config';
  if (kind === 'harness' || kind === 'state') return 'tamper.harness_state';
  if (kind === 'hooks') return 'tamper.hooks';
  if (kind === 'snapshot' || kind === 'custom') return 'tamper.tests';
  return 'tamper.toolchain';
}

/** A file that belongs to tests by its place or name: tests, fixtures, helpers. */
export function isTestPath(path: string): boolean {
  return isTestFile(path) || /(^|\/)(tests?|__tests__|__fixtures__|__mocks__|specs?|e2e|fixtures|testdata)\//.test(path);
}

export function isTestFile(path: string): boolean {
  return (
    /[._-](test|spec)\.[cm]?[jt]sx?$/.test(path) ||
    /(^|\/)test[-_][^/]*\.(py|[cm]?[jt]s)$/.test(path) ||
    /_test\.(py|go|rb|exs)$/.test(path)
  );
}

/** Files of the tree that a shell command names: they decide what the command does. */
export function commandFiles(commands: readonly (string | null)[], paths: ReadonlySet<string>): Set<string> {
  const named = new Set<string>();
  for (const command of commands) {
    for (const word of (command ?? '').split(/[\s'"`;|&<>()=]+/)) {
      const path = word.replace(/^\.\//, '');
      if (paths.has(path) && !isTestPath(path)) named.add(path);
    }
    if (/(^|[\s;&|])make\b/.test(command ?? '')) for (const path of ['Makefile', 'makefile', 'GNUmakefile']) named.add(path);
  }
  return named;
}
