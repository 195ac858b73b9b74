/** Hidden tests of an accepted feature on later work: through the command backend, which plays the examiner and the second call as well. */
import { expect, test } from 'vitest';
import { claim, projectWithAgent, RUN_SUBTRACT, setAgent, WRITE_SUBTRACT } from './calculator.ts';
import { hasScript, sitDown } from './sit-down.ts';
import { git, harness, read, write, type Scene } from './support.ts';

const hidden = (title: string, assertion: string): string =>
  `## ${title}\n\n\`\`\`js\nimport assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { subtract } from '../src/subtract.js';\ntest('SECRET-${title}', () => { ${assertion} });\n\`\`\`\n`;
const EXAMINATION = hidden('Larger numbers are subtracted', 'assert.equal(subtract(900, 77), 823);');

const MULTIPLY = `mkdir -p src test
echo 'export const multiply = (a, b) => a * b;' > src/multiply.js
printf "import assert from 'node:assert/strict';\\nimport { test } from 'node:test';\\nimport { multiply } from '../src/multiply.js';\\ntest('multiplies', () => assert.equal(multiply(2, 3), 6));\\ntest('multiplies zero', () => assert.equal(multiply(0, 9), 0));\\n" > test/multiply.test.js`;
const BREAKS = "echo 'export const subtract = (a, b) => (a < 100 ? a - b : 0);' > src/subtract.js";

/** `$HARNESS_OUTPUT` is written for the roles; any other call is the agent's. */
const playing = (entailment: string, agent: string): string => `case "$HARNESS_ROLE" in
*/examiner) if [ "$HARNESS_FEATURE_ID" = 2 ]; then cat > "$HARNESS_OUTPUT" <<'END'
${EXAMINATION}END
fi; exit 0;;
*/entailment) printf '${entailment}\\n' > "$HARNESS_OUTPUT"; exit 0;;
esac
${agent}`;
const SUBTRACTS = `${WRITE_SUBTRACT}\n${RUN_SUBTRACT}\n${claim(2)}`;
const MULTIPLIES = `${MULTIPLY}\n${BREAKS}\necho '$ node --test test/multiply.test.js'; node --test test/multiply.test.js 2>&1\n${claim(3)}`;

async function withSubtraction(): Promise<Scene> {
  const scene = await projectWithAgent(playing('1: entailed', SUBTRACTS), { settings: 'verification:\n  examiner: on\n' });
  const first = await harness(scene, 'run', '--json');
  expect(first, first.stdout + first.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 2 } });
  expect(JSON.parse(await read(scene, '.harness/hidden/kept.json'))).toMatchObject({
    next: 2,
    tests: [{ number: 1, feature: 2, behaviour: 'Larger numbers are subtracted', released: null }],
  });
  return scene;
}

test('a hidden test of an accepted feature fails later: a person reviews, nothing of it leaks, and accepting releases it', async () => {
  const scene = await withSubtraction();
  await setAgent(scene, playing('1: plausible', MULTIPLIES));
  const later = await harness(scene, 'run', '--json');
  expect(later, later.stdout + later.stderr).toMatchObject({ code: 8, last: { outcome: 'needs_human', reasons: ['hidden.failed'] } });
  const shown = [
    later.stdout,
    later.stderr,
    (await harness(scene, 'gates', '--json')).stdout,
    (await harness(scene, 'why', '--json')).stdout,
    (await harness(scene, 'show', '2', '--json')).stdout,
    (await harness(scene, 'log', 'tail', '--json')).stdout,
  ].join('\n');
  expect(shown).toContain('hidden:1 (feature #2): Larger numbers are subtracted');
  expect(shown).not.toMatch(/SECRET|900|823/);
  if (hasScript) {
    const { seen } = await sitDown(scene, ['tests', '--hidden'], []);
    for (const part of ['waits for your review', 'fails  Larger numbers', 'plausible', 'SECRET-Larger', '823', 'hidden:1  feature #2'])
      expect(seen).toContain(part);
  }
  expect(await harness(scene, 'answer', 'project.review', 'Accept')).toMatchObject({ code: 0 });
  expect((await harness(scene, 'run', '--json')).stdout).toContain('"commit"');
  expect(await git(scene, 'show', 'HEAD:src/subtract.js')).toContain('a < 100');
  expect(JSON.parse(await read(scene, '.harness/hidden/kept.json'))).toMatchObject({
    tests: [{ number: 1, released: expect.any(String) }],
  });
});

test('where the new description requires something else, or names the test, the work lands', async () => {
  const scene = await withSubtraction();
  await setAgent(scene, playing('1: no — the new feature changes it', MULTIPLIES));
  const changed = await harness(scene, 'run', '--json');
  expect(changed, changed.stdout + changed.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 3 } });

  const other = await withSubtraction();
  const list = await read(other, 'features.json');
  await write(other, { 'features.json': list.replace('"depends_on": [1]', '"depends_on": [1], "may_change": ["hidden:1"]') });
  await git(other, 'commit', '-q', '-m', 'May change', '--', 'features.json');
  await setAgent(other, playing('1: entailed', MULTIPLIES));
  const named = await harness(other, 'run', '--json');
  expect(named, named.stdout + named.stderr).toMatchObject({ code: 0, last: { outcome: 'verified', feature: 3 } });
});

test.runIf(hasScript)('hidden tests are shown to a person at a terminal alone, who may make them tests of the project', async () => {
  const scene = await withSubtraction();
  for (const args of [
    ['tests', '--hidden'],
    ['tests', '--hidden', '--json'],
    ['tests', '--adopt', '1'],
  ]) {
    const refused = await harness(scene, ...args);
    expect(refused, args.join(' ')).toMatchObject({ code: 2 });
    expect(refused.stdout + refused.stderr).not.toMatch(/SECRET|900|823|Larger/);
  }
  const asAgent = await sitDown({ ...scene, env: { ...scene.env, HARNESS_DEPTH: '1' } }, ['tests', '--hidden'], []);
  expect(asAgent.code).toBe(2);
  expect(asAgent.seen).not.toMatch(/SECRET|900|823|Larger/);
  const adopted = await sitDown(scene, ['tests', '--adopt', '1'], []);
  expect(adopted, adopted.seen).toMatchObject({ code: 0 });
  expect(await read(scene, 'test/subtract-hidden-1.test.js')).toContain('assert.equal(subtract(900, 77), 823)');
  expect(JSON.parse(await read(scene, '.harness/hidden/kept.json'))).toMatchObject({ tests: [{ number: 1, released: 'adopted' }] });
  expect((await sitDown(scene, ['tests', '--hidden'], [])).seen).toContain('(adopted)');
  expect((await sitDown(scene, ['tests', '--adopt', '1'], [])).seen).toContain('test/subtract-hidden-1.test.js exists');
});
