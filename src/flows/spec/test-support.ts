/** For tests only: the whole flow in one process, with a cast of functions for the roles and a script of answers for the person. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HarnessEvent } from '../../domain/event.ts';
import type { Gate, GateAnswer } from '../../domain/gate.ts';
import { nodePlatform } from '../../platform/node-platform.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RoleCall, RoleResult } from '../../kernel/roles/contract.ts';
import { sectionHeadings } from '../../kernel/ground/spec-sections.ts';
import type { SpecOptions, SpecReport } from './contract.ts';
import { runSpec, type RunSpecOptions } from './run.ts';

/** What a role leaves: its file, its last words, how it was stopped. */
export type Performance = Partial<Pick<RoleResult, 'output' | 'reply' | 'stop'>>;
export type Cast = Readonly<Record<string, (call: RoleCall, times: number) => Performance>>;
/** By gate id without `spec.`: an option, an option with text, or one for each time it is asked. */
export type Script = Readonly<
  Record<string, string | { option?: string; text?: string } | readonly (string | { option?: string; text?: string })[]>
>;

export interface Played {
  report: SpecReport;
  events: HarnessEvent[];
  gates: Omit<Gate, 'asked_at'>[];
  calls: RoleCall[];
}

export interface Wish extends Partial<SpecOptions> {
  cast?: Cast;
  script?: Script;
  platform?: Platform;
  /** Another place for documents and journal than the folder. */
  at?: Pick<RunSpecOptions, 'store' | 'logs'>;
}

export interface Stage {
  root: string;
  play(wish: Wish): Promise<Played>;
  platform: Platform;
  read(path: string): string | null;
  write(files: Readonly<Record<string, string>>): void;
  git(...args: string[]): string;
  state(): Record<string, unknown> | null;
  /** Every file below docs/, and what is left of the session. */
  leftovers(): Record<string, string>;
  /** The same project, state and caches at another place. */
  copy(): Stage;
  dispose(): void;
}

export const TASK = 'Order export as CSV for the back office';

export function openStage(options: { git: boolean; files?: Readonly<Record<string, string>> } = { git: true }): Stage {
  const stage = stageIn(newFolder());
  mkdirSync(stage.root);
  stage.write({ 'README.md': '# Shop\n', ...options.files });
  if (options.git) {
    stage.git('init', '-q', '-b', 'main', '--template=');
    stage.git('add', '-A');
    stage.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'Start');
  }
  return stage;
}

/** In memory where the machine has such a place: a disk that is busy elsewhere would be all that these tests measure. */
function newFolder(): string {
  return realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'harness-spec-')));
}

