/** The commands that are cut off, each with the ground it starts from and how often it is run until its work is done. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, makeGround, put, runIn, setAgent, type Ground } from './ground.ts';

export interface Subject {
  name: string;
  prepare(folder: string): Promise<Ground>;
  argv(ground: Ground): string[];
  /** Run after an interruption, in this order; by default the command itself. */
  resume?(ground: Ground): string[][];
  /** Exit codes with which the command may end when nothing goes wrong. */
  codes: number[];
  /** Fields of the state, and refs, that may differ after an interruption. */
  ignore: string[];
  /** How the second run may end besides: where the first had done everything already. */
  doneCodes?: number[];
}

const testOf = (name: string, sum: string): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ${name} } from '../src/${name}.js';
test('${name} gives the result', () => assert.equal(${sum}));
`;

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
  'package.json': '{ "name": "calculator", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': testOf('add', 'add(1, 2), 3'),
  '.gitignore': 'private/\n',
};

const settings = (extra = ''): string =>
  `project:\n  name: calculator\ntesting:\n  full: npm test\nagent:\n  backend: command\n  command: sh "$HOME/agent.sh"\nsandbox:\n  mode: off\n${extra}`;

const SUBTRACT = {
  'src/subtract.js': 'export const subtract = (a, b) => a - b;\n',
  'test/subtract.test.js': testOf('subtract', 'subtract(5, 2), 3'),
};
const writing = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .map(([path, text]) => `mkdir -p "$(dirname ${path})"\ncat > ${path} <<'END'\n${text}END`)
    .join('\n');
const CLAIM = `sed -i 's/"passes" : false/"passes" : true/' features.json`;
const SHOW = `echo '{"type":"tool","name":"bash","input":{"command":"node --test test/subtract.test.js"}}'; echo '# pass 1'; echo '# fail 0'; node --test test/subtract.test.js`;

export const HONEST = `set -e\n${writing(SUBTRACT)}\n${SHOW}\n${CLAIM}`;
const LIAR = `${writing({ ...SUBTRACT, 'src/subtract.js': 'export const subtract = (a, b) => a + b;\n' })}\n${CLAIM}`;
const UNFINISHED = writing({ 'src/subtract.js': SUBTRACT['src/subtract.js'] });
const NEEDS_A_PERSON = `set -e\n${writing(SUBTRACT)}\n${SHOW}\n${CLAIM}\ngrep -q dependencies package.json || sed -i 's/"type": "module"/"type": "module", "dependencies": { "left": "1.0.0" }/' package.json`;

export async function adopted(folder: string, script: string, extra = ''): Promise<Ground> {
  const ground = makeGround(folder, { ...FILES, 'features.json': FEATURES, '.harness.yaml': settings(extra) });
  setAgent(ground, script);
  await expectRun(ground, ['init', '--features', 'features.json'], 0);
  writeFileSync(join(ground.project, 'untracked.txt'), 'mine\n');
  return ground;
}

async function expectRun(ground: Ground, argv: string[], code: number): Promise<void> {
  const ran = await runIn(ground, argv);
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
    prepare: async (folder) => makeGround(folder, { ...FILES, 'features.json': FEATURES }),
    argv: () => ['init', '--features', 'features.json', '--agent', 'command', '--agent-command', 'true'],
    codes: [0],
    ignore: [],
  },
  {
    name: 'init --spec',
    prepare: async (folder) => {
      const ground = makeGround(folder, { 'spec.md': '# A calculator\n', '.harness.yaml': settings() });
      setAgent(ground, writing({ ...FILES, 'features.json': FEATURES.replace('"passes": true', '"passes": false') }));
      return ground;
    },
    argv: () => ['init', '--spec', 'spec.md'],
    codes: [0],
    doneCodes: [2],
    ignore: ['refs/harness/candidates/*', 'sizes'],
  },
  {
    name: 'run verified',
    prepare: (folder) => adopted(folder, HONEST),
    argv: () => ['run'],
    resume: () => [['run', '--until-done']],
    codes: [0],
    ignore: [...COUNTERS, 'completed_at'],
  },
  { name: 'run complete', prepare: (folder) => adopted(folder, HONEST), argv: () => ['run', '--until-done'], codes: [0], ignore: COUNTERS },
  { name: 'run rejected', prepare: (folder) => adopted(folder, LIAR), argv: () => ['run'], codes: [4], ignore: COUNTERS },
  {
    name: 'run partial',
    prepare: (folder) => adopted(folder, UNFINISHED),
    argv: () => ['run'],
    codes: [10],
    ignore: [...COUNTERS].filter((field) => !field.includes('wip')),
  },
  { name: 'run needs_human', prepare: (folder) => adopted(folder, NEEDS_A_PERSON), argv: () => ['run'], codes: [8], ignore: COUNTERS },
  {
    name: 'run escalated',
    prepare: (folder) => adopted(folder, LIAR, 'features:\n  max_stuck_sessions: 2\n'),
    argv: () => ['run', '--sessions', '2'],
    resume: () => [['run', '--sessions', '3']],
    codes: [3],
    ignore: COUNTERS.filter((field) => field !== 'failures'),
  },
  {
    name: 'rollback',
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      await expectRun(ground, ['run'], 0);
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
    prepare: async (folder) => {
      const ground = await adopted(folder, HONEST);
      await expectRun(ground, ['handoff'], 0);
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
