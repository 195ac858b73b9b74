/** Small projects, the commands that run on them in process, and what is compared at the end. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { COMMANDS } from '../../../src/cli/commands.ts';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { nodePlatform } from '../../../src/platform/node-platform.ts';
import type { Platform } from '../../../src/platform/platform.ts';
import { copyDotfiles } from '../../lived-in-home.ts';

export interface Ground {
  folder: string;
  project: string;
  env: Record<string, string>;
}

export function groundIn(folder: string): Ground {
  return {
    folder,
    project: join(folder, 'project'),
    env: {
      PATH: (process.env['PATH'] ?? '')
        .split(':')
        .filter((part) => !part.includes('node_modules'))
        .join(':'),
      HOME: join(folder, 'user'),
      HARNESS_HOME: join(folder, 'harness-home'),
      GIT_CONFIG_GLOBAL: join(folder, 'gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      LANG: 'C.UTF-8',
    },
  };
}

export function makeGround(folder: string, files: Readonly<Record<string, string>>): Ground {
  const ground = groundIn(folder);
  rmSync(folder, { recursive: true, force: true });
  for (const path of [ground.project, ground.env['HOME']!]) mkdirSync(path, { recursive: true });
  writeFileSync(
    ground.env['GIT_CONFIG_GLOBAL']!,
    '[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n\ttemplateDir =\n',
  );
  copyDotfiles(ground.env['HOME']!);
  put(ground, files);
  const settings = files['.harness.yaml'] ?? '';
  const off = /mode: off/.test(settings) ? 'sandbox:\n  mode: off\n' : '';
  const variables = /^ {2}env: (\[.+\])$/m.exec(settings)?.[1];
  const allowed = `${off}${variables === undefined ? '' : `agent:\n  env: ${variables}\n`}`;
  if (allowed !== '') {
    mkdirSync(ground.env['HARNESS_HOME']!, { recursive: true });
    writeFileSync(join(ground.env['HARNESS_HOME']!, 'config.yaml'), allowed);
  }
  git(ground, 'init', '-q');
  git(ground, 'add', '-A');
  git(ground, 'commit', '-q', '-m', 'Start');
  return ground;
}

/** A bare repository beside the project. */
export function remoteOf(ground: Ground): string {
  return join(ground.folder, 'remote.git');
}

export function put(ground: Ground, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(ground.project, path)), { recursive: true });
    writeFileSync(join(ground.project, path), text);
    if (path.endsWith('.sh')) chmodSync(join(ground.project, path), 0o755);
  }
}

