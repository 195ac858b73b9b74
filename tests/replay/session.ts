/**
 * One commit as one session: the code from before it is adopted, an agent leaves the commit's files, and the harness judges.
 *
 * The program runs as a user runs it, in folders of its own; nothing of a repository stays when it is done.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Commit, Repository } from './list.ts';
import type { Files } from './variants.ts';

export interface Replayed {
  decision: 'accepted' | 'asked' | 'refused' | 'no verdict';
  reasons: string[];
  message: string;
  runner: string;
  /** Seconds of judging, and of one plain run of the suite. */
  judged: number;
  suite: number;
  runs: number;
}

const TIME_LIMIT_MS = 20 * 60_000;

/** A commit's project, adopted once as it was before the commit; each session begins there again. */
export interface Stage {
  play(files: Files): Replayed;
  remove(): void;
}

export interface StageOptions {
  program: string;
  /** A folder for the evidence of each verdict, numbered as they come. */
  evidence: string | undefined;
  /** The harness's own folder for every session, as a person has one: dependencies are installed once. Without it each commit has its own. */
  home: string | undefined;
}

export function setStage({ program, evidence: keep, home }: StageOptions, repository: Repository, commit: Commit): Stage {
  if (keep !== undefined) mkdirSync(keep, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'harness-replay-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const project = join(folder, 'project');
  const env = environment(folder, home ?? join(folder, 'harness-home'));
  const harness = (...args: string[]): { status: number | null; text: string } => {
    const ran = spawnSync(process.execPath, [program, ...args, '--cwd', project], {
      cwd: folder,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: TIME_LIMIT_MS,
    });
    return { status: ran.status, text: `${ran.stdout}${ran.stderr}` };
  };
  try {
    makeGround(folder, project, env, repository, commit);
    const adopted = harness('init', '--features', 'features.json', '--json');
    if (adopted.status !== 0) throw new Error(`init ended with ${adopted.status}: ${lastLines(adopted.text)}`);
    cpSync(project, join(folder, 'adopted'), { recursive: true, verbatimSymlinks: true });
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n').slice(0, 2).join(' ') : String(error);
    return { play: () => nothing(message), remove };
  }
  const play = (files: Files): Replayed => {
    rmSync(project, { recursive: true, force: true, maxRetries: 3 });
    cpSync(join(folder, 'adopted'), project, { recursive: true, verbatimSymlinks: true });
    writeAgent(folder, files);
    const ran = harness('run', '--json');
    return readVerdict(project, ran.text, keep) ?? nothing(`run ended with ${ran.status}: ${lastLines(ran.text)}`);
  };
  return { play, remove };
}

function makeGround(
  folder: string,
  project: string,
  env: Record<string, string>,
  { name, git, prepare, settings = {} }: Repository,
  commit: Commit,
): void {
  mkdirSync(env['HOME']!, { recursive: true });
  const inProject = (file: string, ...args: string[]): string =>
    execFileSync(file, args, { cwd: project, env, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] });
  execFileSync('git', ['clone', '--quiet', '--no-checkout', git, project], { env, stdio: 'pipe' });
  inProject('git', 'checkout', '--quiet', '-B', 'main', `${commit.id}^`);
  if (prepare !== undefined) inProject('/bin/sh', '-ec', prepare);
  const existing = commit.tests.filter((path) => commit.changes.some((change) => change.path === path && change.status === 'modified'));
  const features = [{ id: 1, description: commit.subject.slice(0, 200), test_file: commit.tests, passes: false }];
  writeFileSync(join(project, 'features.json'), `${JSON.stringify({ project: name, features }, null, 2)}\n`);
  const ours = {
    agent: { backend: 'command', command: `node ${join(folder, 'agent.mjs')}` },
    project: { name: name.replaceAll(/[^\w-]+/g, '-') },
    ...settings,
    verification: { require_evidence: false, ...(settings['verification'] as object | undefined) },
  };
  writeFileSync(join(project, '.harness.yaml'), stringify(ours));
  inProject('git', 'add', '--all', '--force', 'features.json', '.harness.yaml');
  inProject('git', 'add', '--all');
  inProject('git', 'commit', '--quiet', '--message', `Before ${commit.id.slice(0, 10)} (${existing.length} of its test files are there)`);
}

/** An agent that leaves these files and claims the feature. */
function writeAgent(folder: string, files: Files): void {
  const left = [...files].map(([path, content]) => ({ path, content: content === null ? null : Buffer.from(content).toString('base64') }));
  writeFileSync(
    join(folder, 'agent.mjs'),
    `import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
const left = ${JSON.stringify(left)};
for (const { path, content } of left) {
  if (content === null) rmSync(path, { force: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Buffer.from(content, 'base64'));
  }
}
writeFileSync('features.json', readFileSync('features.json', 'utf8').replace('"passes": false', '"passes": true'));
console.log('done');
`,
  );
}

function environment(folder: string, home: string): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(PATH|LANG|npm_config_|https?_proxy$|no_proxy$|NODE_EXTRA_CA_CERTS$|pip_)/i.test(name),
  );
  return {
    ...Object.fromEntries(passed.map(([name, value]) => [name, value ?? ''])),
    HOME: join(folder, 'user'),
    HARNESS_HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Replay',
    GIT_AUTHOR_EMAIL: 'replay@example.org',
    GIT_COMMITTER_NAME: 'Replay',
    GIT_COMMITTER_EMAIL: 'replay@example.org',
  };
}

function readVerdict(project: string, output: string, keep: string | undefined): Replayed | null {
  const told = output.split('\n').findLast((line) => line.startsWith('{') && line.includes('"verify.result"'));
  const id = told === undefined ? undefined : (JSON.parse(told) as { verdict?: string }).verdict;
  if (id === undefined) return null;
  if (keep !== undefined) cpSync(join(project, '.harness', 'verdicts', id), mkdtempSync(join(keep, 'verdict-')), { recursive: true });
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(project, '.harness', 'verdicts', id, name), 'utf8')) as T;
  const verdict = read<{
    decision: string;
    reasons: string[];
    findings: { weight: string; message: string }[];
    runner: string;
    duration_ms: number;
  }>('verdict.json');
  const runs = read<{ name: string; duration_ms: number }[]>('runs.json');
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    decision: verdict.decision === 'accepted' ? 'accepted' : verdict.decision === 'rejected' ? 'refused' : 'asked',
    reasons: verdict.reasons,
    message: verdict.findings.find((finding) => finding.weight !== 'warn')?.message ?? '',
    runner: verdict.runner,
    judged: seconds(verdict.duration_ms),
    suite: seconds(runs.filter((run) => run.name === 'suite').reduce((most, run) => Math.max(most, run.duration_ms), 0)),
    runs: runs.length,
  };
}

function nothing(message: string): Replayed {
  return { decision: 'no verdict', reasons: [], message, runner: '', judged: 0, suite: 0, runs: 0 };
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-4).join(' ').slice(-600);
}
