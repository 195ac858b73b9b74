/**
 * Language and commands of a project, from the files at its root.
 *
 * 1. `detect` is pure, over names and the text of a few files; `listProject` reads them.
 * 2. Tables are read from the top; the first row that applies wins. What is not found is `null`.
 */
import { join } from 'node:path';
import type { Platform } from '../platform/platform.ts';
import { usualCommand } from '../verify/runners/registry.ts';

export interface Detected {
  language: 'java' | 'python' | 'javascript' | 'typescript' | 'csharp' | 'go' | 'rust' | 'unknown';
  test: string | null;
  build: string | null;
  /** May hold `{scope}`. */
  lint: string | null;
  type_check: string | null;
}

export interface Listing {
  /** Paths relative to the project, forward slashes; the root and a few levels below. */
  files: readonly string[];
  /** Text of the manifests that exist: package.json, pyproject.toml, tox.ini, Makefile. */
  texts: Readonly<Record<string, string | undefined>>;
}

export function detect(listing: Listing): Detected {
  const facts = factsOf(listing);
  const row = LANGUAGES.find(({ when }) => when(facts));
  return {
    language: languageOf(row?.language ?? 'unknown', facts),
    test: row?.test(facts) ?? null,
    build: row?.build(facts) ?? null,
    lint: LINTERS.find(({ when }) => when(facts))?.command ?? null,
    type_check: TYPE_CHECKERS.find(({ when }) => when(facts))?.command ?? null,
  };
}

/** What most source files are written in. A manifest decides only a tie: many a Python project has a package.json for its tools. */
function languageOf(named: Detected['language'], facts: Facts): Detected['language'] {
  const counts = SOURCES.map(([language, pattern]) => ({ language, files: facts.count(pattern) }));
  const most = Math.max(...counts.map(({ files }) => files));
  const leading = counts.filter(({ files }) => files === most).map(({ language }) => language);
  const [first = named] = leading;
  const language = most === 0 || leading.includes(named) ? named : first;
  if (language !== 'typescript') return language;
  return facts.root(/^tsconfig.*\.json$/) || facts.anywhere(/(?<!\.d)\.[cm]?tsx?$/) ? 'typescript' : 'javascript';
}

/** Settings of tools are no source of the project. */
const SOURCES: readonly (readonly [Detected['language'], RegExp])[] = [
  ['typescript', /^(?!.*\.(?:config|conf|d)\.[cm]?[jt]s$)[^.].*\.[cm]?[jt]sx?$/],
  ['python', /\.py$/],
  ['java', /\.(?:java|kts?)$/],
  ['csharp', /\.cs$/],
  ['go', /\.go$/],
  ['rust', /\.rs$/],
];

export async function detectProject(platform: Platform, root: string): Promise<Detected> {
  return detect(await listProject(platform, root));
}

export async function listProject(platform: Platform, root: string): Promise<Listing> {
  const texts = await readManifests((name) => platform.files.readTextIfExists(join(root, name)));
  return { files: await listFiles(platform, root, '', DEPTH), texts };
}

/** The same of a commit. */
export async function listTree(paths: readonly string[], read: (path: string) => Promise<string | null>): Promise<Listing> {
  const isNear = (path: string): boolean => path.split('/').length <= DEPTH && !path.split('/').some((part) => PASSED_OVER.has(part));
  return { files: paths.filter(isNear).slice(0, MOST_FILES), texts: await readManifests(read) };
}

const MANIFESTS = ['package.json', 'pyproject.toml', 'tox.ini', 'Makefile'] as const;

async function readManifests(read: (path: string) => Promise<string | null>): Promise<Listing['texts']> {
  const texts = await Promise.all(MANIFESTS.map(async (name) => [name, (await read(name)) ?? undefined] as const));
  return Object.fromEntries(texts);
}

interface Facts {
  root(pattern: RegExp): boolean;
  anywhere(pattern: RegExp): boolean;
  count(pattern: RegExp): number;
  pyproject(table: string): boolean;
  script(name: string): string | null;
  hasPackage(name: string): boolean;
  /** The text of tox.ini. */
  tox: string;
  /** Of the Makefile. */
  target(name: string): boolean;
}

