/** After a refusal the next session learns why, in the words of the person's screen, and repairs what it left. */
import { expect, test } from 'vitest';
import { claim, HONEST, projectWithAgent, RUN_SUBTRACT, setAgent, WRITE_SUBTRACT } from './calculator.ts';
import { copyScene, eventsOf, git, harness } from './support.ts';

const BREAK_ADD = "echo 'export const add = (a, b) => a + b + 1;' > src/add.js";
const REPAIR_ADD = "echo 'export const add = (a, b) => a + b;' > src/add.js";
const NOTE = 'cp "$TMPDIR/prompt.txt" prompt.txt; ls src > seen.txt';

test('a refused agent is told what broke and repairs it where it stands; the third attempt starts from the branch', async () => {
  const scene = await projectWithAgent(`set -e\n${WRITE_SUBTRACT}\n${BREAK_ADD}\n${RUN_SUBTRACT}\n${claim(2)}`);
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stderr).toMatchObject({ code: 4, last: { reasons: ['regression'], session: 1 } });
  const told = eventsOf(first, 'verify.result')[0]!['messages'] as string[];
  expect(told.join('\n')).toMatch(/test\/add\.test\.js::add gives the result \(failed\)\n.*strictly equal:\n +4 !== 3/);

  const repairing = await copyScene(scene);
  const isTold = `grep -q 'add gives the result (failed)' "$TMPDIR/prompt.txt" && grep -q '4 !== 3' "$TMPDIR/prompt.txt"`;
  await setAgent(
    repairing,
    `set -e\n${isTold}\n! grep -q '"passes" *: *true.*subtract' features.json\n${REPAIR_ADD}\n${RUN_SUBTRACT}\n${claim(2)}`,
  );
  const second = await harness(repairing, 'run', '--json');
  expect(second, second.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', session: 2 } });
  expect(await git(repairing, 'diff', '--name-only', 'HEAD^', 'HEAD')).toBe('features.json\nsrc/subtract.js\ntest/subtract.test.js');

  await setAgent(scene, `set -e\n${NOTE}\necho >> src/subtract.js\n${RUN_SUBTRACT}\n${claim(2)}`);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 4, last: { reasons: ['regression'], session: 2 } });
  expect(await git(scene, 'show', 'refs/harness/candidates/2:seen.txt')).toBe('add.js\nsubtract.js');
  expect(await git(scene, 'show', 'refs/harness/candidates/2:prompt.txt')).toMatch(
    /This is attempt 2 at this feature\.[\s\S]*Your files are as you left them in session 1/,
  );

  await setAgent(scene, `set -e\n${NOTE}\n${HONEST}`);
  expect(await harness(scene, 'run', '--json')).toMatchObject({ code: 0, last: { outcome: 'verified', session: 3 } });
  expect(await git(scene, 'show', 'HEAD:seen.txt')).toBe('add.js');
  const prompt = await git(scene, 'show', 'HEAD:prompt.txt');
  expect(prompt).toMatch(/This is attempt 3[\s\S]*4 !== 3[\s\S]*Your copy starts from the branch[\s\S]*- src\/subtract\.js/);
});

test('a test that passes only on some dates is refused with its name and the date; claimed again as it is, a person is asked', async () => {
  const dated = `sed -i "s/subtract(5, 2), 3/Date.now() < ${Date.now() + 86_400_000} \\&\\& subtract(5, 2), 3/" test/subtract.test.js`;
  const scene = await projectWithAgent(`set -e\n${WRITE_SUBTRACT}\n${dated}\n${RUN_SUBTRACT}\n${claim(2)}`);
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 4, last: { outcome: 'rejected', reasons: ['test.flaky'], session: 1 } });
  const words =
    /test "subtract gives the result" in test\/subtract\.test\.js passes only on some dates: it fails when the clock is set to \d{4}-/;
  expect((eventsOf(first, 'verify.result')[0]!['messages'] as string[]).join('\n')).toMatch(words);

  await setAgent(scene, `set -e\n${NOTE}\n${RUN_SUBTRACT}\n${claim(2)}`);
  const second = await harness(scene, 'run', '--json');
  expect(second, second.stdout + second.stderr).toMatchObject({
    code: 8,
    last: { outcome: 'needs_human', reasons: ['test.flaky'], session: 2 },
  });
  const prompt = await git(scene, 'show', 'refs/harness/candidates/2:prompt.txt');
  expect(prompt).toMatch(words);
  expect(prompt).toContain('derive the expected value from the current date');
  expect(prompt).not.toContain('test.flaky');
});
