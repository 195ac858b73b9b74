/** Changed helpers of tests: what both versions show decides, not which lines changed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../../domain/test-support-long.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { openProject, type Project } from '../test-support-projects.ts';
import type { FileTable } from '../test-support.ts';

const HELPER = 'test/support/check.js';
const PLAIN = "import assert from 'node:assert/strict';\nexport function gives(actual, expected) {\n  assert.equal(actual, expected);\n}\n";
const testOf = (name: string, call: string): string =>
  `import { test } from 'node:test';\nimport { gives } from './support/check.js';\nimport { ${name} } from '../src/${name}.js';\ntest('${name}s', () => gives(${call}));\n`;

let project: Project;
beforeAll(async () => void (project = await openProject('node:test')));
afterAll(() => project.bench.dispose());

async function verdictOn(helper: string, more: { base?: FileTable; work?: FileTable } = {}): Promise<Verdict> {
  const base = { ...project.base, [project.paths.oldTest]: testOf('add', 'add(1, 2), 3'), [HELPER]: PLAIN, ...more.base };
  const work = {
    ...base,
    [project.paths.newCode]: project.honest[project.paths.newCode]!,
    'features.json': project.honest['features.json']!,
  };
  return project.verdictOf(
    { ...work, [project.paths.newTest]: testOf('subtract', 'subtract(3, 2), 1'), [HELPER]: helper, ...more.work },
    { baseFiles: base },
  );
}

test("a helper that was written anew and is worth the same is nobody's business", async () => {
  const helper =
    "import assert from 'node:assert/strict';\nexport const gives = (actual, expected, label = 'result') => {\n  assert.equal(typeof actual, typeof expected, label);\n  assert.strictEqual(actual, expected, label);\n};\n";
  const verdict = await verdictOn(helper);
  expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
});

const WEAKER: [string, string][] = [
  ['asserts nothing any more', 'export function gives() {}\n'],
  [
    'is content with a number',
    "import assert from 'node:assert/strict';\nexport function gives(actual) {\n  assert.equal(typeof actual, 'number');\n}\n",
  ],
  [
    'lets results be a little off',
    "import assert from 'node:assert/strict';\nexport function gives(actual, expected) {\n  assert.ok(Math.abs(actual - expected) < 10);\n}\n",
  ],
];

test.each(isLong ? WEAKER : WEAKER.slice(2))('a helper that %s is asked about', async (_title, helper) => {
  const verdict = await verdictOn(helper);
  expect(verdict.decision, JSON.stringify(verdict.findings)).not.toBe('accepted');
  expect(verdict.findings.map((one) => one.message).join('\n')).toContain(HELPER);
});

test('tests that pass only with the changed helper are shown to a person', async () => {
  const verdict = await verdictOn(PLAIN.replace('assert.equal(actual, expected)', 'assert.equal(actual - 1, expected)'), {
    work: {
      [project.paths.oldCode]: 'export const add = (a, b) => a + b + 1;\n',
      [project.paths.newTest]: testOf('subtract', 'subtract(3, 2), 0'),
    },
  });
  expect(verdict).toMatchObject({ decision: 'needs_human', reasons: ['tamper.tests'] });
  expect(verdict.findings[0]).toMatchObject({ message: `tests pass only with the changed version of ${HELPER}` });
});

test('a helper that tests of open features rely on is asked about', async () => {
  const open = 'test/multiply.test.js';
  const verdict = await verdictOn(PLAIN.replace('assert.equal', 'assert.strictEqual'), {
    base: { [open]: testOf('multiply', 'multiply(3, 2), 6') },
  });
  expect(verdict).toMatchObject({ decision: 'needs_human', findings: [{ reason: 'tamper.tests', subjects: [open] }] });
});
