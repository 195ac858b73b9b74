/**
 * What stops a mission while four lanes are in the air: a usage limit, a budget, Ctrl-C, a pause, a question, a branch that moves. Whatever it was, the same
 * command goes on to the same end. Git and the flow are real; agents and test runs are functions, so that all four are in the air for certain.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isLong } from '../../src/domain/test-support-long.ts';
import { git, leftovers, makeGround, miscounted, misspent, put, runIn, type Ground, type Ran } from '../faults/crash/ground.ts';
import { twice } from '../faults/crash/drive.ts';
import { portedPlatform, type FakeAgent, type Part } from '../faults/crash/ports.ts';
import { closeShell } from '../faults/crash/small-shell.ts';
import { planOf } from './mission-agent.ts';

const scratch = mkdtempSync(join(tmpdir(), 'harness stops-'));
afterAll(() => {
  closeShell();
  rmSync(scratch, { recursive: true, force: true });
});

const LANES = 4;
const COUNT = 5;
const ALL = Array.from({ length: COUNT }, (_, at) => `F-00${at + 1}`);
const RUN = ['mission', 'run', '--lanes', String(LANES)];

const SETTINGS =
  'project:\n  name: calculator\ntesting:\n  full: crash-check\n  feature: crash-check {test_file}\n  report: tap\nagent:\n  backend: command\n  command: crash-agent\nsandbox:\n  mode: off\n';
const FILES = {
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/add.test.js': '// expect src/add.js a + b\n',
  'package.json': '{ "name": "calculator", "type": "module" }\n',
  'SPEC.md': '# Many things\n',
  '.gitignore': '.harness/\n',
};
const PAID = '{"type":"usage","input_tokens":1000,"output_tokens":50,"cost_usd":0.01}';

interface Stage {
  ground: Ground;
  run(signal?: AbortSignal): Promise<Ran>;
  /** How many workers were in the air when the first four were there. */
  inAir: number[];
}

/** Workers of the first four features wait for each other; then `meanwhile` happens once, and they do what `worker` says first. */
async function stage(
  name: string,
  {
    settings = '',
    worker = () => null,
    meanwhile = () => {},
  }: { settings?: string; worker?(id: string): Part | null; meanwhile?(ground: Ground): void | Promise<void> },
): Promise<Stage> {
  const ground = makeGround(join(scratch, name), { ...FILES, '.harness.yaml': `${SETTINGS}${settings}` });
  const waiting: (() => void)[] = [];
  const inAir: number[] = [];
  const meet = async (): Promise<void> => {
    if (inAir.length > 0) return;
    const met = new Promise<void>((resolve) => waiting.push(resolve));
    if (waiting.length === LANES) {
      inAir.push(flying(ground));
      await meanwhile(ground);
      for (const go of waiting) go();
    }
    await met;
  };
  const plan = planOf(COUNT);
  const parts: Readonly<Record<string, (id: string) => Part | Promise<Part>>> = {
    planner: () => ({ output: JSON.stringify(plan), says: ['PLAN: 5 features, 5 claims'] }),
    'plan-reviewer': () => ({ output: 'Fine.', says: ['REVIEW: accept'] }),
    validator: () => ({ output: '{"claims":[],"issues":[]}', says: ['VERDICT: pass'] }),
    worker: async (id) => {
      const isFirst = inAir.length === 0;
      await meet();
      return (isFirst ? worker(id) : null) ?? built(id);
    },
  };
  const agent: FakeAgent = {
    files: {},
    plays: async ({ role, feature }) => {
      const part = await parts[role.replace('mission/', '')]!(feature);
      return { ...part, says: [PAID, ...(part.says ?? [])] };
    },
  };
  const platform = portedPlatform(ground.env, agent);
  return { ground, inAir, run: (signal) => runIn(ground, RUN, platform, signal) };
}

function built(id: string, files: Readonly<Record<string, string>> = {}): Part {
  const number = Number(id.slice(2));
  const path = `test/f${number}.test.js`;
  return {
    files: {
      [`src/f${number}.js`]: `export const f${number} = (a) => a - ${number};\n`,
      [path]: `// expect src/f${number}.js a - ${number}\n`,
      ...files,
    },
    says: [`{"type":"tool","name":"bash","input":{"command":"node --test ${path}"}}`, '# pass 1', '# fail 0', `DONE ${id}`],
  };
}

interface Mission {
  flights: unknown[];
  features: { id: string; attempts: number }[];
}

function missionOf(ground: Ground): Mission {
  return JSON.parse(readFileSync(join(ground.project, '.harness/mission.json'), 'utf8')) as Mission;
}

function flying(ground: Ground): number {
  return missionOf(ground).flights.length;
}