export function git(ground: Ground, ...args: string[]): string {
  return execFileSync('git', args, { cwd: ground.project, env: ground.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

export function restore(template: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  execFileSync('cp', ['-a', '--reflink=auto', template, folder]);
}

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export async function runIn(
  ground: Ground,
  argv: readonly string[],
  platform: Platform = nodePlatform(ground.env),
  signal: AbortSignal = new AbortController().signal,
): Promise<Ran> {
  const [out, error]: [string[], string[]] = [[], []];
  const sink = (into: string[]): { write(text: string): void; isTTY: boolean; columns(): number; rows(): number; drained(): null } => ({
    write: (text) => void into.push(text),
    isTTY: false,
    columns: () => 80,
    rows: () => 24,
    drained: () => null,
  });
  const terminal = { stdout: sink(out), stderr: sink(error), stdinIsTTY: false };
  const code = await runCommandLine({
    table: COMMANDS,
    argv: [...argv, '--json'],
    platform,
    terminal,
    directory: ground.project,
    signal,
  });
  return { code, stdout: out.join(''), stderr: error.join('') };
}

/** A lock whose holder is this very process would count as held: it is made to look as if the number had been used again. */
export function forgetHolder(ground: Ground): void {
  const folders = [join(ground.project, '.harness'), ...tasksOf(ground)].filter((folder) => existsSync(folder));
  for (const path of folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))) {
    if (!/^lock(\.|$)/.test(basename(path))) continue;
    const text = readFileSync(path, 'utf8');
    if (text.includes('"started"')) writeFileSync(path, text.replace(/"started":"[^"]*"/, '"started":"1"'));
  }
}

export interface End {
  log: string[];
  status: string;
  tree: string;
  refs: string[];
  state: Record<string, unknown> | null;
  baseline: unknown;
  sizes: unknown;
  features: string;
  gates: string[];
  outcomes: string[];
  /** What stands at the remote, where there is one. */
  remote: string;
  tasks: unknown[];
}

/** Features of a mission have numbers of seven digits. */
const MISSION_WORK = /wip\/\d{7}$/;
const HARNESS_TIMES = /"(timestamp|started_at|started|at|made_at)": ?"[^"]*"/g;

export function endOf(ground: Ground, ignore: readonly string[]): End {
  const state = document(ground, 'session_state.json', ignore) ?? missionOf(ground);
  return {
    log: git(ground, 'log', '--format=%T %B%x00')
      .split('\0')
      .map((entry) => entry.trim().replace(/^Harness-(Verdict|Session): .*$/gm, ''))
      .filter((entry) => entry !== ''),
    status: git(ground, 'status', '--porcelain')
      .split('\n')
      .filter((line) => !line.includes('.harness.backup'))
      .join('\n'),
    tree: git(ground, 'rev-parse', 'HEAD^{tree}'),
    tasks: tasksOf(ground).map((folder) => taskEnd(ground, folder)),
    remote: existsSync(remoteOf(ground)) ? git(ground, '--git-dir', remoteOf(ground), 'log', '--format=%T %s', 'main') : '',
    refs: [
      ...new Set(
        git(ground, 'for-each-ref', '--format=%(refname)')
          .split('\n')
          .map((name) =>
            name
              .replace(/(checkpoints|saved)\/.*/, '$1/*')
              .replace(/candidates\/.*/, 'candidates/*')
              .replace(MISSION_WORK, 'wip/*'),
          ),
      ),
    ]
      .filter((name) => !ignore.includes(name))
      .toSorted(),
    state,
    baseline: document(ground, 'test_baseline.json', ['commit', 'session', 'timestamp']),
    sizes: document(ground, 'file_sizes.json', ['session', ...(ignore.includes('sizes') ? ['files'] : [])]),
    features: existsSync(join(ground.project, 'features.json')) ? readFileSync(join(ground.project, 'features.json'), 'utf8') : '',
    gates: existsSync(join(ground.project, '.harness/gates')) ? readdirSync(join(ground.project, '.harness/gates')).toSorted() : [],
    outcomes: [...new Set(records(ground).map((record) => `${String(record['outcome'])}`))].filter(
      (outcome) => outcome !== 'partial' && !ignore.includes(`outcome ${outcome}`),
    ),
  };
}

/** Where tasks of workers lie. */
export function tasksOf(ground: Ground): string[] {
  const folder = join(ground.project, '.harness/workers');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

/** What a worker's task has come to, with every commit on its branch; how many sessions that took is a count that a crash may change. */
function taskEnd(ground: Ground, folder: string): unknown {
  const { state } = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8')) as {
    state: Record<string, Record<string, unknown> & string>;
  };
  const { phase, ending, tree, branch, returns, failures, claim, proof, commit } = state;
  const rules = (proof?.['rules'] as { rule: string; verified: boolean }[] | undefined)?.map(({ rule, verified }) => ({ rule, verified }));
  const commits = typeof commit === 'string' ? git(ground, 'log', '--format=%T %s', commit).split('\n') : null;
  const onBranch = typeof branch === 'string' ? git(ground, 'rev-parse', branch) === commit : null;
  return { phase, ending, tree, branch, returns, failures, claim, files: proof?.['files_changed'], rules, commits, onBranch };
}

/** What a mission has come to; how often somebody tried is a count that a crash may change. */
function missionOf(ground: Ground): Record<string, unknown> | null {
  const mission = document(ground, 'mission.json', []);
  if (mission === null) return null;
  const { stage, features, claims, flights, candidates, issues, stop } = mission;
  const queue = (features as Record<string, unknown>[]).map(({ id, status }) => ({ id, status }));
  return { stage, queue, claims, flights, candidates, issues, stop };
}

function document(ground: Ground, name: string, ignore: readonly string[]): Record<string, unknown> | null {
  const path = join(ground.project, '.harness', name);
  if (!existsSync(path)) return null;
  const value = JSON.parse(readFileSync(path, 'utf8').replace(HARNESS_TIMES, '"$1":"T"')) as Record<string, unknown>;
  for (const field of ['last_session', 'timestamp', 'last_record', 'rollback', ...ignore]) delete value[field];
  // Which of the tries was refused last, and how many were, are counts like the others; what was refused is not.
  if (Array.isArray(value['refusals']))
    value['refusals'] = (value['refusals'] as Record<string, unknown>[]).map(({ feature, tree }) => ({ feature, tree }));
  for (const field of ['pending', 'handoff', 'wip']) {
    const inner = value[field] as Record<string, unknown> | null | undefined;
    if (inner) for (const key of ['session', 'verdict', 'base', 'head']) delete inner[key];
  }
  if (typeof value['completed_at'] === 'string') value['completed_at'] = 'T';
  return value;
}

export function records(ground: Ground): Record<string, unknown>[] {
  return lines(ground, 'sessions.jsonl').filter((line) => line['type'] === 'session');
}

/** Of the project's journal and of those of its tasks. */
function lines(ground: Ground, name: string): Record<string, unknown>[] {
  const paths = [join(ground.project, '.harness'), ...tasksOf(ground)].map((folder) => join(folder, 'logs', name));
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

interface CostsText {
  cumulative: { total_cost_usd: number; total_sessions: number };
  sessions?: { session_id: number }[];
  running?: unknown[];
}

/** Where the books of a mission, or of a project with tasks, say something else than what its sessions reported, or count a session twice. */
export function miscounted(ground: Ground): string[] {
  if (tasksOf(ground).length === 0 && !existsSync(join(ground.project, '.harness/mission.json'))) return [];
  const costs = costsOf(ground);
  if (costs === null) return [];
  const sessions = new Set(records(ground).map((record) => record['session_id'])).size;
  return [
    ...misspent(ground),
    ...((costs.running ?? []).length === 0 ? [] : ['the books have a session that is still running']),
    ...(costs.cumulative.total_sessions === sessions ? [] : ['the books and the journals count other numbers of sessions']),
  ];
}

/** The same for the money alone, which has to be right at every moment at which nobody works. */
export function misspent(ground: Ground): string[] {
  const costs = costsOf(ground);
  const booked = costs?.cumulative.total_cost_usd ?? 0;
  const told = lines(ground, 'events.jsonl').filter((event) => event['type'] === 'agent.usage');
  const sum = told.reduce((total, event) => total + Number(event['cost_usd']), 0);
  const sessions = (costs?.sessions ?? []).map((session) => session.session_id);
  return [
    ...(Math.abs(booked - sum) < 1e-9 ? [] : [`the books say $${booked}, the sessions reported $${sum}`]),
    ...(new Set(sessions).size === sessions.length ? [] : ['the books count a session twice']),
  ];
}

function costsOf(ground: Ground): CostsText | null {
  const path = join(ground.project, '.harness/costs.yaml');
  return existsSync(path) ? (parse(readFileSync(path, 'utf8')) as CostsText) : null;
}

/** What must not be there any more, wherever it may lie. */
export function leftovers(ground: Ground): string[] {
  const found: string[] = [];
  const visit = (folder: string, depth: number): void => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      const info = lstatSync(path);
      if (
        name.startsWith('.harness-tmp-') ||
        /^(index|ignore)-p?[0-9a-f]+/.test(name) ||
        name.startsWith('lock.takeover') ||
        (name.endsWith('.lock') && path.includes('/.git/'))
      )
        found.push(path);
      else if (name === 'lock' && /\/\.harness(\/workers\/[^/]+)?$/.test(folder)) found.push(path);
      else if (/^run-p\d+-[0-9a-f]{16}$/.test(name)) found.push(path);
      else if (info.isDirectory() && depth < 6 && name !== 'objects' && name !== 'node_modules') visit(path, depth + 1);
    }
  };
  visit(ground.project, 0);
  visit(ground.env['HARNESS_HOME']!, 0);
  const checkpoints = join(ground.project, '.harness/checkpoints');
  for (const name of existsSync(checkpoints) ? readdirSync(checkpoints) : [])
    if (!existsSync(join(checkpoints, name, 'checkpoint.json'))) found.push(join(checkpoints, name));
  return found;
}

/** Documents that cannot be read, and copies set aside as unreadable. */
export function unreadable(ground: Ground): string[] {
  const bad: string[] = [];
  const visit = (folder: string): void => {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name);
      if (lstatSync(path).isDirectory()) visit(path);
      else if (name.includes('.unreadable-')) bad.push(path);
      else if (name.endsWith('.json')) {
        try {
          JSON.parse(readFileSync(path, 'utf8'));
        } catch {
          bad.push(path);
        }
      } else if (name.endsWith('.jsonl')) {
        for (const line of readFileSync(path, 'utf8').split('\n')) {
          try {
            if (line !== '') JSON.parse(line);
          } catch {
            bad.push(`${path}: ${line.slice(0, 60)}`);
          }
        }
      }
    }
  };
  visit(join(ground.project, '.harness'));
  return bad;
}
