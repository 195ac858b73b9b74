/**
 * What is replayed: local git directories, commits in them, their test files and settings.
 *
 * 1. A repository without commits of its own choice gets its newest ones that change sources and tests together.
 * 2. `kind` says what a commit does to tests that were there: `adds` leaves every line of them, `changes` does not.
 */
import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { isTestFile, isTestPath, kindOf } from '../../src/verify/checks/protected-paths.ts';
import { languageOf } from '../../src/verify/source/source.ts';

const COMMIT = z.union([z.string(), z.strictObject({ id: z.string(), tests: z.array(z.string()).optional() })]);

const REPOSITORY = z.strictObject({
  name: z.string(),
  /** A git directory of this machine. */
  git: z.string(),
  /** Shell commands that make the project ready for adoption; what they write becomes part of the base. */
  prepare: z.string().optional(),
  /** What `.harness.yaml` says beside the agent. */
  settings: z.record(z.string(), z.unknown()).optional(),
  commits: z.array(COMMIT).optional(),
  /** A regular expression for the paths of test files, where their names do not say it. */
  tests: z.string().optional(),
  /** How many commits are taken where none are named, and among how many of the newest they are looked for. */
  take: z.int().optional(),
  among: z.int().optional(),
});

export const LIST = z.strictObject({ repositories: z.array(REPOSITORY) });

export type Repository = z.infer<typeof REPOSITORY>;

export interface Change {
  path: string;
  status: 'added' | 'modified' | 'deleted';
}

export interface Commit {
  id: string;
  subject: string;
  changes: Change[];
  tests: string[];
  kind: 'adds' | 'changes';
}

/** Which paths are test files in this repository. */
export function testsIn({ tests }: Repository): (path: string) => boolean {
  const pattern = tests === undefined ? null : new RegExp(tests);
  return (path) => (pattern === null ? isTestFile(path) : pattern.test(path));
}

export function commitsOf(repository: Repository): Commit[] {
  if (repository.commits !== undefined)
    return repository.commits.map((one) =>
      typeof one === 'string' ? readCommit(repository, one) : readCommit(repository, one.id, one.tests),
    );
  const newest = git(repository.git, 'rev-list', '--no-merges', '--min-parents=1', `--max-count=${repository.among ?? 400}`, 'HEAD').split(
    '\n',
  );
  const found: Commit[] = [];
  for (const id of newest) {
    if (found.length >= (repository.take ?? 5)) break;
    const commit = readCommit(repository, id);
    if (isUsable(commit)) found.push(commit);
  }
  return found;
}

/** Code and its tests in one commit of a size that one session could have, with nothing beside them but words for people. */
function isUsable({ changes, tests }: Commit): boolean {
  const code = changes.filter(
    ({ path, status }) => status !== 'deleted' && languageOf(path) !== null && !isTestPath(path) && !tests.includes(path),
  );
  const others = changes.filter(({ path }) => languageOf(path) === null && !isTestPath(path));
  const isPlain = ({ path }: Change): boolean => kindOf(path, { stateDirectory: '.harness', extra: [], commandFiles: new Set() }) === null;
  return (
    tests.length > 0 &&
    tests.length <= 5 &&
    changes.every(isPlain) &&
    code.length > 0 &&
    changes.length <= 30 &&
    others.every(({ path }) => PROSE.test(path))
  );
}

const PROSE = /\.(?:md|markdown|rst|txt|adoc)$|^(?:docs?|changes?|newsfragments)\/|(?:^|\/)(?:AUTHORS|CHANGES|CHANGELOG|README)[^/]*$/i;

function readCommit(repository: Repository, id: string, named?: string[]): Commit {
  const directory = repository.git;
  const isTest = testsIn(repository);
  const [full = '', subject = ''] = git(directory, 'show', '--no-patch', '--format=%H%n%s', id).split('\n');
  const changes = git(directory, 'diff-tree', '-r', '--no-commit-id', '--name-status', '--no-renames', `${full}^`, full)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Change => {
      const [status = '', path = ''] = line.split('\t');
      return { path, status: status === 'A' ? 'added' : status === 'D' ? 'deleted' : 'modified' };
    });
  const tests = named ?? changes.filter(({ path, status }) => status !== 'deleted' && isTest(path)).map(({ path }) => path);
  const removed = git(directory, 'diff-tree', '-r', '--no-commit-id', '--numstat', '--no-renames', `${full}^`, full)
    .split('\n')
    .map((line) => line.split('\t'))
    .some(([, lines, path = '']) => (isTestPath(path) || isTest(path)) && Number(lines) > 0);
  return { id: full, subject, changes, tests, kind: removed ? 'changes' : 'adds' };
}

export function git(directory: string, ...args: string[]): string {
  return execFileSync('git', ['-C', directory, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trimEnd();
}

/** The text of a file in a commit; null where it is not there, or is no text. */
export function textAt(directory: string, commit: string, path: string): string | null {
  try {
    const content = execFileSync('git', ['-C', directory, 'show', `${commit}:${path}`], {
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return content.includes(0) ? null : content.toString('utf8');
  } catch {
    return null;
  }
}