function landed(ground: Ground): string[] {
  expect(git(ground, 'log', '--merges', '--oneline')).toBe('');
  return git(ground, 'log', '--format=%(trailers:key=Harness-Feature,valueonly,separator=)')
    .split('\n')
    .filter((line) => line !== '')
    .toSorted();
}

function events(ran: Ran, type: string): Record<string, unknown>[] {
  return ran.stdout
    .split('\n')
    .filter((line) => line.includes(`"${type}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Everything there, once; the books as the sessions told it; nothing lying about. */
function expectWhole({ ground, inAir }: Stage, ran: Ran, decided: readonly string[] = []): void {
  expect(ran.code, ran.stderr + ran.stdout.slice(-2_000)).toBe(0);
  expect(inAir).toEqual([LANES]);
  expect(landed(ground)).toEqual(ALL);
  expect([...miscounted(ground), ...twice(ground), ...leftovers(ground)]).toEqual(decided);
  expect(missionOf(ground).features.map(({ attempts }) => attempts)).toEqual(ALL.map(() => 1));
}

describe.runIf(isLong)('a mission with four lanes in the air', () => {
  test('waits once for a usage limit that all of them meet', async () => {
    const until = Math.ceil(Date.now() / 1000) + 25;
    const limited = await stage('limit', { worker: () => ({ says: [`Claude AI usage limit reached|${until}`], code: 1 }) });
    const ran = await limited.run();
    expectWhole(limited, ran);
    const waits = events(ran, 'session.limit').filter(({ kind, level }) => kind === 'usage' && level === 'warn');
    expect(waits.length).toBeLessThanOrEqual(LANES);
    expect(new Set(waits.map(({ until: moment }) => moment))).toEqual(new Set([new Date(until * 1000).toISOString()]));
  });

  test('ends with 5 where the budget is reached in the middle, and goes on with a larger one', async () => {
    const poor = await stage('budget', { settings: 'costs:\n  total_project_usd: 0.05\n' });
    const ran = await poor.run();
    expect(ran.code, ran.stderr + ran.stdout.slice(-2_000)).toBe(5);
    expect(events(ran, 'end').at(-1)).toMatchObject({ reasons: ['budget.project'] });
    expect(misspent(poor.ground)).toEqual([]);
    expect(landed(poor.ground).length).toBeLessThan(COUNT);
    put(poor.ground, { '.harness.yaml': `${SETTINGS}costs:\n  total_project_usd: 5\n` });
    git(poor.ground, 'commit', '-qam', 'More money');
    expectWhole(poor, await poor.run());
  });

  test('is interrupted, says so with 130, and counts it against nobody', async () => {
    const stop = new AbortController();
    const cut = await stage('interrupt', { meanwhile: () => stop.abort() });
    const ran = await cut.run(stop.signal);
    expect(ran.code, ran.stderr).toBe(130);
    expect(landed(cut.ground)).toEqual([]);
    expect(misspent(cut.ground)).toEqual([]);
    expectWhole(cut, await cut.run());
  });

  test('is paused, and goes on', async () => {
    const paused = await stage('pause', {
      meanwhile: async (ground) => {
        expect((await runIn(ground, ['pause'])).code).toBe(0);
      },
    });
    const ran = await paused.run();
    expect(ran.code, ran.stderr).toBe(10);
    expect(events(ran, 'end').at(-1)).toMatchObject({ reasons: ['user_pause'] });
    expectWhole(paused, await paused.run());
  });

  test('goes on with the others while one of them waits for a person', async () => {
    const asks = await stage('question', { worker: (id) => (id === 'F-002' ? built(id, { '.gitignore': '.harness/\nlogs/\n' }) : null) });
    const ran = await asks.run();
    expect(ran.code, ran.stderr).toBe(8);
    expect(landed(asks.ground)).toEqual(ALL.filter((id) => id !== 'F-002'));
    expect((await runIn(asks.ground, ['answer', 'mission.review:f-002', 'Accept'])).code).toBe(0);
    // A session that a person decided about has a record for each of its two ends.
    expectWhole(asks, await asks.run(), ['two records of session 4']);
    expect(git(asks.ground, 'show', 'HEAD:.gitignore')).toContain('logs/');
  });

  test('brings its work onto a branch that a person moved, and judges it there', async () => {
    const moved = await stage('moved', {
      meanwhile: (ground) => {
        writeFileSync(join(ground.project, 'src/theirs.js'), 'export const theirs = (a) => a;\n');
        git(ground, 'add', 'src/theirs.js');
        git(ground, 'commit', '-qm', 'By a person');
      },
    });
    expectWhole(moved, await moved.run());
    expect(git(moved.ground, 'log', '--reverse', '--format=%s').split('\n')[1]).toBe('By a person');
    expect(existsSync(join(moved.ground.project, 'src/theirs.js'))).toBe(true);
  });
});
