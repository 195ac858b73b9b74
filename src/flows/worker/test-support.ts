/** For tests only: a repository, and workers in it whose agents are shell scripts. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from '../../domain/zod.ts';
import type { HarnessEvent } from '../../domain/event.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import type { WorkerAnswer } from './contract.ts';
import { runWorker, type WorkerHold } from './run.ts';

export interface Shift {
  /** Shell script of the agent; its prompt comes on stdin. Absent: an agent that would fail the test if it were started. */
  agent?: string;
  task?: Record<string, unknown>;
  review?: string | object;
  advice?: object;
  hold?: Partial<WorkerHold>;
  /** Another machine below it. */
  on?(platform: Platform): Platform;
}

export interface WorkerBench {
  root: string;
  folder: string;
  harnessHome: string;
  events: HarnessEvent[];
  work(shift: Shift): Promise<WorkerAnswer>;
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  commit(files: Readonly<Record<string, string>>): void;
  read(path: string): string | null;
  /** The task's state on the disk. */
  state(): Record<string, unknown>;
  /** Replaces parts of it. */
  setState(change: Record<string, unknown>): void;
  dispose(): void;
}

/** Its test passes as long as a text in `src/` says "old". */
export const PROJECT: Readonly<Record<string, string>> = {
  '.harness.yaml': 'project:\n  name: bench\ntesting:\n  full: sh test.sh\n',
  'test.sh': 'if grep -q old src/*.txt; then echo fine; else echo "nobody says old"; exit 1; fi\n',
  'src/old.txt': 'old\n',
  'Plans.md': '| task | state |\n| --- | --- |\n| 1.1 | cc:TODO |\n| 1.2 | cc:WIP |\n',
};

export const TASK = {
  task: 'Say something new',
  task_id: '1.1',
  context: 'a bench',
  files: ['src', 'docs'],
  mode: 'solo',
  spec_skip_reason: 'mechanical-change',
  validation_commands: ['sh test.sh'],
};

export function openBench(files: Readonly<Record<string, string>> = PROJECT): WorkerBench {
  const folder = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'harness-worker-')));
  const [root, user, harnessHome] = ['project', 'user', 'own'].map((name) => join(folder, name)) as [string, string, string];
  for (const path of [root, user]) mkdirSync(path);
  const env = { PATH: process.env['PATH'] ?? '', HOME: user, HARNESS_HOME: harnessHome, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const events: HarnessEvent[] = [];
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 }).trimEnd();
  const write: WorkerBench['write'] = (texts) => {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  const commit: WorkerBench['commit'] = (texts) => {
    write(texts);
    git('add', '-A');
    git('commit', '-q', '-m', 'By a person');
  };
  git('init', '-q', '-b', 'main', '--template=');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  commit(files);
  const read = (path: string): string | null => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  const taskFile = (): string => execFileSync('sh', ['-c', 'ls .harness/workers/*/task.json'], { cwd: root, encoding: 'utf8' }).trim();
  const state = (): Record<string, unknown> => (JSON.parse(read(taskFile())!) as { state: Record<string, unknown> }).state;
  return {
    root,
    folder,
    harnessHome,
    events,
    git,
    write,
    commit,
    read,
    state,
    setState: (change) => {
      const document = JSON.parse(read(taskFile())!) as { state: Record<string, unknown> };
      write({ [taskFile()]: JSON.stringify({ ...document, state: { ...document.state, ...change } }) });
    },
    work: async ({ agent = 'exit 99', task = {}, review, advice, hold = {}, on = (platform) => platform }) => {
      const answer = await runWorker(
        on(nodePlatform(env)),
        root,
        {
          task: JSON.stringify({ ...TASK, ...task }),
          review: review === undefined ? null : typeof review === 'string' ? review : JSON.stringify(review),
          advice: advice === undefined ? null : JSON.stringify(advice),
        },
        { emit: (event) => void events.push(event), agent: 'command', agentCommand: `cat > "$TMPDIR/prompt"\n${agent}`, ...hold },
      );
      checkShipped(answer.value);
      return answer;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Every answer of every test is held against the schema that ships for its kind. */
function checkShipped(value: Record<string, unknown>): void {
  const file = new URL(`../../../schemas/${String(value['schema_version'])}.schema.json`, import.meta.url);
  z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof z.fromJSONSchema>[0]).parse(value);
}

/** How often an agent was started. */
export function sessionsIn(events: readonly HarnessEvent[]): number {
  return events.filter((event) => event.type === 'session.start').length;
}
