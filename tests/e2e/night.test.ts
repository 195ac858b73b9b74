/**
 * A night without a person: twenty features, an agent that errs as real models do, a provider that goes away, a program that dies, a usage limit
 * and a question. With the clock ten times as fast it takes some ten minutes (faster, a program that dies at once would seem to live for long), so it runs
 * with HARNESS_LONG=1. `parking.test.ts` has the part of it that always runs.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectWithAgent } from './calculator.ts';
import { ASKING, BREAKING, CHANGING, CLUMSY, COST, DEATHS, IMPOSSIBLE, nightAgent, OUTAGES, UNTYPED } from './night-agent.ts';
import { eventsOf, gates, git, harness, startHarness, type Run, type Scene } from './support.ts';

const IDS = Array.from({ length: 20 }, (_, index) => index + 1);
const WAITING = [IMPOSSIBLE, ASKING];
const BLOCKED = WAITING.map((id) => id + 1);

const FILES = {
  'features.json': JSON.stringify({
    project: 'calculator',
    features: IDS.map((id) => ({
      id,
      description: `A user gets ${id} more`,
      test_file: `test/f${id}.test.js`,
      passes: id === 1,
      ...(BLOCKED.includes(id) ? { depends_on: [id - 1] } : {}),
      ...(id === CHANGING ? { depends_on: [13], may_change: ['test/f13.test.js'] } : {}),
    })),
  }),
  'src/f1.js': '/** @returns {number} */\nexport const f1 = (n) => n + 1;\n',
  'test/f1.test.js':
    "import { test } from 'node:test';\nimport { gives } from './support/check.js';\nimport { f1 } from '../src/f1.js';\ntest('f1 gives', () => gives(f1(1), 2));\n",
  'test/support/check.js':
    "import assert from 'node:assert/strict';\nexport function gives(actual, expected) {\n  assert.equal(actual, expected);\n}\n",
  'types.mjs':
    "import { readdirSync, readFileSync } from 'node:fs';\nconst bad = readdirSync('src').filter((file) => file.startsWith('f') && !readFileSync('src/' + file, 'utf8').includes('@returns'));\nfor (const file of bad) console.error('src/' + file + ': the result has no type');\nprocess.exit(bad.length === 0 ? 0 : 1);\n",
};

const SETTINGS = `session:
  timeout_minutes: 6000
  timeout_warning_minutes: 5900
  silence_seconds: 360000
quality:
  cleanup_interval: 0
`;

async function night(deaf: boolean): Promise<{ scene: Scene; run: Run }> {
  const scene = await projectWithAgent('node "$HOME/night-agent.mjs"', {
    checked: true,
    files: FILES,
    settings: SETTINGS,
    sanity: 'node types.mjs',
  });
  await writeFile(join(scene.env['HOME']!, 'night-agent.mjs'), nightAgent(deaf));
  const run = await startHarness(scene, ['run', '--until-done', '--json'], { HARNESS_TEST_CLOCK_SPEED: '10' }).ended;
  return { scene, run };
}

async function statesOf(scene: Scene): Promise<Record<string, number[]>> {
  const rows = JSON.parse((await harness(scene, 'features', '--json')).stdout) as { id: number; state: string }[];
  return Object.fromEntries(
    [...new Set(rows.map(({ state }) => state))].map((one) => [one, rows.flatMap(({ id, state }) => (state === one ? [id] : []))]),
  );
}

interface Summed {
  sessions: number;
  sessions_without_cost: number;
  cost_usd: number;
  commits: string[];
  verified: { feature: number }[];
  parked: { feature: number }[];
  by_feature: { what: string; cost_usd: number }[];
}

describe.runIf(process.env['HARNESS_LONG'] === '1')('a scripted night', () => {
  test('everything that can be done is done by morning, the rest waits, and the summary is right to the cent', async () => {
    const { scene, run } = await night(false);
    expect(run, run.stdout.slice(-4_000) + run.stderr.slice(-4_000)).toMatchObject({ code: 3, last: { outcome: 'escalated' } });
    const done = IDS.filter((id) => !WAITING.includes(id) && !BLOCKED.includes(id));
    expect(await statesOf(scene)).toEqual({ verified: done, 'needs a person': [IMPOSSIBLE], waiting: [ASKING], blocked: BLOCKED });
    expect((await gates(scene)).map(({ id }) => id).toSorted()).toEqual([
      `project.repeated-failures:${IMPOSSIBLE}`,
      `project.tampering:${ASKING}`,
    ]);

    const repaired = CLUMSY.length + BREAKING.length + [UNTYPED].length;
    const worked = done.length - 1 + repaired + 3 + 1;
    const summary = eventsOf(run, 'run.summary')[0]!['summary'] as Summed;
    const without = OUTAGES.length + DEATHS.length;
    expect(summary).toMatchObject({ sessions: worked + without, sessions_without_cost: without });
    expect(summary.cost_usd).toBe(Math.round(worked * COST * 100) / 100);
    expect(summary.by_feature.reduce((sum, row) => sum + row.cost_usd, 0)).toBeCloseTo(summary.cost_usd, 6);
    expect(summary.verified.map(({ feature }) => feature)).toEqual(done.slice(1));
    expect(summary.parked.map(({ feature }) => feature)).toEqual(WAITING);
    expect(summary.commits).toHaveLength(done.length - 1);
    expect(
      await git(scene, 'log', '-1', '--format=%(trailers:key=Harness-Tests-Changed,valueonly)', `--grep=Feature #${CHANGING}:`),
    ).toContain('test/f13.test.js');
    expect(JSON.parse((await harness(scene, 'verify', '--tree', 'HEAD', '--no-cache', '--json')).stdout)).toMatchObject({ passed: true });
  }, 1_800_000);

  test('with the feedback switched off, what was clumsy stays undone', async () => {
    const { scene, run } = await night(true);
    expect(run, run.stdout.slice(-4_000) + run.stderr.slice(-4_000)).toMatchObject({ code: 3 });
    const { verified = [] } = await statesOf(scene);
    expect(verified.filter((id) => [...CLUMSY, ...BREAKING, UNTYPED].includes(id))).toEqual([]);
    expect(verified).toContain(20);
  }, 1_800_000);
});
