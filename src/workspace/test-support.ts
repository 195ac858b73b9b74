/** For tests only: real repositories in a temporary directory, with a clean environment and a home directory of their own. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodePlatform } from '../platform/node-platform.ts';
import type { Platform } from '../platform/platform.ts';
import { openHome, type Home } from './home.ts';
import { finishLanding, makeCommit, type LandOptions, type LandResult } from './land.ts';

export interface Bench {
  folder: string;
  root: string;
  harnessHome: string;
  platform: Platform;
  env: Record<string, string>;
  git(...args: string[]): string;
  gitIn(cwd: string, ...args: string[]): string;
  write(files: Readonly<Record<string, string | Uint8Array | { link: string } | { run: string }>>, at?: string): void;
  commit(message?: string): string;
  home(): Promise<Home>;
  dispose(): void;
}

export function createBench(): Bench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harness-workspace-')));
  const root = join(folder, 'project');
  const userHome = join(folder, 'user');
  for (const path of [root, userHome]) mkdirSync(path);
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: userHome,
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C.UTF-8',
  };
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const git = (...args: string[]): string => gitIn(root, ...args);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@example.com');
  const platform = nodePlatform(env);
  return {
    folder,
    root,
    harnessHome: join(folder, 'harness-home'),
    platform,
    env,
    git,
    gitIn,
    write: (files, at = root) => writeFiles(at, files),
    commit: (message = 'work') => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    home: () => openHome(platform, root),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function writeFiles(at: string, files: Readonly<Record<string, string | Uint8Array | { link: string } | { run: string }>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(at, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(path, content);
    else if ('link' in content) symlinkSync(content.link, path);
    else {
      writeFileSync(path, content.run);
      chmodSync(path, 0o755);
    }
  }
}

/** Every file below a directory as `type mode content`, told apart from the code under test: plain recursion, synchronous. */
export function picture(folder: string, leaveOut: readonly string[] = ['.git']): Record<string, string> {
  const result: Record<string, string> = {};
  const visit = (relative: string): void => {
    for (const name of readdirSync(join(folder, relative)).sort()) {
      const path = relative === '' ? name : `${relative}/${name}`;
      if (leaveOut.includes(path)) continue;
      const stat = lstatSync(join(folder, path));
      if (stat.isDirectory()) visit(path);
      else if (stat.isSymbolicLink()) result[path] = `link ${readlinkSync(join(folder, path))}`;
      else if (stat.isFile())
        result[path] = `${(stat.mode & 0o100) === 0 ? 'file' : 'run'} ${readFileSync(join(folder, path)).toString('base64')}`;
      else result[path] = 'special';
    }
  };
  visit('');
  return result;
}

/** The same picture of a tree in a repository, through `git archive`-free plumbing. */
export function pictureOfTree(bench: Bench, tree: string): Record<string, string> {
  const result: Record<string, string> = {};
  const listing = execFileSync('git', ['ls-tree', '-r', '-z', tree], {
    cwd: bench.root,
    env: bench.env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  for (const record of listing.split('\0')) {
    if (record === '') continue;
    const [head, path] = [record.slice(0, record.indexOf('\t')), record.slice(record.indexOf('\t') + 1)];
    const [mode, , oid] = head.split(' ');
    const content = execFileSync('git', ['cat-file', 'blob', oid!], { cwd: bench.root, env: bench.env });
    result[path] =
      mode === '120000' ? `link ${content.toString('utf8')}` : `${mode === '100755' ? 'run' : 'file'} ${content.toString('base64')}`;
  }
  return result;
}

/** The commit and its landing in one. */
export async function landCommit(platform: Platform, options: LandOptions): Promise<LandResult> {
  const commit = await makeCommit(platform, options);
  return finishLanding(platform, { home: options.home, branch: options.branch, base: options.base, commit });
}
