/**
 * Which paths are protected by what they are named, and what they belong to. Also where the path was absent before, and in whatever
 * letters: some programs and some file systems do not tell `x.DIST-INFO` from `x.dist-info`.
 */
import { posix } from 'node:path';
import type { Reason } from '../../domain/reasons.ts';
import { anyGlob, matchesGlob } from '../../domain/glob.ts';
import { filesOfRunners } from '../runners/registry.ts';

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
      ...filesOfRunners('modules'),
      'node_modules/**',
      '**/node_modules/**',
      '.venv/**',
      'venv/**',
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
    [
      '.husky/**',
      '.githooks/**',
      'lefthook*.*',
      '.lefthook*.*',
      'simple-git-hooks.*',
      '.simple-git-hooks.*',
      '.pre-commit-config.yaml',
      '.lintstagedrc*',
      'lint-staged.config.*',
    ],
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
      ...filesOfRunners('settings'),
      'postcss.config.*',
      '.postcssrc*',
      '.swcrc',
      'noxfile.py',
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
      'bunfig.toml',
      '.cargo/config',
      '.cargo/config.toml',
      'go.work',
      '.rspec',
      'phpunit.xml*',
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
      'azure-pipelines*.y*ml',
      'bitbucket-pipelines.y*ml',
      'appveyor.y*ml',
      'cloudbuild.y*ml',
      'buildspec.y*ml',
      'codemagic.yaml',
      'wercker.yml',
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
      'mise.toml',
      'mise.*.toml',
      'binding.gyp',
      'setup.py',
      'docker-compose.override.y*ml',
      'compose.override.y*ml',
      'rust-toolchain',
      'rust-toolchain.toml',
    ],
  ],
  ['harness', ['.harness.yaml', 'init.sh', 'reset.sh', '.gitignore']],
  ['snapshot', ['**/__snapshots__/**', '*.snap', 'tap-snapshots/**', '**/tap-snapshots/**']],
];

/** Files and folders with a dot at the root on which no tool acts; every other one is asked about. The list is in the docs. */
export const HARMLESS: readonly string[] = [
  '.editorconfig',
  '.gitkeep',
  '.keep',
  '.npmignore',
  '.dockerignore',
  '.prettierignore',
  '.mailmap',
  '.nojekyll',
  '.env.example',
  '.env.sample',
  '.env.template',
  '.markdownlint*',
  '.all-contributorsrc',
  '.changeset/*.md',
  '.github/*.md',
  '.github/issue_template/**',
  '.github/pull_request_template/**',
];

const LOWER_CASE = PATTERNS.map(([kind, patterns]) => [kind, patterns.map((pattern) => pattern.toLowerCase())] as const);
const OF_KIND = LOWER_CASE.map(([kind, patterns]) => [kind, anyGlob(patterns)] as const);
const OF_ANY_KIND = anyGlob(LOWER_CASE.flatMap(([, patterns]) => patterns));

export function kindOf(
  path: string,
  options: { stateDirectory: string; extra: readonly string[]; commandFiles: ReadonlySet<string> },
): ProtectedKind | null {
  const [lower, state] = [path.toLowerCase(), options.stateDirectory.toLowerCase()];
  if (lower === state || lower.startsWith(`${state}/`)) return 'state';
  if (OF_ANY_KIND(lower)) for (const [kind, matches] of OF_KIND) if (matches(lower)) return kind;
  if (options.commandFiles.has(path)) return 'runner-config';
  if (lower.startsWith('.') && !HARMLESS.some((pattern) => matchesGlob(lower, pattern))) return 'toolchain';
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
    /_test\.(py|go|rb|exs)$/.test(path) ||
    /^tests?\.(py|[cm]?[jt]sx?)$|\/tests\.py$/.test(path)
  );
}

/** What a program reads to know what it has to do, in the order in which it looks: one that is new can come before the one that counts. */
const RECIPES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(^|[\s;&|])g?make\b/, ['GNUmakefile', 'makefile', 'Makefile']],
  [/(^|[\s;&|])just\b/, ['justfile', '.justfile', 'Justfile']],
  [/(^|[\s;&|])rake\b/, ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb']],
  [
    /(^|[\s;&|])task\b/,
    ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml', 'taskfile.dist.yml', 'Taskfile.dist.yaml'],
  ],
];

/** Programs that only take files elsewhere: what they are given does not decide what a command does, unless it goes to the tests. */
const TAKES_FILES = /^\s*(?:npx\s+)?(?:cp|mv|rm|cpy|copyfiles|cpx|shx\s+(?:cp|mv|rm))\s/;

/** Files of the tree that a shell command names: they decide what the command does. */
export function commandFiles(commands: readonly (string | null)[], paths: ReadonlySet<string>): Set<string> {
  const named = new Set<string>();
  for (const command of commands) {
    const steps = (command ?? '').split(/[;|&\n]+/).map((step) => ({ step, words: step.split(/[\s'"`<>()=]+/) }));
    const deciding = steps.filter(({ step, words }) => !TAKES_FILES.test(step) || words.some((word) => isTestPath(`${word}/x`)));
    for (const word of deciding.flatMap(({ words }) => words)) {
      const path = word.replace(/^\.\//, '');
      if (paths.has(path) && !isTestPath(path)) named.add(path);
    }
    for (const [program, recipes] of RECIPES) if (program.test(command ?? '')) for (const path of recipes) named.add(path);
  }
  return named;
}

/** Scripts and parts of recipes that the text of a command file names, by path or by name: they decide as much as it does. */
export function calledScripts(text: string, paths: ReadonlySet<string>): string[] {
  const words = new Set(text.split(/[^\w.-]+/));
  return [...paths].filter((path) => /\.(sh|bash|zsh|mk|just|rake)$/.test(path) && words.has(posix.basename(path)));
}
