/** What an agent is told before it starts: enough to begin at once, and never more than a thousand tokens. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, projectWithAgent, setAgent, settingsFor, WRITE_SUBTRACT } from './calculator.ts';
import { commitAll, git, harness, makeScene, read, write } from './support.ts';

const FEATURES = Array.from({ length: 10_000 }, (_, index) => ({
  id: index + 1,
  description: index === 1_000 ? 'A user subtracts two numbers' : `A user can do thing number ${index + 1}`,
  test_file: index === 1_000 ? 'test/subtract.test.js' : index === 0 ? 'test/add.test.js' : `test/thing-${index + 1}.test.js`,
  ...(index === 1_000 ? { depends_on: [1], verification_steps: ['5 less 2 is 3'], priority: 1 } : {}),
  passes: index < 1_000,
}));

const SPEC = `# A pocket calculator

## Adding

Two numbers are added.

## Subtracting

- The second number is taken from the first; the result may be below zero.
`;

const entry = (session: number): string =>
  `SESSION ${session}\nFEATURE: #${session}\nWHAT I DID:\n- built thing ${session}\nDECISIONS:\n- Thing ${session} keeps its numbers as integers\nLEFT:\n- nothing\n\n`;

const record = (session: number): string =>
  JSON.stringify({
    ts: '2026-01-01T00:00:00.000Z',
    type: 'session',
    session_id: session,
    prompt: 'coding',
    started_at: '2026-01-01T00:00:00.000Z',
    ended_at: '2026-01-01T00:01:00.000Z',
    duration_seconds: 60,
    outcome: 'verified',
    reasons: [],
    termination_reason: 'complete',
    feature_id: session,
    feature_completed: true,
    tokens_used: { input: 1, output: 1, cached: 0 },
    cost_usd: 0.1,
    backend: 'command',
    model: 'x',
    commit: null,
    verdict: null,
  });

test('with 10,000 features and 1,000 sessions the orientation says what matters, in under 1,000 tokens', async () => {
  const sessions = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const scene = await makeScene({
    ...FILES,
    'package.json': '{ "type": "module", "scripts": { "test": "node --test", "lint": "true", "build": "true" } }\n',
    'features.json': JSON.stringify({ project: 'calculator', instructions: 'Numbers are never rounded.', features: FEATURES }),
    'docs/spec.md': SPEC,
    'claude-progress.txt': sessions.map(entry).join(''),
    'test/helpers/numbers.js': 'export const small = [1, 2, 3];\n',
    'test/subtract.test.js': "import { subtract } from '../src/subtract.js';\n",
    'test/thing-1002.test.js': "import test from 'node:test'; test('thing', () => { throw new Error('not built yet'); });\n",
    '.harness.yaml': settingsFor('quality:\n  lint_command: npm run lint\n'),
  });
  const logs = join(scene.project, '.harness/logs');
  expect(await harness(scene, 'init', '--features', 'features.json')).toMatchObject({ code: 0 });
  await mkdir(logs, { recursive: true });
  await writeFile(join(logs, 'sessions.jsonl'), `${sessions.map(record).join('\n')}\n`);
  const run = await harness(scene, 'run', '--dry-run', '--json');
  const { orientation, orientation_tokens, feature } = run.events[0]!;
  expect(feature).toMatchObject({ id: 1_001 });
  expect(orientation_tokens).toBeLessThan(1_000);
  expect(String(orientation).length / 3.5).toBeLessThan(1_000);
  for (const words of [
    /\*\*Progress:\*\* 1000\/10000 features passing/,
    /\*\*Health:\*\* \d+ of \d+ tests pass on this commit/,
    /\*\*Instructions of the list:\*\* Numbers are never rounded\./,
    /`docs\/spec\.md`; about this feature: "Subtracting: The second number is taken from the first/,
    /whole suite: `npm test` \(part of the verdict\)/,
    /lint: `npm run lint` \(the verdict only warns\)/,
    /build: `npm run build` \(not part of the verdict\)/,
    /test helpers: test\/helpers\/numbers\.js/,
    /red on purpose, until their features are built: test\/thing-1002\.test\.js/,
    /- src\/add\.js \(imported by the tests of #1/,
    /Session 1000 \(#1000\): did: built thing 1000/,
    /- Session 1000: Thing 1000 keeps its numbers as integers\n- Session 999: .*\n- Session 998: /,
  ])
    expect(orientation).toMatch(words);
  expect(orientation).not.toContain('Thing 997');
});

test('a dry run shows the prompt that the next session really gets: unfinished work, and the tests as health saw them', async () => {
  const scene = await projectWithAgent(`${WRITE_SUBTRACT}\necho "the rounding is left"`);
  expect((await harness(scene, 'run')).code).toBe(10);
  await write(scene, { 'README.md': '# By hand\n' });
  await commitAll(scene, 'By hand');
  const preview = async (): Promise<string> => String((await harness(scene, 'run', '--dry-run', '--json')).events[0]!['text']);
  expect(await preview()).toContain('not run on this commit yet');
  expect((await harness(scene, 'health')).code).toBe(0);
  const foreseen = await preview();
  expect(foreseen).toMatch(/1 of \d tests pass on this commit/);
  expect(foreseen).toContain('the rounding is left');
  await setAgent(scene, 'cp "$TMPDIR/prompt.txt" src/got.txt');
  await harness(scene, 'run');
  const { wip } = JSON.parse(await read(scene, '.harness/session_state.json')) as { wip: { tree: string } };
  expect(foreseen.trim()).toBe((await git(scene, 'show', `${wip.tree}:src/got.txt`)).trim());
  expect((await harness(scene, 'run', '--dry-run')).stdout).toContain('Files in progress');
});
