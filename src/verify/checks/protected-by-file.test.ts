import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Feature } from '../../domain/feature.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { passingIds } from '../memory/baseline.ts';
import { judge } from '../judge.ts';
import { filesOfTests, isTestLike } from './protected-by-file.ts';
import { runSuite } from '../run/suite.ts';
import { createBench, type Bench, type FileTable } from '../test-support.ts';

test.each([
  'tests.py',
  'run-tests.sh',
  'spec/calc_spec.rb',
  'calc_spec.rb',
  'src/main/CalcTest.java',
  'CalcTests.cs',
  'TestCalc.java',
  'Calculator.Tests/Calc.cs',
  't/basic.t',
  'suite.bats',
  'pkg/calc_test.go',
  'tests/data/in.json',
])('%s belongs to tests', (path) => expect(isTestLike(path)).toBe(true));

test.each(['src/latest.py', 'src/contest.rb', 'docs/spec.md', 'src/inspect.rs', 'it.json', 'Attestation.java', 'test'])(
  '%s does not',
  (path) => expect(isTestLike(path)).toBe(false),
);

test('what a command reads for its tests is found by the folders and patterns that it and its scripts name', () => {
  const read = (commands: string[], scripts: string[], paths: string[], named: string[] = []): string[] =>
    [...filesOfTests(new Set(paths), { commands, scripts, named: new Set(named) })].toSorted();
  const paths = ['checks/a.lua', 'checks/b.lua', 'src/a.lua', 'server/main.c', 'server/x.lua', 'server/x_test.lua'];
  expect(read(['busted checks/'], [], paths)).toEqual(['checks/a.lua', 'checks/b.lua', 'server/x_test.lua']);
  expect(read(['sh check.sh'], ['for f in checks/*.lua; do lua "$f"; done'], paths)).toEqual([
    'checks/a.lua',
    'checks/b.lua',
    'server/x_test.lua',
  ]);
  expect(read(['lua checks/a.lua'], [], paths, ['checks/a.lua'])).toEqual(['checks/a.lua', 'checks/b.lua', 'server/x_test.lua']);
  expect(read(['cd server && make', 'cc server/*.c', 'busted server src'], [], paths)).toEqual(['server/x_test.lua']);
});

describe('a command that only has a status', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await createBench();
  });
  afterAll(() => bench.dispose());

  const feature: Feature = { id: 2, description: 'subtracts', test_file: 'tests/subtract.sh', passes: false };
  const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [{ ...feature, passes }] });
  const base: FileTable = {
    'check.sh': 'set -e\nfor one in tests/*.sh more/*.sh; do sh "$one"; done\n',
    'calc.sh': 'add() { echo $(($1 + $2)); }\n',
    'tests/add.sh': '. ./calc.sh\n[ "$(add 1 2)" = 3 ]\n',
    'more/zero.sh': '. ./calc.sh\n[ "$(add 0 0)" = 0 ]\n',
    'features.json': list(false),
  };
  const honest: FileTable = {
    ...base,
    'calc.sh': 'add() { echo $(($1 + $2)); }\nsubtract() { echo $(($1 - $2)); }\n',
    'tests/subtract.sh': '. ./calc.sh\n[ "$(subtract 3 2)" = 1 ]\n',
    'features.json': list(true),
  };

  async function verdictOf(files: FileTable): Promise<Verdict> {
    const context = bench.context({ testing: { full: 'sh check.sh' } });
    const tree = await bench.tree(base);
    const run = await runSuite(bench.platform, { ...context, tree });
    const passing = passingIds(run.tests);
    return judge(bench.platform, {
      ...context,
      session: 2,
      mode: 'feature',
      feature,
      base: { commit: 'c'.repeat(40), tree },
      candidate: { tree: await bench.tree(files), findings: [] },
      features: { trusted: base['features.json']!, candidate: files['features.json']! },
      evidence: { mentionsTestFile: true, passingSummary: 'x', endedFailing: false, shown: true },
      baseline: {
        schema_version: 1,
        harness_version: '0',
        session: 1,
        timestamp: '',
        commit: '',
        tree,
        runner: run.runner,
        passing_tests: passing,
        total_passing: passing.length,
        total_tests: run.tests.length,
      },
    });
  }
  const without = (path: string): FileTable => Object.fromEntries(Object.entries(honest).filter(([one]) => one !== path));

  test('honest work that adds a test file is not asked about', async () => {
    const verdict = await verdictOf(honest);
    expect([verdict.decision, verdict.findings]).toEqual(['accepted', []]);
  });

  test.each(['tests/add.sh', 'more/zero.sh'])('an old test file that is emptied or deleted is a question: %s', async (path) => {
    for (const files of [{ ...honest, [path]: 'true\n' }, without(path)])
      expect(await verdictOf(files)).toMatchObject({
        decision: 'needs_human',
        reasons: ['tamper.tests'],
        findings: [{ check: 'protected', subjects: [path] }],
      });
  });

  test('what an emptied test file hid is found with its trusted version', async () => {
    const broken = honest['calc.sh']!.replace('$1 + $2', '$1 + $2 + 1');
    const verdict = await verdictOf({ ...honest, 'calc.sh': broken, 'tests/add.sh': 'true\n', 'more/zero.sh': 'true\n' });
    expect(verdict.decision).not.toBe('accepted');
    expect(verdict.reasons).toContain('tamper.tests');
    expect(verdict.findings.map((finding) => finding.check)).toContain('regression');
  });
});