const LANGUAGES: readonly {
  language: Detected['language'];
  when(facts: Facts): boolean;
  test(facts: Facts): string | null;
  build(facts: Facts): string | null;
}[] = [
  { language: 'java', when: (f) => f.root(/^build\.gradle(\.kts)?$/), test: () => './gradlew test', build: () => './gradlew build' },
  { language: 'java', when: (f) => f.root(/^pom\.xml$/), test: () => 'mvn test', build: () => 'mvn compile' },
  { language: 'python', when: (f) => f.root(/^(pyproject\.toml|setup\.py)$/), test: pythonTest, build: () => null },
  {
    language: 'typescript',
    when: (f) => f.root(/^package\.json$/),
    test: npmTest,
    build: (f) => (f.script('build') === null ? null : 'npm run build'),
  },
  { language: 'csharp', when: (f) => f.root(/\.csproj$/), test: () => 'dotnet test', build: () => 'dotnet build' },
  { language: 'go', when: (f) => f.root(/^go\.mod$/), test: () => 'go test ./...', build: () => 'go build ./...' },
  { language: 'rust', when: (f) => f.root(/^Cargo\.toml$/), test: () => 'cargo test', build: () => 'cargo build' },
  { language: 'typescript', when: (f) => f.anywhere(NODE_TEST), test: (f) => usualCommand('javascript', f.hasPackage), build: () => null },
  { language: 'python', when: (f) => f.anywhere(/(^|\/)(test_[^/]+|[^/]+_test)\.py$/), test: pythonTest, build: () => null },
  {
    language: 'unknown',
    when: (f) => f.target('test'),
    test: () => 'make test',
    build: (f) => (f.target('build') ? 'make build' : null),
  },
];

export const NODE_TEST = /\.test\.[cm]?js$|(^|\/)test\/.*\.[cm]?js$|(^|\/)test\.[cm]?js$/;

function npmTest(facts: Facts): string | null {
  const script = facts.script('test');
  if (script !== null && !/no test specified/i.test(script)) return 'npm test';
  return usualCommand('javascript', facts.hasPackage);
}

/** Tox says what its tests need, where nothing is there that is installed for them. */
function pythonTest(facts: Facts): string | null {
  const isInstalled = facts.root(/^(?:pyproject\.toml|setup\.(?:py|cfg))$/);
  if (/\b(?:pytest|unittest)\b/.test(facts.tox) && (!isInstalled || /^\s*PYTHONPATH\s*=/m.test(facts.tox))) return 'tox';
  return usualCommand('python', facts.hasPackage);
}

const LINTERS: readonly { when(facts: Facts): boolean; command: string }[] = [
  { when: (f) => f.script('lint') !== null, command: 'npm run lint' },
  { when: (f) => f.root(/^\.eslintrc|^eslint\.config\./), command: 'npx eslint .' },
  { when: (f) => f.pyproject('tool.ruff'), command: 'ruff check .' },
  { when: (f) => f.root(/^\.pylintrc$/) || f.pyproject('tool.pylint'), command: 'pylint {scope}' },
  { when: (f) => f.root(/^\.golangci\.ya?ml$/), command: 'golangci-lint run' },
  { when: (f) => f.root(/^Cargo\.toml$/), command: 'cargo clippy' },
];

const TYPE_CHECKERS: readonly { when(facts: Facts): boolean; command: string }[] = [
  { when: (f) => f.root(/^tsconfig\.json$/), command: 'npx tsc --noEmit' },
  { when: (f) => f.root(/^mypy\.ini$/) || f.pyproject('tool.mypy'), command: 'mypy .' },
  { when: (f) => f.root(/^pyrightconfig\.json$/) || f.pyproject('tool.pyright'), command: 'pyright' },
];

function factsOf({ files, texts }: Listing): Facts {
  const manifest = parseManifest(texts['package.json']);
  const scripts = asRecord(manifest['scripts']);
  const packages = { ...asRecord(manifest['dependencies']), ...asRecord(manifest['devDependencies']) };
  return {
    root: (pattern) => files.some((file) => !file.includes('/') && pattern.test(file)),
    anywhere: (pattern) => files.some((file) => pattern.test(file)),
    count: (pattern) => files.filter((file) => pattern.test(file)).length,
    pyproject: (table) => new RegExp(`^\\s*\\[{1,2}${table.replaceAll('.', '\\.')}[\\].]`, 'm').test(texts['pyproject.toml'] ?? ''),
    script: (name) => (typeof scripts[name] === 'string' && scripts[name] !== '' ? scripts[name] : null),
    hasPackage: (name) => Object.hasOwn(packages, name),
    tox: texts['tox.ini'] ?? '',
    target: (name) => new RegExp(`^${name}[ \\t]*:(?!=)`, 'm').test(texts['Makefile'] ?? ''),
  };
}

/** A manifest that cannot be read says nothing. */
function parseManifest(text: string | undefined): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

const DEPTH = 4;
const MOST_FILES = 20_000;
const PASSED_OVER = new Set(['node_modules', '.git', '.harness', 'dist', 'build', 'target', 'vendor', '.venv', 'venv', '__pycache__']);

async function listFiles(platform: Platform, root: string, prefix: string, depth: number): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await platform.files.list(join(root, prefix))) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isFile()) files.push(path);
    else if (entry.isDirectory() && depth > 1 && !PASSED_OVER.has(entry.name))
      files.push(...(await listFiles(platform, root, path, depth - 1)));
    if (files.length > MOST_FILES) break;
  }
  return files;
}
