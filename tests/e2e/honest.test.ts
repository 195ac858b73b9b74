/** An honest agent's work becomes exactly one commit, whichever test runner proves it. */
import { expect, test } from 'vitest';
import { FEATURES, HONEST, HONEST_BOTH, projectWithAgent } from './calculator.ts';
import { eventsOf, git, harness, read } from './support.ts';

const LEFTOVERS = 'echo x > debug.log; echo "What I did" > SUMMARY_OF_WORK.md; echo "import \'./src/subtract.js\'" > by-hand.mjs';

test('an honest shell agent gets one commit with trailers, a flipped feature and a clean tree; what it left lying about stays out', async () => {
  const scene = await projectWithAgent(`${HONEST}\n${LEFTOVERS}`);
  const before = await git(scene, 'rev-parse', 'HEAD');
  const run = await harness(scene, 'run', '--json');
  expect(run, run.stderr + run.stdout).toMatchObject({ code: 0 });
  const head = await git(scene, 'rev-parse', 'HEAD');
  expect(await git(scene, 'rev-list', `${before}..HEAD`)).toBe(head);
  expect(await git(scene, 'rev-parse', 'HEAD^')).toBe(before);
  expect(await git(scene, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  expect(await read(scene, 'features.json')).toBe(FEATURES.replace('"passes" : false', '"passes" : true'));
  expect((await git(scene, 'diff', '--name-only', 'HEAD^', 'HEAD')).split('\n')).toEqual([
    'features.json',
    'src/subtract.js',
    'test/subtract.test.js',
  ]);
  expect(eventsOf(run, 'warning').map((event) => event['message'])).toContainEqual(
    expect.stringMatching(
      /^3 files left out of the commit.*: SUMMARY_OF_WORK\.md, by-hand\.mjs, debug\.log \(kept in refs\/harness\/candidates\/1\)$/,
    ),
  );
  expect(await git(scene, 'show', 'refs/harness/candidates/1:SUMMARY_OF_WORK.md')).toBe('What I did');
  const trailers = await git(scene, 'log', '-1', '--format=%(trailers:only)');
  for (const word of [/session: 1/i, /feature: #?2/i, /verdict: \S+/i, /tests: /i]) expect(trailers).toMatch(word);
  expect(run.last).toMatchObject({ type: 'end', outcome: 'verified', reasons: [], exit_code: 0, session: 1, feature: 2, commit: head });
  expect(eventsOf(run, 'session.end')).toMatchObject([{ session: 1, feature: 2, outcome: 'verified', reasons: [] }]);
  for (const event of run.events) expect(event.ts).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(run.events).toHaveLength(run.stdout.trimEnd().split('\n').length);
  expect(await read(scene, 'untracked.txt')).toBe('mine\n');
});

test('run --until-done builds every open feature and ends complete, also with a helper among the tests', async () => {
  const files = { 'test/support/numbers.js': 'export const two = 2;\n' };
  const scene = await projectWithAgent(HONEST_BOTH, { checked: true, files });
  const run = await harness(scene, 'run', '--until-done', '--json');
  expect(run, run.stderr + run.stdout).toMatchObject({ code: 0, last: { type: 'end', outcome: 'complete', exit_code: 0 } });
  expect(eventsOf(run, 'session.end')).toMatchObject([
    { feature: 2, outcome: 'verified' },
    { feature: 3, outcome: 'verified' },
  ]);
  expect(String(run.last!['message'])).toMatch(
    /^project complete: 3\/3 features, 3\/3 tests pass, lint: no command, code quality: (GOOD|FAIR|POOR)/,
  );
  expect(await read(scene, 'features.json')).toBe(FEATURES.replaceAll(/"passes"( ?): false/g, '"passes"$1: true'));
  const again = await harness(scene, 'run', '--json');
  expect(again, again.stderr).toMatchObject({ code: 0, last: { outcome: 'complete' } });
  expect(eventsOf(again, 'session.start')).toEqual([]);
});
