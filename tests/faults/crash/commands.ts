/** The commands that are cut off, each with the ground it starts from and how often it is run until its work is done. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeGround, put, remoteOf, runIn, type Ground } from './ground.ts';
import { portedPlatform, type FakeAgent } from './ports.ts';

export interface Subject {
  name: string;
  agent: FakeAgent;
  prepare(folder: string): Promise<Ground>;
  argv(ground: Ground): string[];
  /** Run after an interruption, in this order; by default the command itself. */
  resume?(ground: Ground): string[][];
  /** Exit codes with which the command may end when nothing goes wrong. */
  codes: number[];
  /** Fields of the state, refs, and outcomes of sessions (`outcome NAME`) that may differ after an interruption. */
  ignore: string[];
  /** How the second run may end besides: where the first had done everything already. */
  doneCodes?: number[];
}

const FEATURES = `{
  "project": "calculator",   "last_updated": "2026-01-01",
  "features": [
    { "id": 1, "description": "A user adds two numbers", "test_file": "test/add.test.js", "passes": true },
    { "id": 2, "description": "A user subtracts two numbers",
      "test_file": "test/subtract.test.js", "passes" : false }
  ]
}
`;

const FILES = {
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': '// expect src/add.js a + b\n',
  'package.json': '{ "name": "calculator", "type": "module" }\n',
  '.gitignore': 'private/\n',
};

const settings = (extra = ''): string =>
  `project:\n  name: calculator\ntesting:\n  full: crash-check\n  feature: crash-check {test_file}\n  report: tap\nagent:\n  backend: command\n  command: crash-agent\nsandbox:\n  mode: off\n${extra}`;

const SUBTRACT = {
  'src/subtract.js': 'export const subtract = (a, b) => a - b;\n',
  'test/subtract.test.js': '// expect src/subtract.js a - b\n',
};
const CLAIM: FakeAgent['edits'] = { 'features.json': ['"passes" : false', '"passes" : true'] };
const SHOWS = [
  '{"type":"tool","name":"bash","input":{"command":"node --test test/subtract.test.js"}}',
  '{"type":"usage","input_tokens":1000,"output_tokens":50,"cost_usd":0.01}',
  '# pass 1',
  '# fail 0',
];

const HONEST: FakeAgent = { files: SUBTRACT, edits: CLAIM, says: SHOWS };
const LIAR: FakeAgent = { ...HONEST, files: { ...SUBTRACT, 'src/subtract.js': 'export const subtract = (a, b) => a + b;\n' } };
const UNFINISHED: FakeAgent = { files: { 'src/subtract.js': SUBTRACT['src/subtract.js'] }, says: SHOWS };
const NEEDS_A_PERSON: FakeAgent = {
  ...HONEST,
  edits: { ...CLAIM, 'package.json': ['"type": "module" }', '"type": "module", "dependencies": { "left": "1.0.0" } }'] },
};
const MISSING: FakeAgent = { files: {}, says: ['crash-agent: not found'], code: 127 };

const PLAN = {
  features: [{ id: 'F-001', title: 'A user subtracts two numbers', claims: ['VAL-SUM-001'], depends_on: [] }],
  claims: [{ id: 'VAL-SUM-001', text: 'The difference is right', proof: { tests: ['test/subtract.test.js'] } }],
};

const MISSION: FakeAgent = {
  files: SUBTRACT,
  says: [...SHOWS, 'NOTE: it works', 'DONE F-001'],
  roles: {
    'mission/planner': { output: JSON.stringify(PLAN), says: ['PLAN: 1 features, 1 claims'] },
    'mission/plan-reviewer': { output: 'Fine.', says: ['REVIEW: accept'] },
    'mission/validator': {
      output: JSON.stringify({ claims: [{ id: 'VAL-SUM-001', pass: true, quote: 'passed test/subtract.test.js' }], issues: [] }),
      says: ['VERDICT: pass'],
    },
    'mission/curator': { output: JSON.stringify({ summary: 'It works.' }), says: ['CURATED'] },
  },
};

const TASK = {
  task: 'A user subtracts two numbers',
  task_id: '43.3.1',
  files: ['src', 'test'],
  mode: 'breezing',
  spec_skip_reason: 'mechanical-change',
  validation_commands: ['crash-check'],
};

