/**
 * Sessions that fly beside each other: everything lands in one line of verified commits, nothing that was accepted vanishes, and a death with
 * several in the air is settled by the next command.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read, startHarness, type Scene } from './support.ts';

const IDS = [1, 2, 3, 4, 5];

/** Features 2 and 3 write the same line of one file; 5 needs 4. */
const FILES = {
  'features.json': JSON.stringify({
    project: 'calculator',
    features: IDS.map((id) => ({
      id,
      description: `A user gets ${id} more`,
      test_file: `test/f${id}.test.js`,
      passes: id === 1,
      ...(id === 5 ? { depends_on: [4] } : {}),
    })),
  }),
  'src/f1.js': 'export const f1 = (n) => n + 1;\n',
  'src/shared.js': 'export const parts = [];\n',
  'test/f1.test.js':
    "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { f1 } from '../src/f1.js';\ntest('f1 gives', () => assert.equal(f1(1), 2));\n",
};

const AGENT = `import { readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
const id = Number(process.env.HARNESS_FEATURE_ID);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
writeFileSync('src/f' + id + '.js', 'export const f' + id + ' = (n) => n + ' + id + ';\\n');
const shared = readFileSync('src/shared.js', 'utf8');
if (id === 2 || id === 3) {
  const known = [...shared.matchAll(/'part(\\d)'/g)].map((match) => Number(match[1]));
  const all = [...new Set([...known, id])].sort();
  writeFileSync('src/shared.js', "export const parts = [" + all.map((part) => "'part" + part + "'").join(', ') + "];\\n");
}
const lines = ["import { test } from 'node:test';", "import assert from 'node:assert/strict';", 'import { f' + id + " } from '../src/f" + id + ".js';", "test('f" + id + " gives', () => assert.equal(f" + id + '(1), ' + (id + 1) + '));'];
if (id === 2 || id === 3) lines.push("import { parts } from '../src/shared.js';", "test('part " + id + " is there', () => assert.ok(parts.includes('part" + id + "')));");
writeFileSync('test/f' + id + '.test.js', lines.join('\\n') + '\\n');
const run = spawnSync(process.execPath, ['--test', process.env.HARNESS_TEST_FILE], { encoding: 'utf8' });
console.log(run.stdout);
const list = JSON.parse(readFileSync('features.json', 'utf8'));
list.features.find((feature) => feature.id === id).passes = true;
writeFileSync('features.json', JSON.stringify(list));
console.log(JSON.stringify({ type: 'usage', input_tokens: 10, output_tokens: 1, cost_usd: 0.5 }));
`;

async function scene(settings = ''): Promise<Scene> {
  const made = await projectWithAgent('node "$HOME/agent.mjs"', {
    checked: true,
    files: FILES,
    settings: `quality:\n  cleanup_interval: 0\n${settings}`,
  });
  await writeFile(join(made.env['HOME']!, 'agent.mjs'), AGENT);
  return made;
}

async function landed(at: Scene): Promise<number[]> {
  const log = await git(at, 'log', '--format=%P|%(trailers:key=Harness-Feature,valueonly)', '--reverse');
  const rows = log
    .split('\n')
    .filter((line) => line.includes('|'))
    .map((line) => line.split('|') as [string, string]);
  expect(rows.every(([parents]) => !parents.trim().includes(' '))).toBe(true);
  return rows.flatMap(([, feature]) => (/^\d+$/.test(feature.trim()) ? [Number(feature)] : []));
}

describe('a run with lanes', () => {
  test('flies features side by side, shows both sides of a conflict to its worker, and lands everything once', async () => {
    const at = await scene();
    const run = await startHarness(at, ['run', '--until-done', '--lanes', '3', '--json']).ended;
    expect(run.code, run.stderr).toBe(0);
    const features = await landed(at);
    expect(features.toSorted()).toEqual([2, 3, 4, 5]);
    expect(features.indexOf(4)).toBeLessThan(features.indexOf(5));
    const starts = eventsOf(run, 'session.start');
    expect(new Set(starts.map(({ lane }) => lane)).size).toBeGreaterThan(1);
    expect(await read(at, 'src/shared.js')).toBe("export const parts = ['part2', 'part3'];\n");
    const costs = await read(at, '.harness/costs.yaml');
    expect(costs).toContain(`total_cost_usd: ${starts.length * 0.5}`);
    expect((await harness(at, 'verify', '--tree', 'HEAD')).code).toBe(0);
    expect(await git(at, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  test('that is killed with several in the air goes on, and lands nothing twice', async () => {
    const at = await scene('lanes:\n  max: 3\n');
    const first = startHarness(at, ['run', '--until-done', '--json']);
    for (let tries = 0; (first.seen().match(/"session\.start"/g) ?? []).length < 3 && tries < 600; tries++)
      await new Promise((resolve) => setTimeout(resolve, 50));
    first.child.kill('SIGKILL');
    await first.ended;
    const status = JSON.parse((await harness(at, 'status', '--json')).stdout) as { lanes: { lane: string }[] };
    expect(status.lanes.map(({ lane }) => lane)).toEqual(['lane-1', 'lane-2', 'lane-3']);
    const again = await startHarness(at, ['run', '--until-done', '--lanes', '3', '--json']).ended;
    expect(again.code).toBe(0);
    expect((await landed(at)).toSorted()).toEqual([2, 3, 4, 5]);
  });
});
