/**
 * Two workers side by side whose edits meet in every way: the same lines, a clean merge that breaks the other's test, colliding names, a deletion of
 * what the other calls. Whatever was accepted is there afterwards and passes; git and the verdict are real, agents and test runs are functions.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { git, makeGround, runIn, type Ground } from './crash/ground.ts';
import { portedPlatform, type FakeAgent } from './crash/ports.ts';
import { closeShell } from './crash/small-shell.ts';

const scratch = mkdtempSync(join(tmpdir(), 'harness merges-'));
afterAll(() => {
  closeShell();
  rmSync(scratch, { recursive: true, force: true });
});

const LINES = Array.from({ length: 12 }, (_, at) => `export const line${at} = (a) => a + ${at};`);
const BASE = {
  'src/shared.js': `${LINES.join('\n')}\n`,
  'src/helper.js': 'export const helper = (a) => a + 100;\n',
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': '// expect src/add.js a + b\n',
  'package.json': '{ "name": "calculator", "type": "module" }\n',
  'SPEC.md': '# Two things\n',
  '.gitignore': '.harness/\n',
  '.harness.yaml':
    'project:\n  name: calculator\ntesting:\n  full: crash-check\n  feature: crash-check {test_file}\n  report: tap\nagent:\n  backend: command\n  command: crash-agent\nsandbox:\n  mode: off\nmission:\n  max_attempts: 2\n  debugger: { enabled: false }\n',
};

interface Side {
  files: Record<string, string>;
  gone: string[];
  test: string;
}

/** A side changes a line of the shared file and shows it, and does one thing more. */
function side(name: string, random: () => number): Side {
  const at = Math.floor(random() * LINES.length);
  const text = `a + ${at} + ${Math.floor(random() * 3)} * 1`;
  const shared = LINES.map((line, index) => (index === at ? `export const line${at} = (a) => ${text};` : line)).join('\n');
  const files: Record<string, string> = { 'src/shared.js': `${shared}\n` };
  const gone: string[] = [];
  let shown = `// expect src/shared.js ${text}\n`;
  switch (Math.floor(random() * 5)) {
    case 0:
      files[`src/${name}.js`] = `export const ${name} = (a) => a - 1;\n`;
      shown = `// expect src/${name}.js a - 1\n`;
      break;
    case 1:
      files['src/helper.js'] = `export const helper = (a) => a + 100 + ${name.length};\n`;
      break;
    case 2:
      gone.push('src/helper.js');
      break;
    case 3:
      files['src/new.js'] = `export const same = (a) => a * ${Math.floor(random() * 2)};\n`;
      break;
    default:
      shown = '// expect src/helper.js a + 100\n';
  }
  return { files, gone, test: shown };
}

function agentOf(sides: readonly [Side, Side]): FakeAgent {
  const ids = ['F-001', 'F-002'] as const;
  const tests = ['test/one.test.js', 'test/two.test.js'] as const;
  const plan = {
    features: ids.map((id, at) => ({ id, title: `Side ${at}`, claims: [`VAL-SIDE-00${at + 1}`], depends_on: [] })),
    claims: ids.map((_, at) => ({ id: `VAL-SIDE-00${at + 1}`, text: `Side ${at}`, proof: { tests: [tests[at]] } })),
  };
  const worker = (at: 0 | 1): Partial<FakeAgent> => ({
    files: { ...sides[at].files, [tests[at]]: sides[at].test },
    gone: sides[at].gone,
    says: [`{"type":"tool","name":"bash","input":{"command":"node --test ${tests[at]}"}}`, '# pass 1', '# fail 0', `DONE ${ids[at]}`],
  });
  return {
    files: {},
    roles: {
      'mission/planner': { output: JSON.stringify(plan), says: ['PLAN: 2 features, 2 claims'] },
      'mission/plan-reviewer': { output: '', says: ['REVIEW: accept'] },
      'mission/validator': { output: '{"claims":[],"issues":[]}', says: ['VERDICT: pass'] },
      'mission/worker F-001': worker(0),
      'mission/worker F-002': worker(1),
    },
  };
}

/** Numbers that follow from a seed. */
function numbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function passed(ground: Ground): { id: string; test: string }[] {
  const mission = JSON.parse(readFileSync(join(ground.project, '.harness/mission.json'), 'utf8')) as {
    features: { id: string; status: string }[];
  };
  return mission.features
    .filter(({ status }) => status === 'passed')
    .map(({ id }) => ({ id, test: id === 'F-001' ? 'test/one.test.js' : 'test/two.test.js' }));
}

