/** What a person finds in the morning: the list, the summary, why something was refused, and what it changed. */
import { expect, test } from 'vitest';
import { HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { harness, snapshot } from './support.ts';

/** Honest about feature 2; breaks what worked when it comes to feature 3. */
const MIXED = `${HONEST_BOTH}
if [ "$HARNESS_FEATURE_ID" = 3 ]; then echo 'export const add = (a, b) => a - b;' > src/add.js; fi
echo '{"type":"usage","input_tokens":1000,"output_tokens":10,"cost_usd":0.25}'
`;

test('features, summary, why and diff tell of a verified and a refused session', async () => {
  const scene = await projectWithAgent(MIXED, { checked: true });
  expect((await harness(scene, 'run')).code).toBe(0);
  expect((await harness(scene, 'run')).code).toBe(4);
  const before = await snapshot(scene, { state: true });

  const features = JSON.parse((await harness(scene, 'features', '--json')).stdout) as Record<string, unknown>[];
  expect(features.map(({ id, state, attempts }) => [id, state, attempts])).toEqual([
    [1, 'verified', 0],
    [2, 'verified', 1],
    [3, 'refused', 1],
  ]);
  expect(features[1]).toMatchObject({ cost_usd: 0.25, commit: expect.stringMatching(/^[0-9a-f]{40}/) });

  const summary = await harness(scene, 'summary');
  expect(summary.stdout).toContain('2 of 3 features pass.');
  expect(summary.stdout).toMatch(/2 sessions .*\$0\.50, 1 commit\./);
  expect(summary.stdout).toMatch(/Verified:\n {2}#2 /);
  expect(summary.stdout).toMatch(/Refused:\n {2}#3 .*: .+/);
  expect(summary.stdout).toContain('To go on: harness run --until-done');
  expect(JSON.parse((await harness(scene, 'summary', '--json')).stdout)).toMatchObject({ sessions: 2, cost_usd: 0.5 });
  expect((await harness(scene, 'summary', '--since', 'yesterday')).code).toBe(2);

  const why = await harness(scene, 'why', '2');
  expect(why.stdout).toContain('Session 2 (feature #3) ended as rejected: regression');
  expect(why.stdout).toContain('test/add.test.js');
  expect(why.stdout).toMatch(/-1|3/);
  expect((await harness(scene, 'why', 'F-003')).stdout).toBe(why.stdout);
  expect((await harness(scene, 'why', '9')).code).toBe(2);

  expect((await harness(scene, 'diff', '2')).stdout).toContain('+export const add = (a, b) => a - b;');
  expect((await harness(scene, 'diff', '1')).stdout).toContain('+++ b/src/subtract.js');
  expect(await snapshot(scene, { state: true })).toEqual(before);
});
