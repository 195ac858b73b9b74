/** `harness run` and `harness demo` with a person at the terminal: who is asked, and who is left in peace. */
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { claim, HONEST, projectWithAgent } from './calculator.ts';
import { ENTER, hasScript, sitDown } from './sit-down.ts';
import { emptyScene, git } from './support.ts';

/** Claims without work in its first two sessions, and does it in the third. */
const LIES_TWICE = `if [ "$HARNESS_SESSION" -le 2 ]; then ${claim(2).trim()}; exit 0; fi\n${HONEST}`;

test.runIf(hasScript)('a repeated run tries again by itself, also at a terminal', async () => {
  const scene = await projectWithAgent(LIES_TWICE);
  const { code, seen } = await sitDown(scene, ['run', '--sessions', '3'], []);
  expect(code, seen.slice(-3000)).toBe(0);
  expect(seen.match(/feature #2 rejected/g)).toHaveLength(2);
  expect(seen).not.toContain('What now?');
  expect(await git(scene, 'log', '-1', '--format=%s')).toContain('#2');
});

test.runIf(hasScript)('one session at a terminal asks what follows from a refused claim, once and in one place', async () => {
  const scene = await projectWithAgent(LIES_TWICE);
  const { code, seen } = await sitDown(
    scene,
    ['run'],
    [
      [/What now\?.*Retry session/, ENTER],
      [/Session 2, feature #2 rejected.*What now\?.*Retry session/, ENTER],
    ],
  );
  expect(code, seen.slice(-3000)).toBe(0);
  expect(seen).not.toContain('Your decision is needed');
});

test.runIf(hasScript)('the demo asks nothing and ends complete', async () => {
  const scene = await emptyScene();
  const { code, seen } = await sitDown(scene, ['demo'], []);
  expect(code, seen.slice(-3000)).toBe(0);
  expect(seen).toContain('project complete: 5/5 features');
  expect(seen).not.toContain('What now?');
  await rm(/\/\S*harness-demo-[0-9a-f]+/.exec(seen)![0], { recursive: true, force: true });
});