/** Nobody's accepted test is missing or fails, and home is one line of commits. */
function expectKept(ground: Ground, sides: readonly [Side, Side]): string[] {
  const done = passed(ground);
  const head = (path: string): string => git(ground, 'show', `HEAD:${path}`);
  for (const { id, test: path } of done) {
    const at = id === 'F-001' ? 0 : 1;
    expect(head(path)).toBe(sides[at].test.trim());
    for (const [, source, text] of sides[at].test.matchAll(/expect (\S+) (.+)/g))
      expect(head(source!), `${id} on HEAD`).toContain(`=> ${text!};`);
  }
  expect(head('src/add.js')).toContain('=> a + b;');
  expect(git(ground, 'log', '--merges', '--oneline')).toBe('');
  expect(head('src/shared.js')).not.toContain('<<<<<<<');
  return done.map(({ id }) => id);
}

const line = (at: number, text: string): string =>
  `${LINES.map((old, index) => (index === at ? `export const line${at} = (a) => ${text};` : old)).join('\n')}\n`;
const shows = (path: string, text: string): string => `// expect ${path} ${text}\n`;

const adds = (name: string, text: string): Record<string, string> => ({ [`src/${name}.js`]: `export const ${name} = (a) => ${text};\n` });

/** How two works that pass alone meet, and how many of them land: the other is for a person then, and changes nothing. */
const MEETINGS: [string, [Side, Side], number][] = [
  [
    'change the same lines',
    [
      { files: { 'src/shared.js': line(3, 'a + 30') }, gone: [], test: shows('src/shared.js', 'a + 30') },
      { files: { 'src/shared.js': line(3, 'a + 31') }, gone: [], test: shows('src/shared.js', 'a + 31') },
    ],
    1,
  ],
  [
    'merge cleanly and break the test of the other',
    [
      { files: adds('one', 'a - 1'), gone: [], test: `${shows('src/one.js', 'a - 1')}${shows('src/helper.js', 'a + 100')}` },
      { files: adds('helper', 'a + 200'), gone: [], test: shows('src/helper.js', 'a + 200') },
    ],
    1,
  ],
  [
    'have tests of the same name',
    [
      { files: adds('one', 'a - 1'), gone: [], test: `// name same\n${shows('src/one.js', 'a - 1')}` },
      { files: adds('two', 'a - 2'), gone: [], test: `// name same\n${shows('src/two.js', 'a - 2')}` },
    ],
    2,
  ],
  [
    'delete what the other calls',
    [
      { files: adds('one', 'a - 1'), gone: ['src/helper.js'], test: shows('src/one.js', 'a - 1') },
      { files: adds('two', 'helper(a)'), gone: [], test: `${shows('src/two.js', 'helper(a)')}${shows('src/helper.js', 'a + 100')}` },
    ],
    1,
  ],
];

test.runIf(isLong).each(MEETINGS)('two lanes that %s: nothing accepted vanishes', async (name, sides, count) => {
  const ground = makeGround(join(scratch, name.replaceAll(' ', '-')), BASE);
  const ran = await runIn(ground, ['mission', 'run', '--lanes', '2'], portedPlatform(ground.env, agentOf(sides)));
  expect(expectKept(ground, sides), ran.stderr).toHaveLength(count);
  expect(count === 2 ? [0] : [3, 8], ran.stderr).toContain(ran.code);
});

const SEEDS = Array.from({ length: isLong ? 200 : 2 }, (_, at) => at + 1);

let landed = 0;

test.each(SEEDS)('pair %i: everything that was accepted is there and passes', async (seed) => {
  const random = numbers(seed);
  const sides: [Side, Side] = [side('one', random), side('two', random)];
  const ground = makeGround(join(scratch, String(seed)), BASE);
  const ran = await runIn(ground, ['mission', 'run', '--lanes', '2'], portedPlatform(ground.env, agentOf(sides)));
  expect([0, 3, 8], ran.stderr).toContain(ran.code);
  const done = expectKept(ground, sides);
  landed += done.length;
  if (ran.code === 0) expect(done).toHaveLength(2);
});

test('and most of them do land', () => {
  expect(landed).toBeGreaterThan(SEEDS.length / 2);
});
