import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JudgeInput } from '../contract.ts';
import { createBench, type Bench } from '../test-support.ts';
import { findUndeclared } from './undeclared-packages.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

/** `base` and what the session leaves; the test file of the feature is the first of the given ones. */
async function found(full: string, test_file: string, base: Record<string, string>, work: Record<string, string>): Promise<string[]> {
  const [baseTree, tree] = [await bench.tree(base), await bench.tree({ ...base, ...work })];
  const input = {
    ...bench.context({ testing: { full } }),
    session: 2,
    mode: 'feature',
    feature: { id: 1, description: 'a', test_file, passes: false },
    base: { commit: 'c'.repeat(40), tree: baseTree },
    candidate: { tree, findings: [] },
    features: { trusted: '{}', candidate: '{}' },
    evidence: null,
    baseline: null,
  } satisfies JudgeInput;
  const changes = await bench.trees.diff(baseTree, tree);
  const findings = await findUndeclared({
    ...input,
    platform: bench.platform,
    judged: {
      tree,
      changes,
      edits: [],
      contract: [],
      released: [],
      helpers: [],
      rewritten: [],
    },
  });
  return findings.flatMap((one) => one.subjects);
}

const locked = (...names: string[]): string =>
  JSON.stringify({ packages: Object.fromEntries(names.map((name) => [`node_modules/${name}`, name === 'ours' ? { link: true } : {}])) });
const NODE = {
  'package.json': JSON.stringify({ type: 'module', name: 'shop', dependencies: { declared: '1' } }),
  'package-lock.json': locked('declared', 'brought', 'known', '@a/brought', 'ours'),
  'src/old.js': "import 'known';\n",
};
const TEST = "import { a } from '../src/a.js';\n";

test('packages that only others brought are told where tests reach the code', async () => {
  const code =
    "import 'declared';\nimport fs from 'node:fs';\nimport path from 'path';\nimport { b } from 'brought/deep.js';\nimport c from '@a/brought';\nimport 'shop/x';\nimport 'ours';\nimport 'an-alias';\nexport const a = 1;\n";
  const script = "import 'brought';\n";
  expect(await found('node --test', 'test/a.test.js', NODE, { 'src/a.js': code, 'scripts/b.js': script, 'test/a.test.js': TEST })).toEqual([
    'src/a.js: brought',
    'src/a.js: @a/brought',
  ]);
});

test('what the code used before is nobody’s fault', async () => {
  const test = "import '../src/old.js';\n";
  const work = { 'src/old.js': "import 'known';\nexport const more = 1;\n", 'test/a.test.js': test };
  expect(await found('node --test', 'test/a.test.js', NODE, work)).toEqual([]);
});

test('modules of Python, by what is installed and what is listed', async () => {
  const code = 'import json\nimport pluggy\nfrom src.other import b\n\na = 1\n';
  const work = { 'src/a.py': code, 'src/other.py': 'b = 1\n', 'tests/test_a.py': 'from src.a import a\n' };
  const asked = (base: Record<string, string>): Promise<string[]> => found('python3 -m pytest', 'tests/test_a.py', base, work);
  expect(await asked({ 'pyproject.toml': '[project]\nname = "shop"\ndependencies = ["requests"]\n' })).toEqual(['src/a.py: pluggy']);
  expect(await asked({ 'pyproject.toml': '[project]\nname = "shop"\ndependencies = ["Pluggy>=1"]\n' })).toEqual([]);
  expect(await asked({ 'README.md': '' })).toEqual([]);
});