function stageIn(folder: string): Stage {
  const root = join(folder, 'project');
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'user'), HARNESS_HOME: join(folder, 'own'), GIT_CONFIG_NOSYSTEM: '1' };
  mkdirSync(env.HOME, { recursive: true });
  const platform = unhurried(nodePlatform(env));
  const read = (path: string): string | null => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);
  return {
    root,
    platform,
    read,
    write: (files) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
    },
    git: (...args) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: 'pipe' }).trimEnd(),
    play: (wish) => play(root, { platform, ...wish }),
    state: () => JSON.parse(read('.harness/state.json') ?? 'null') as Record<string, unknown> | null,
    leftovers: () => ({ ...filesBelow(root, 'docs'), ...filesBelow(root, '.harness/spec') }),
    copy: () => {
      const other = newFolder();
      cpSync(folder, other, { recursive: true, verbatimSymlinks: true });
      return stageIn(other);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nothing here survives a power cut, so nothing waits for the disk. */
function unhurried(platform: Platform): Platform {
  const files: Platform['files'] = {
    ...platform.files,
    append: (path, data) => platform.files.append(path, data),
    writeAtomic: async (path, data) => {
      const temporary = `${path}.${platform.random.id(4)}`;
      writeFileSync(temporary, data);
      renameSync(temporary, path);
    },
  };
  return { ...platform, files };
}

async function play(root: string, wish: Wish & { platform: Platform }): Promise<Played> {
  const { cast, script, platform, at = {}, ...spec } = wish;
  const [events, gates, calls]: [HarnessEvent[], Omit<Gate, 'asked_at'>[], RoleCall[]] = [[], [], []];
  const asked = new Map<string, number>();
  const answerTo = (gate: Omit<Gate, 'asked_at'>): GateAnswer | 'pending' => {
    const given = script?.[gate.id.replace(/^spec\./, '')];
    const times = asked.get(gate.id) ?? 0;
    asked.set(gate.id, times + 1);
    const one =
      typeof given === 'object' && Array.isArray(given)
        ? (given as readonly (string | { option?: string; text?: string })[])[times]
        : given;
    if (one === undefined) return 'pending';
    const { option, text } = typeof one === 'string' ? { option: one, text: undefined } : (one as { option?: string; text?: string });
    return { option: option ?? null, text: text ?? null, by: 'answers' };
  };
  const report = await runSpec(platform, root, {
    ...at,
    agent: null,
    agentCommand: 'true',
    emit: (event) => events.push(event),
    signal: new AbortController().signal,
    asker: {
      ask: async (gate) => {
        gates.push(gate);
        return answerTo(gate);
      },
      expects: async (id) => script?.[id.replace(/^spec\./, '')] !== undefined,
    },
    spec: { task: TASK, mode: null, modelConfig: null, reference: null, interactive: false, ...spec },
    callRole: async (_desk, call) => {
      calls.push(call);
      const times = calls.filter(({ role }) => role === call.role).length;
      return {
        stop: null,
        reply: '',
        output: null,
        refused: null,
        capture: null,
        ...({ ...HONEST, ...cast }[call.role] ?? silent)(call, times),
      };
    },
  });
  return { report, events, gates, calls };
}

const silent = (): Performance => ({});

export function specText(mark: string, language = 'en'): string {
  return sectionHeadings(language)!
    .map((heading) => `## ${heading}\n${mark}\n`)
    .join('\n');
}

const analyst = (persona: string) => (): Performance => ({ output: `${persona} view\n`, reply: `${persona} analysis written — 2 points` });

export const QUESTIONS = JSON.stringify({
  questions: [
    { question: 'Who uses it?', why: 'view' },
    { question: 'Which columns?', why: 'scope' },
  ],
});

/** Two questions in the first round, findings in the first draft, none in the second. */
export const HONEST: Cast = {
  'spec/discovery-analyst': (call) => ({ output: call.variables['round'] === '1' ? QUESTIONS : '{"questions":[]}' }),
  'spec/requirements-analyst': analyst('requirements'),
  'spec/user-scenario-analyst': analyst('scenario'),
  'spec/risk-auditor': analyst('risk'),
  'spec/tech-constraint-analyst': analyst('tech constraint'),
  'spec/synthesis': (call) => ({ output: specText(call.variables['critic_findings'] === '(none)' ? 'First draft' : 'Second draft') }),
  'spec/critic': (call) =>
    call.variables['spec']!.includes('Second draft')
      ? { output: 'nothing left\n', reply: 'critic_findings written — Critical=0, Major=0, Minor=1' }
      : { output: '[C1] no result for an empty list\n', reply: 'critic_findings written — Critical=1, Major=1, Minor=0' },
};

export const SCRIPT: Script = {
  session: 'Resume',
  mode: 'deep',
  model: 'default',
  conventions: 'Skip',
  'questions-1': { option: 'Answer inline', text: '1. The back office\n2. All of them' },
  critic: 'Auto-revise',
  approval: 'Approve',
  next: 'Done',
};

function filesBelow(root: string, path: string): Record<string, string> {
  if (!existsSync(join(root, path))) return {};
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, path), { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[file.slice(root.length + 1)] = readFileSync(file, 'utf8');
  }
  return found;
}
