/**
 * The git program, by argument list, never through a shell.
 *
 * 1. Always with the user's own git directory (home) or one that the harness made; never with an agent's.
 * 2. Hooks, fsmonitor, replaced objects, prompts, pagers and optional locks are off.
 * 3. GIT_* variables of the caller's environment do not reach it, except identity and signing.
 * 4. A git directory that lies open among the files of a project came with them, and so did its settings: it is not used.
 */
import { dirname, join } from 'node:path';
import type { Platform } from './platform.ts';

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface GitOptions {
  /** Working directory; the repository is found from here unless `gitDir` is given. */
  cwd: string;
  gitDir?: string;
  workTree?: string;
  indexFile?: string;
  stdin?: string | Uint8Array;
  env?: Readonly<Record<string, string>>;
  maxOutputBytes?: number;
  /** For commands that reach out; absent: as long as it takes. */
  timeoutMs?: number;
}

const SAFE_CONFIG = [
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.quotePath=false',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
  '-c',
  'safe.bareRepository=explicit',
];
const KEPT_VARIABLES = new Set(['PATH', 'HOME', 'XDG_CONFIG_HOME', 'GNUPGHOME', 'SSH_AUTH_SOCK', 'TMPDIR']);

/** Runs git and returns whatever it said. */
export async function tryGit(platform: Platform, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const bare = options.gitDir === undefined ? await openRepository(platform, options.cwd) : null;
  if (bare !== null) return { code: 128, stdout: Buffer.alloc(0), stderr: `fatal: ${bare} is laid out as a git directory itself\n` };
  const result = await platform.processes.run({
    file: 'git',
    args: gitArguments(args),
    cwd: options.cwd,
    env: gitEnvironment(platform, options),
    stdin: options.stdin,
    maxOutputBytes: options.maxOutputBytes ?? 512 * 1024 * 1024,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  return { code: result.code ?? 1, stdout: result.stdout, stderr: result.stderr.toString('utf8') };
}

/** The folder that git would take for a bare repository: git itself can be told not to from 2.38 on. Its `HEAD` may be a link to nothing. */
export async function openRepository({ files }: Pick<Platform, 'files'>, cwd: string): Promise<string | null> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await files.exists(join(folder, '.git'))) return null;
    const isThere = (name: string): Promise<boolean> =>
      files.lstat(join(folder, name)).then(
        () => true,
        () => false,
      );
    const [head, objects, refs, common] = await Promise.all(['HEAD', 'objects', 'refs', 'commondir'].map(isThere));
    if (head === true && ((objects === true && refs === true) || common === true)) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** Runs git and throws when it fails. */
export async function git(platform: Platform, args: readonly string[], options: GitOptions): Promise<Buffer> {
  const result = await tryGit(platform, args, options);
  if (result.code !== 0) throw new GitError(args, result);
  return result.stdout;
}

/** As `git`, for one line of text. */
export async function gitLine(platform: Platform, args: readonly string[], options: GitOptions): Promise<string> {
  return (await git(platform, args, options)).toString('utf8').trim();
}

export class GitError extends Error {
  readonly result: GitResult;
  constructor(args: readonly string[], result: GitResult) {
    super(`git ${args.slice(0, 3).join(' ')} failed (${result.code}): ${result.stderr.trim().split('\n').slice(-3).join(' ')}`);
    this.name = 'GitError';
    this.result = result;
  }
}

/** With everything switched off that a repository's own settings could make git start. */
export function gitArguments(args: readonly string[]): string[] {
  return [...SAFE_CONFIG, ...args];
}

export function gitEnvironment(platform: Platform, options: GitOptions): Record<string, string> {
  const env: Record<string, string> = {
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
  };
  for (const [name, value] of Object.entries(platform.env)) {
    if (
      value !== undefined &&
      (KEPT_VARIABLES.has(name) || /^GIT_(AUTHOR|COMMITTER)_/.test(name) || /^GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$/.test(name))
    )
      env[name] = value;
  }
  if (options.gitDir !== undefined) env['GIT_DIR'] = options.gitDir;
  if (options.workTree !== undefined) env['GIT_WORK_TREE'] = options.workTree;
  if (options.indexFile !== undefined) env['GIT_INDEX_FILE'] = options.indexFile;
  return { ...env, ...options.env };
}