const USED = { ...SUBTRACT, 'src/show.js': "import { subtract } from './subtract.js';\nconsole.log(subtract(2, 1));\n" };
const WORKER: FakeAgent = {
  files: {},
  roles: { 'worker/worker': { files: USED, says: SHOWS, output: '{"summary":"subtract is there"}' } },
};

async function withTask(folder: string, task: object = {}): Promise<Ground> {
  const ground = makeGround(folder, { ...FILES, '.harness.yaml': settings() });
  writeFileSync(join(folder, 'task.json'), JSON.stringify({ ...TASK, ...task }));
  writeFileSync(join(folder, 'review.txt'), 'APPROVE');
  return ground;
}

const workerOn = (ground: Ground): string[] => ['worker', '--task', join(ground.folder, 'task.json')];

async function adopted(folder: string, agent: FakeAgent, extra = ''): Promise<Ground> {
  const ground = makeGround(folder, { ...FILES, 'features.json': FEATURES, '.harness.yaml': settings(extra) });
  await expectRun(ground, agent, ['init', '--features', 'features.json', '--yes'], 0);
  put(ground, { 'untracked.txt': 'mine\n' });
  return ground;
}

async function expectRun(ground: Ground, agent: FakeAgent, argv: string[], code: number): Promise<void> {
  const ran = await runIn(ground, argv, portedPlatform(ground.env, agent));
  if (ran.code !== code) throw new Error(`${argv.join(' ')} ended with ${ran.code}, not ${code}: ${ran.stderr}${ran.stdout}`);
}

