/**
 * The harness as an outsider runs it: the built program, real repositories, real scripts, an environment of its own.
 *
 * 1. A scene is a temporary folder with a project in it; the harness's own directory and the user's home lie beside the project.
 * 2. Nothing of the machine's environment reaches the program but PATH, without this checkout's own programs.
 * 3. A snapshot holds everything of a project that a refused session must leave alone.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { copyDotfiles, isCache, linkCaches } from '../lived-in-home.ts';

const program = fileURLToPath(new URL('../../bin/harness.js', import.meta.url));

export interface Scene {
  folder: string;
  project: string;
  env: Record<string, string>;
}

export interface HarnessLine {
  type: string;
  ts: string;
  [field: string]: unknown;
}

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Lines of stdout that are JSON objects with a type. */
  events: HarnessLine[];
  last: HarnessLine | undefined;
}

/** Their homes have filled caches as well. */
const WITH_CACHES =
  /\/(?:worker|honest|dependencies|mission|lanes|night|first-project|demo|containment|served|workflow-sessions|cut-off)\.test\.ts$/;

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function newFolder(): Promise<string> {
  // With a blank, as in the paths of many people.
  const folder = await mkdtemp(join(tmpdir(), 'harness e2e-'));
  folders.push(folder);
  if (WITH_CACHES.test(expect.getState().testPath ?? '')) linkCaches(homeIn(folder));
  return folder;
}

export async function emptyScene(): Promise<Scene> {
  const folder = await newFolder();
  const project = join(folder, 'project');
  await mkdir(project);
  copyDotfiles(homeIn(folder));
  return { folder, project, env: environmentOf(folder) };
}

/** The same repository, state and caches at another place. */
export async function copyScene(scene: Scene): Promise<Scene> {
  const folder = await newFolder();
  const filter = (path: string): boolean => !isCache(homeIn(scene.folder), path);
  await cp(scene.folder, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
  await rm(join(folder, 'harness-home', 'work'), { recursive: true, force: true });
  return { folder, project: join(folder, 'project'), env: environmentOf(folder) };
}

function homeIn(folder: string): string {
  return join(folder, 'user');
}

function environmentOf(folder: string): Record<string, string> {
  return {
    PATH: (process.env['PATH'] ?? '')
      .split(':')
      .filter((part) => !part.includes('node_modules'))
      .join(':'),
    HOME: homeIn(folder),
    HARNESS_HOME: join(folder, 'harness-home'),
    GIT_CONFIG_NOSYSTEM: '1',
    LANG: 'C.UTF-8',
  };
}

/** A repository with one commit of these files. */
export async function makeScene(files: Readonly<Record<string, string>>): Promise<Scene> {
  const scene = await emptyScene();
  await write(scene, files);
  await allowAsked(scene, files['.harness.yaml'] ?? '');
  await git(scene, 'init', '-q');
  await commitAll(scene, 'Start');
  return scene;
}

/** No project switches the sandbox off or hands out variables by itself: its user has said so. */
export async function allowAsked(scene: Scene, settings: string): Promise<void> {
  const variables = /^ {2}env: (\[.+\])$/m.exec(settings)?.[1];
  const allowed = [
    ...(/mode: ['"]?off/.test(settings) ? ['sandbox:\n  mode: "off"\n'] : []),
    ...(variables === undefined ? [] : [`agent:\n  env: ${variables}\n`]),
  ];
  if (allowed.length === 0) return;
  await mkdir(scene.env['HARNESS_HOME']!, { recursive: true, mode: 0o700 });
  await writeFile(join(scene.env['HARNESS_HOME']!, 'config.yaml'), allowed.join(''));
}

/** Writes into the project; a path that ends in `.sh` becomes executable. */
export async function write(scene: Scene, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const target = join(scene.project, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    if (path.endsWith('.sh')) await chmod(target, 0o755);
  }
}

export function read(scene: Scene, path: string): Promise<string> {
  return readFile(join(scene.project, path), 'utf8');
}

export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

export async function git(scene: Scene, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: scene.project, env: scene.env, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trimEnd();
}

export async function commitAll(scene: Scene, message: string): Promise<void> {
  await git(scene, 'add', '-A');
  await git(scene, 'commit', '-q', '-m', message);
}

export interface Started {
  child: ChildProcess;
  ended: Promise<Run>;
  seen(): string;
}

export function startHarness(scene: Scene, args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, [program, ...args, '--cwd', scene.project], {
    cwd: scene.folder,
    env: { ...scene.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Run>((resolve) =>
    child.once('close', (code) => {
      const events = eventsIn(stdout);
      resolve({ code, stdout, stderr, events, last: events.at(-1) });
    }),
  );
  return { child, ended, seen: () => stdout };
}

export function harness(scene: Scene, ...args: string[]): Promise<Run> {
  return startHarness(scene, args).ended;
}

function eventsIn(stdout: string): HarnessLine[] {
  const events: HarnessLine[] = [];
  for (const line of stdout.split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      const value = JSON.parse(line) as HarnessLine;
      if (typeof value.type === 'string') events.push(value);
    } catch {
      continue;
    }
  }
  return events;
}

export function eventsOf(run: Run, type: string): HarnessLine[] {
  return run.events.filter((event) => event.type === type);
}

/** Every byte, mode and link below the project, and what git knows: nothing of it may change in a refused session. */
export async function snapshot(scene: Scene, options: { state: boolean } = { state: false }): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  const skipped = options.state ? ['.git'] : ['.git', '.harness'];
  await walk(scene.project, '', skipped, seen);
  if (!(await exists(join(scene.project, '.git')))) return seen;
  await walk(scene.project, '.git/hooks', [], seen);
  seen['.git/config'] = await read(scene, '.git/config');
  seen['git HEAD'] = `${await read(scene, '.git/HEAD')} ${await git(scene, 'rev-parse', '--verify', '-q', 'HEAD').catch(() => 'none')}`;
  seen['git index'] = await git(scene, 'ls-files', '-s');
  const refs = (await git(scene, 'for-each-ref', '--format=%(refname) %(objectname)')).split('\n');
  seen['git refs'] = refs.filter((line) => !line.startsWith('refs/harness/')).join('\n');
  seen['git stash'] = await git(scene, 'stash', 'list');
  return seen;
}

async function walk(root: string, path: string, skipped: readonly string[], seen: Record<string, string>): Promise<void> {
  for (const name of (await readdir(join(root, path))).toSorted()) {
    const inner = path === '' ? name : `${path}/${name}`;
    if (skipped.includes(inner)) continue;
    const info = await lstat(join(root, inner));
    const mode = info.mode.toString(8);
    if (info.isDirectory()) {
      seen[inner] = `directory ${mode}`;
      await walk(root, inner, skipped, seen);
    } else if (info.isSymbolicLink()) seen[inner] = `link ${await readlink(join(root, inner))}`;
    else {
      const bytes = await readFile(join(root, inner));
      seen[inner] = `${mode} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
    }
  }
}

export async function gates(scene: Scene): Promise<{ id: string; options: { label: string }[] }[]> {
  const listed = await harness(scene, 'gates', '--json');
  expect(listed.code).toBe(0);
  return JSON.parse(listed.stdout) as { id: string; options: { label: string }[] }[];
}

/** Ids of living processes whose command line holds this word. */
export async function processesWith(word: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(word)) found.push(Number(name));
  }
  return found;
}