const COUNTERS = [
  'failures',
  'stuck_count',
  'wip',
  'next_prompt',
  'status',
  'termination_reason',
  'current_feature',
  'refs/harness/wip/2',
  'refs/harness/candidates/*',
  'sizes',
];

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'init --features',
    agent: HONEST,
    prepare: async (folder) => makeGround(folder, { ...FILES, 'features.json': FEATURES, '.harness.yaml': settings() }),
    argv: () => ['init', '--features', 'features.json', '--yes'],
    codes: [0],
    ignore: [],
  },
  {
    name: 'init --spec',
    agent: { files: { ...FILES, 'features.json': FEATURES.replace('"passes": true', '"passes": false') } },
    prepare: async (folder) => makeGround(folder, { 'spec.md': '# A calculator\n', '.harness.yaml': settings() }),
    argv: () => ['init', '--spec', 'spec.md', '--yes'],
    codes: [0],
    doneCodes: [2],
    // An attempt that a full disk ended is told as that, beside the one that came through.
    ignore: ['refs/harness/candidates/*', 'sizes', 'outcome error'],
  },
  {
    name: 'run verified',
    agent: HONEST,
    prepare: (folder) => adopted(folder, HONEST),
    argv: () => ['run'],
    resume: () => [['run'], ['run']],
    codes: [0],
    ignore: [...COUNTERS, 'completed_at'],
  },
  {
    name: 'run pushed onto others',
    agent: HONEST,
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST, 'git:\n  push: true\n');
      const other = join(folder, 'other');
      git(ground, 'clone', '-q', '--bare', ground.project, remoteOf(ground));
      git(ground, 'remote', 'add', 'origin', remoteOf(ground));
      git(ground, 'clone', '-q', remoteOf(ground), other);
      git(ground, '-C', other, 'commit', '-q', '--allow-empty', '-m', 'By others');
      git(ground, '-C', other, 'push', '-q');
      rmSync(other, { recursive: true });
      return ground;
    },
    argv: () => ['run'],
    resume: () => [['run'], ['run']],
    codes: [0],
    ignore: [...COUNTERS, 'completed_at', 'refs/harness/upstream'],
  },
  {
    name: 'run complete',
    agent: HONEST,
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      await expectRun(ground, HONEST, ['run'], 0);
      return ground;
    },
    argv: () => ['run'],
    codes: [0],
    ignore: COUNTERS,
  },
  { name: 'run rejected', agent: LIAR, prepare: (folder) => adopted(folder, LIAR), argv: () => ['run'], codes: [4], ignore: COUNTERS },
  {
    name: 'run partial',
    agent: UNFINISHED,
    prepare: (folder) => adopted(folder, UNFINISHED),
    argv: () => ['run'],
    codes: [10],
    ignore: COUNTERS.filter((field) => !field.includes('wip')),
  },
  {
    name: 'run needs_human',
    agent: NEEDS_A_PERSON,
    prepare: (folder) => adopted(folder, NEEDS_A_PERSON),
    argv: () => ['run'],
    codes: [8],
    ignore: COUNTERS,
  },
  {
    name: 'run accepted by a person',
    agent: NEEDS_A_PERSON,
    prepare: async (folder) => {
      const ground = await adopted(folder, NEEDS_A_PERSON);
      await expectRun(ground, NEEDS_A_PERSON, ['run'], 8);
      return ground;
    },
    argv: () => ['run', '--approve', 'project.dependencies'],
    codes: [0],
    ignore: COUNTERS,
  },
  {
    name: 'run escalated',
    agent: LIAR,
    prepare: async (folder) => {
      const ground = await adopted(folder, LIAR, 'features:\n  max_stuck_sessions: 2\n');
      await expectRun(ground, LIAR, ['run'], 4);
      return ground;
    },
    argv: () => ['run'],
    resume: () => [['run']],
    codes: [3],
    ignore: COUNTERS.filter((field) => field !== 'failures'),
  },
  {
    name: 'run error',
    agent: MISSING,
    prepare: (folder) => adopted(folder, MISSING),
    argv: () => ['run'],
    codes: [6],
    ignore: COUNTERS,
  },
  {
    name: 'mission run',
    agent: MISSION,
    prepare: async (folder) => makeGround(folder, { ...FILES, 'SPEC.md': '# Subtract\n', '.harness.yaml': settings() }),
    argv: () => ['mission', 'run', '--lanes', '2'],
    resume: () => [
      ['mission', 'run', '--lanes', '2'],
      ['mission', 'run', '--lanes', '2'],
    ],
    codes: [0],
    ignore: ['refs/harness/candidates/*', 'refs/harness/wip/*', 'sizes'],
  },
  {
    name: 'worker',
    agent: WORKER,
    prepare: (folder) => withTask(folder),
    argv: workerOn,
    codes: [0],
    ignore: ['refs/harness/candidates/*'],
  },
  {
    name: 'worker approved',
    agent: WORKER,
    prepare: async (folder) => {
      const ground = await withTask(folder, { mode: 'solo' });
      await expectRun(ground, WORKER, workerOn(ground), 0);
      return ground;
    },
    argv: (ground) => [...workerOn(ground), '--review', join(ground.folder, 'review.txt')],
    codes: [0],
    ignore: [],
  },
  {
    name: 'rollback',
    agent: HONEST,
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      await expectRun(ground, HONEST, ['run'], 0);
      put(ground, { 'untracked-later.txt': 'later\n', 'src/add.js': 'export const add = (a, b) => b + a;\n' });
      return ground;
    },
    argv: (ground) => [
      'rollback',
      readdirSync(join(ground.project, '.harness/checkpoints')).toSorted()[0]!,
      '--approve',
      'project.rollback',
    ],
    codes: [0],
    ignore: [],
  },
  {
    name: 'migrate',
    agent: HONEST,
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      put(ground, {
        '.harness/session_state.json': JSON.stringify({
          last_session: 7,
          status: 'partial',
          current_feature: 2,
          termination_reason: 'context_limit',
          next_prompt: 'continuation',
          timestamp: '2025-01-16T14:30:00Z',
        }),
      });
      return ground;
    },
    argv: () => ['migrate'],
    codes: [0],
    ignore: [],
  },
  {
    name: 'takeback',
    agent: HONEST,
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      await expectRun(ground, HONEST, ['handoff'], 0);
      put(ground, SUBTRACT);
      git(ground, 'add', '-A');
      git(ground, 'commit', '-q', '-m', 'By hand');
      return ground;
    },
    argv: () => ['takeback', '--approve', 'project.takeback'],
    codes: [0],
    doneCodes: [2],
    ignore: [],
  },
];
