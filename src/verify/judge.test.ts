import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../domain/test-support-long.ts';
import type { HarnessEvent } from '../domain/event.ts';
import type { Feature } from '../domain/feature.ts';
import type { Baseline } from '../domain/session.ts';
import type { CheckName, Verdict } from '../domain/verdict.ts';
import { passingIds } from './memory/baseline.ts';
import { fileCache } from './memory/cache.ts';
import type { CleanRooms } from '../domain/tree.ts';
import type { JudgeInput } from './contract.ts';
import { describeVerdict, feedbackFor } from '../prompts/describe-verdict.ts';
import { judge, judgeOnRecord } from './judge.ts';
import { runSuite } from './run/suite.ts';
import { createBench, type Bench, type FileTable, type SettingsPatch } from './test-support.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});
afterAll(() => bench.dispose());

const FEATURES: Feature[] = [
  { id: 1, description: 'adds two numbers', test_file: 'test/add.test.mjs', passes: true },
  { id: 2, description: 'subtracts two numbers', test_file: 'test/subtract.test.mjs', passes: false },
  { id: 3, description: 'multiplies two numbers', test_file: 'test/multiply.test.mjs', passes: false },
];
const listWith = (...passing: number[]): string =>
  JSON.stringify({ project: 'calculator', features: FEATURES.map((one) => ({ ...one, passes: passing.includes(one.id) })) }, null, 2);

const ADD_TEST = `import test from 'node:test'; import assert from 'node:assert/strict'; import { add } from '../src/add.mjs';
test('adds', () => {
  assert.equal(add(1, 2), 3);
});
test('adds negatives', () => {
  assert.equal(add(1, -2), -1);
});
`;
const BASE: FileTable = {
  'package.json': '{"name":"calculator","scripts":{"test":"node --test"}}',
  'features.json': listWith(1),
  'src/add.mjs': 'export const add = (a, b) => a + b;\n',
  'test/add.test.mjs': ADD_TEST,
};
const SUBTRACT: FileTable = {
  'src/subtract.mjs': 'export const subtract = (a, b) => a - b;\n',
  'test/subtract.test.mjs':
    "import test from 'node:test'; import assert from 'node:assert/strict'; import { subtract } from '../src/subtract.mjs';\ntest('subtracts', () => assert.equal(subtract(3, 2), 1));\n",
  'features.json': listWith(1, 2),
};

interface Case {
  base?: FileTable;
  /** Over base and the honest work; null removes a file. */
  work: Record<string, string | null>;
  honest?: boolean;
  settings?: SettingsPatch;
  patch?: Partial<JudgeInput>;
}

async function verdictOf({ base = BASE, work, honest = true, settings, patch }: Case): Promise<Verdict> {
  const files = Object.entries({ ...base, ...(honest ? SUBTRACT : {}), ...work }).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const [baseTree, tree] = [await bench.tree(base), await bench.tree(Object.fromEntries(files))];
  const context = bench.context(settings);
  return judge(bench.platform, {
    ...context,
    session: 5,
    mode: 'feature',
    feature: FEATURES[1]!,
    base: { commit: 'c'.repeat(40), tree: baseTree },
    candidate: { tree, findings: [] },
    features: { trusted: base['features.json']!, candidate: Object.fromEntries(files)['features.json'] ?? null },
    evidence: { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true },
    baseline: await baselineOf(baseTree, settings),
    ...patch,
  });
}

const baselines = new Map<string, Promise<Baseline>>();

function baselineOf(tree: string, settings?: SettingsPatch): Promise<Baseline> {
  const known = baselines.get(tree) ?? captureBaseline(tree, settings);
  baselines.set(tree, known);
  return known;
}

async function captureBaseline(tree: string, settings?: SettingsPatch): Promise<Baseline> {
  const run = await runSuite(bench.platform, { ...bench.context(settings), tree });
  const passing = passingIds(run.tests);
  return {
    schema_version: 1,
    harness_version: '0',
    session: 4,
    timestamp: '',
    commit: '',
    tree,
    runner: run.runner,
    passing_tests: passing,
    total_passing: passing.length,
    total_tests: run.tests.length,
  };
}

const summary = (verdict: Verdict): [string, ...string[]] => [verdict.decision, ...verdict.reasons];

describe('honest work', () => {
  test('is accepted, with the tests that went from red to green and those that stayed green', async () => {
    const events: HarnessEvent[] = [];
    const verdict = await verdictOf({ work: {}, patch: { emit: (event) => events.push(event) } });
    expect(describeVerdict(verdict)[0]).toBe('Feature #2 verified: its 1 test failed before and passes now; 2 existing tests still pass.');
    expect(verdict).toMatchObject({
      decision: 'accepted',
      reasons: [],
      feature_tests: ['test/subtract.test.mjs::subtracts'],
      red_to_green: ['test/subtract.test.mjs::subtracts'],
      kept_green: 2,
      total_tests: 3,
      runner: 'node:test',
    });
    expect(verdict.passing_tests.toSorted()).toEqual([
      'test/add.test.mjs::adds',
      'test/add.test.mjs::adds negatives',
      'test/subtract.test.mjs::subtracts',
    ]);
    expect(events.map((event) => (event.type === 'verify.check' ? event.name : event.type))).toEqual(
      verdict.checks.map((check) => check.name),
    );
  });

  test('runs the whole suite once, and every other run is of the feature file alone', async () => {
    await baselineOf(await bench.tree(BASE));
    const runs: [string, string[]][] = [];
    await verdictOf({ work: {}, patch: { observe: (purpose, run) => runs.push([purpose, run.files]) } });
    expect(runs[0]).toEqual(['suite', []]);
    expect(runs.slice(1).map(([, files]) => files)).toEqual(runs.slice(1).map(() => [expect.stringMatching(/^test\/subtract/)]));
  });

  test('may add tests to a file that already counted', async () => {
    const more = `${ADD_TEST}test('adds zero', () => {\n  assert.equal(add(1, 0), 1);\n});\n`;
    const verdict = await verdictOf({ work: { 'test/add.test.mjs': more } });
    expect(summary(verdict)).toEqual(['accepted']);
    expect(verdict.passing_tests).toContain('test/add.test.mjs::adds zero');
  });

  test('may share its test file with an accepted feature', async () => {
    const feature = { ...FEATURES[1]!, test_file: 'test/add.test.mjs' };
    const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [FEATURES[0], { ...feature, passes }] });
    const shared =
      ADD_TEST.replace("from '../src/add.mjs';", "from '../src/add.mjs';\nimport { subtract } from '../src/subtract.mjs';") +
      "test('subtracts', () => {\n  assert.equal(subtract(3, 2), 1);\n});\n";
    const verdict = await verdictOf({
      base: { ...BASE, 'features.json': list(false) },
      honest: false,
      work: { 'src/subtract.mjs': SUBTRACT['src/subtract.mjs']!, 'test/add.test.mjs': shared, 'features.json': list(true) },
      patch: { feature },
    });
    expect(summary(verdict)).toEqual(['accepted']);
    expect(verdict.red_to_green).toEqual(['test/add.test.mjs::subtracts']);
  });

  test('may fill in a stub that was committed for the feature', async () => {
    const stub =
      "import test from 'node:test'; import assert from 'node:assert/strict';\ntest('subtracts', () => assert.fail('not written yet'));\n";
    expect(summary(await verdictOf({ base: { ...BASE, 'test/subtract.test.mjs': stub }, work: {} }))).toEqual(['accepted']);
  });

  test('may live with a failure that the baseline already had', async () => {
    const base = { ...BASE, 'test/old.test.mjs': "import test from 'node:test'; test('broken', () => { throw new Error('old'); });" };
    expect(summary(await verdictOf({ base, work: {} }))).toEqual(['accepted']);
  });

  test('may change fields of package.json that no tool acts on', async () => {
    expect(
      summary(
        await verdictOf({
          work: {
            'package.json': '{"name":"calculator","description":"sums","scripts":{"test":"node --test","start":"node src/add.mjs"}}',
          },
        }),
      ),
    ).toEqual(['accepted']);
  });

  test('is asked about when it moves an accepted test', async () => {
    expect(summary(await verdictOf({ work: { 'test/add.test.mjs': null, 'test/sum.test.mjs': ADD_TEST } }))).toEqual([
      'needs_human',
      'tamper.tests',
    ]);
  });

  test('is asked about when it corrects an accepted test together with the code', async () => {
    const verdict = await verdictOf({
      work: {
        'src/add.mjs': 'export const add = (a, b) => a + b + 0.5;\n',
        'test/add.test.mjs': ADD_TEST.replace(', 3)', ', 3.5)').replace(', -1)', ', -0.5)'),
      },
    });
    expect(summary(verdict)).toEqual(['needs_human', 'tamper.tests', 'regression']);
  });

  test('is asked about when its tests need new configuration of the runner', async () => {
    const base = { ...BASE, 'package.json': '{"name":"calculator","scripts":{"test":"node --test"}}' };
    const verdict = await verdictOf({
      base,
      work: { 'package.json': '{"name":"calculator","scripts":{"test":"node --test --no-warnings"}}' },
    });
    expect(summary(verdict)).toEqual(['needs_human', 'tamper.test_config']);
  });

  test('waits for a person where the feature says so', async () => {
    const feature: Feature = { ...FEATURES[1]!, verification_type: 'hybrid', manual_checks: ['looks right'] };
    expect(summary(await verdictOf({ work: {}, patch: { feature } }))).toEqual(['needs_human', 'manual.confirmation']);
  });
});

describe('work that is not accepted', () => {
  const test2 = 'test/subtract.test.mjs';
  const cases: [string, Case, string[]][] = [
    ['no implementation', { work: { 'src/subtract.mjs': 'export const subtract = () => 7;\n' } }, ['rejected', 'test.failed']],
    ['no test file', { work: { [test2]: null } }, ['rejected', 'test.none_ran']],
    ['a test file without tests', { work: { [test2]: 'export {};\n' } }, ['rejected', 'test.none_ran']],
    [
      'a test file that exits early',
      { work: { [test2]: "import test from 'node:test'; test('x', () => {}); process.exit(0);" } },
      ['rejected', 'test.none_ran'],
    ],
    [
      'tests that are all skipped',
      { work: { [test2]: "import test from 'node:test'; test('x', { skip: true }, () => {}); test.todo('y');" } },
      ['rejected', 'test.skipped'],
    ],
    [
      'a test that proves nothing',
      { work: { [test2]: "import test from 'node:test'; test('x', () => {});" } },
      ['rejected', 'test.not_red'],
    ],
    ['a broken accepted feature', { work: { 'src/add.mjs': 'export const add = () => 3;\n' } }, ['rejected', 'regression']],
    ['a deleted accepted test', { work: { 'test/add.test.mjs': null } }, ['rejected', 'tamper.tests']],
    [
      'an accepted test that is skipped',
      { work: { 'test/add.test.mjs': ADD_TEST.replace("test('adds',", "test.skip('adds',") } },
      ['rejected', 'regression'],
    ],
    [
      'a weakened accepted test',
      { work: { 'test/add.test.mjs': ADD_TEST.replace('assert.equal(add(1, 2), 3)', 'assert.ok(add)') } },
      ['needs_human', 'tamper.tests'],
    ],
    [
      'a hollowed accepted test',
      { work: { 'test/add.test.mjs': ADD_TEST.replace('  assert.equal(add(1, 2), 3);', '  return;\n  assert.equal(add(1, 2), 3);') } },
      ['needs_human', 'tamper.tests'],
    ],
    [
      'a test script that swallows failures',
      {
        work: {
          'src/add.mjs': 'export const add = () => 3;\n',
          'package.json': '{"name":"calculator","scripts":{"test":"node --test || true"}}',
        },
      },
      ['rejected', 'regression', 'tamper.test_config'],
    ],
    ['new runner configuration', { work: { 'vitest.config.js': 'export default {};' } }, ['needs_human', 'tamper.test_config']],
    ['an edited .harness.yaml', { work: { '.harness.yaml': 'verification: {}' } }, ['needs_human', 'tamper.harness_state']],
    ['written harness state', { work: { '.harness/test_baseline.json': '{}' } }, ['rejected', 'tamper.harness_state']],
    ['a planted hook', { work: { '.husky/pre-commit': 'true' } }, ['needs_human', 'tamper.hooks']],
    ['a planted package', { work: { 'node_modules/assert/index.js': '' } }, ['needs_human', 'tamper.toolchain']],
    ['a linked test file', { work: { 'test/add.test.mjs': '-> subtract.test.mjs' } }, ['rejected', 'tamper.symlink']],
    ['two claims', { work: { 'features.json': listWith(1, 2, 3) } }, ['rejected', 'claim.multiple']],
    ['another claim', { work: { 'features.json': listWith(1, 3) } }, ['rejected', 'claim.wrong_feature']],
    ['no claim', { work: { 'features.json': listWith(1) } }, ['rejected', 'claim.none']],
    ['no evidence', { work: {}, patch: { evidence: null } }, ['rejected', 'claim.no_evidence']],
    ['a link out of the project', { work: { x: '-> /etc' } }, ['rejected', 'tamper.symlink']],
    [
      'verification that is off',
      { work: {}, settings: { verification: { harness_verify: false } } },
      ['needs_human', 'verification.disabled'],
    ],
    [
      'a regression check that is off',
      { work: {}, settings: { verification: { regression_check: false } } },
      ['needs_human', 'verification.disabled'],
    ],
  ];
  test.each(cases)('%s', async (_title, one, expected) => {
    const patch =
      one.patch?.candidate === undefined
        ? one.patch
        : { ...one.patch, candidate: { ...one.patch.candidate, tree: await bench.tree({ ...BASE, ...SUBTRACT }) } };
    expect(summary(await verdictOf({ ...one, patch }))).toEqual(expected);
  });

  test('a rewritten test of the assigned feature whose earlier version fails goes to a person', async () => {
    const base = { ...BASE, [test2]: SUBTRACT[test2]! };
    const work = {
      'src/subtract.mjs': 'export const subtract = () => 4;\n',
      [test2]: SUBTRACT[test2]!.replace('(3, 2), 1)', '(3, 2), 4)'),
    };
    expect(summary(await verdictOf({ base, work }))).toEqual(['needs_human', 'tamper.tests']);
  });

  test('an expectation of its own file that changed with the code is shown to a person, from what to what, and not refused', async () => {
    const feature = { ...FEATURES[1]!, test_file: 'test/add.test.mjs' };
    const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [FEATURES[0], { ...feature, passes }] });
    const verdict = await verdictOf({
      base: { ...BASE, 'features.json': list(false) },
      honest: false,
      work: {
        'src/add.mjs': 'export const add = (a, b) => a + b + 0.5;\n',
        'test/add.test.mjs': `${ADD_TEST.replace(', 3)', ', 3.5)').replace(', -1)', ', -0.5)')}test('halves', () => {\n  assert.equal(add(0, 0), 0.5);\n});\n`,
        'features.json': list(true),
      },
      patch: { feature },
    });
    expect(summary(verdict)).toEqual(['needs_human', 'tamper.tests']);
    expect(verdict.findings[0]!.subjects).toContain(
      'test/add.test.mjs::adds: was “assert.equal(add(1, 2), 3)”, now “assert.equal(add(1, 2), 3.5)”',
    );
  });

  test('a test that was rewritten where old code cannot even load its file was red there: a person is asked, and nothing is refused', async () => {
    const feature = { ...FEATURES[1]!, test_file: 'test/add.test.mjs' };
    const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [FEATURES[0], { ...feature, passes }] });
    const rewritten = ADD_TEST.replace('{ add }', '{ add, half }').replace('(1, 2), 3)', '(1, half(4)), 3.5)');
    const verdict = await verdictOf({
      base: { ...BASE, 'features.json': list(false) },
      honest: false,
      work: {
        'src/add.mjs': 'export const half = (a) => a / 2;\nexport const add = (a, b) => (b < 0 ? a + b : a + b + 0.5);\n',
        'test/add.test.mjs': rewritten,
        'features.json': list(true),
      },
      patch: { feature },
    });
    expect(summary(verdict)).toEqual(['needs_human', 'tamper.tests']);
  });

  test('feedback names what is missing and accuses nobody', async () => {
    const verdict = await verdictOf({ work: { 'src/subtract.mjs': 'export const subtract = () => 7;\n' } });
    expect(feedbackFor(verdict)).toMatch(/could not be verified[\s\S]*clean checkout[\s\S]*subtracts/);
    expect([feedbackFor(verdict), ...describeVerdict(verdict)].join('\n')).not.toMatch(/cheat|tamper|lie|fake|dishonest/i);
  });

  test('what failed and what broke is shown with its whole assertion, to people and to the agent alike', async () => {
    const verdict = await verdictOf({
      work: {
        'src/add.mjs': 'export const add = () => 3;\n',
        'src/subtract.mjs': 'export const subtract = () => 7;\n',
        [test2]: `${SUBTRACT[test2]!}test('with words', () => assert.equal(subtract(3, 2), 1, 'three less two is one'));\n`,
      },
    });
    for (const text of [describeVerdict(verdict).join('\n'), feedbackFor(verdict)]) {
      expect(text).toContain('2 of 2 tests of test/subtract.test.mjs failed');
      expect(text).toMatch(
        /::subtracts \(failed\)\n +AssertionError: Expected values to be strictly equal:\n +7 !== 1\n +at test\/subtract\.test\.mjs:2:/,
      );
      expect(text).toMatch(/three less two is one\n[\s\S]*expected: 1\n +actual: 7/);
      expect(text).toMatch(
        /1 test that passed on base no longer passes\.\n +test\/add\.test\.mjs::adds negatives \(failed\)\n.*strictly equal:\n +3 !== -1/,
      );
    }
  });

  test('a test that passes without the work is named', async () => {
    const hollow = "import test from 'node:test'; test('subtracts at last', () => {});";
    const verdict = await verdictOf({ work: { [test2]: hollow } });
    expect(verdict.reasons).toEqual(['test.not_red']);
    expect(feedbackFor(verdict)).toMatch(/test\/subtract\.test\.mjs::subtracts at last[\s\S]*also pass without your work/);
  });
});

test('a test that is unsteady on base is noted, and one that became unsteady needs review', async () => {
  const base = { ...BASE, 'test/flaky.test.mjs': "import test from 'node:test';\ntest('flaky', () => {});\n" };
  const tree = await bench.tree(base);
  const baseline = await baselineOf(tree);
  /** The test fails in the first run in each of these rooms. */
  const failingIn = (...names: string[]): CleanRooms => {
    const left = new Set(names);
    return {
      prepare: async (wanted, options) => {
        const room = await bench.rooms.prepare(wanted, options);
        if (left.delete(options.name))
          await bench.platform.files.write(
            `${room.path}/test/flaky.test.mjs`,
            "import test from 'node:test';\ntest('flaky', () => { throw new Error('once'); });\n",
          );
        return room;
      },
    };
  };
  // New tests run in the room of base too, before anything is repeated.
  const network = { verification: { network: 'host' } } as const;
  const became = await verdictOf({ base, work: {}, settings: network, patch: { baseline, rooms: failingIn('judge') } });
  expect(summary(became)).toEqual(['needs_human', 'test.flaky']);
  expect(became.findings).toMatchObject([{ check: 'regression', weight: 'ask', subjects: ['test/flaky.test.mjs::flaky'] }]);
  const was = await verdictOf({ base, work: {}, settings: network, patch: { baseline, rooms: failingIn('judge', 'base') } });
  expect([summary(was), was.findings]).toEqual([['accepted'], []]);
  expect(was.checks.find((check) => check.name === 'regression')!.detail).toContain('because it is flaky on base');
});

describe('a project whose runner is not known', () => {
  const base: FileTable = {
    'run-tests.sh': 'for f in tests/*.sh; do sh "$f" || exit 1; done\n',
    'tests/old.sh': 'test "$(sh add.sh 1 2)" = 3\n',
    'add.sh': 'echo $(($1 + $2))\n',
    'features.json': listWith(1).replaceAll('test/add.test.mjs', 'tests/old.sh').replaceAll('test/subtract.test.mjs', 'tests/new.sh'),
  };
  const work = {
    'tests/new.sh': 'test "$(sh subtract.sh 3 2)" = 1\n',
    'subtract.sh': 'echo $(($1 - $2))\n',
    'features.json': base['features.json']!.replace('"passes": false', '"passes": true'),
  };
  const settings: SettingsPatch = { testing: { full: 'sh run-tests.sh' } };
  const patch = { feature: { ...FEATURES[1]!, test_file: 'tests/new.sh' } };

  test('is judged by the exit status of the whole suite, and the verdict says so', async () => {
    const verdict = await verdictOf({ base, honest: false, work, settings, patch });
    expect(summary(verdict)).toEqual(['accepted']);
    expect(verdict.red_to_green).toEqual(['(suite)::suite']);
    expect(verdict.caveats.join()).toContain('exit-code');
  });

  test('a cleanup session is held to tests of accepted features, and asked about where they cannot fail', async () => {
    const cleanup = { mode: 'cleanup', feature: null, evidence: null } as const;
    const tidy = { 'add.sh': '# adds\necho $(($1 + $2))\n' };
    const verdict = (command: string): Promise<Verdict> =>
      verdictOf({ base: { ...base, 'run-tests.sh': command }, honest: false, work: tidy, settings, patch: cleanup });
    expect(summary(await verdict(base['run-tests.sh']!))).toEqual(['accepted']);
    expect(summary(await verdict('for f in tests/*.sh; do sh "$f"; done; true\n'))).toEqual(['needs_human', 'test.none_ran']);
  });

  test('a command that does not tell that the feature’s test cannot pass proves nothing', async () => {
    const deaf = { ...base, 'run-tests.sh': 'for f in tests/*.sh; do sh "$f"; done; test -e subtract.sh\n' };
    expect(summary(await verdictOf({ base: deaf, honest: false, work, settings, patch }))).toEqual([
      'rejected',
      'test.not_red',
      'test.none_ran',
    ]);
  });

  test('assertions that cannot fail any more are found by changed expectations', async () => {
    const script: FileTable = {
      ...base,
      'run-tests.sh': 'for f in tests/*.sh; do sh "$f" || exit 1; done; for f in tests/*.cjs; do node "$f" || exit 1; done\n',
    };
    const asked = { feature: { ...FEATURES[1]!, test_file: 'tests/new.cjs' } };
    const list = { 'features.json': work['features.json'].replaceAll('tests/new.sh', 'tests/new.cjs') };
    const before = {
      ...script,
      'features.json': script['features.json']!.replaceAll('tests/new.sh', 'tests/new.cjs'),
      'tests/none.cjs': '',
    };
    const text =
      "const assert = require('assert');\nconst { subtract } = require('../subtract.cjs');\nit('x', () => assert.equal(subtract(3, 2), 1));\nfunction it(_name, run) { run(); }\n";
    const honest = { ...list, 'tests/new.cjs': text, 'subtract.cjs': 'exports.subtract = (a, b) => a - b;\n' };
    expect(summary(await verdictOf({ base: before, honest: false, work: honest, settings, patch: asked }))).toEqual(['accepted']);
    const patched = "const assert = require('assert');\nassert.equal = () => {};\nexports.subtract = () => 7;\n";
    const verdict = await verdictOf({ base: before, honest: false, work: { ...honest, 'subtract.cjs': patched }, settings, patch: asked });
    expect(verdict.decision).toBe('rejected');
  });

  test('is refused where the suite fails, and where it passed without the feature', async () => {
    expect(summary(await verdictOf({ base, honest: false, work: { ...work, 'subtract.sh': 'echo 9\n' }, settings, patch }))).toEqual([
      'rejected',
      'test.failed',
      'regression',
    ]);
    expect(summary(await verdictOf({ base, honest: false, work: { ...work, 'tests/new.sh': 'true\n' }, settings, patch }))).toEqual([
      'rejected',
      'test.not_red',
    ]);
  });

  test('keeps the script that the test command names', async () => {
    expect(summary(await verdictOf({ base, honest: false, work: { ...work, 'run-tests.sh': 'exit 0\n' }, settings, patch }))).toEqual([
      'needs_human',
      'tamper.test_config',
    ]);
  });
});

describe('a cleanup session', () => {
  const cleanup = { mode: 'cleanup', feature: null, evidence: null } as const;
  test('is accepted when nothing regressed', async () => {
    expect(
      summary(
        await verdictOf({ honest: false, work: { 'src/add.mjs': 'export function add(a, b) {\n  return a + b;\n}\n' }, patch: cleanup }),
      ),
    ).toEqual(['accepted']);
  });

  test('is refused when it claims a feature or breaks one', async () => {
    expect(summary(await verdictOf({ work: {}, patch: cleanup }))).toEqual(['rejected', 'claim.wrong_feature']);
    expect(summary(await verdictOf({ honest: false, work: { 'src/add.mjs': 'export const add = () => 3;\n' }, patch: cleanup }))).toEqual([
      'rejected',
      'regression',
    ]);
  });
});

test('lint that fails is a warning in an accepted verdict', async () => {
  const verdict = await verdictOf({ work: {}, settings: { quality: { lint_command: 'echo "src/add.mjs: 2 problems"; exit 1' } } });
  expect(summary(verdict)).toEqual(['accepted']);
  expect(verdict.findings).toMatchObject([{ check: 'quality', weight: 'warn', subjects: ['src/add.mjs: 2 problems'] }]);
});

describe('each check earns its place: switched off, what it catches gets through', () => {
  const rewritten: Case = {
    base: { ...BASE, 'test/subtract.test.mjs': SUBTRACT['test/subtract.test.mjs']! },
    work: {
      'src/subtract.mjs': 'export const subtract = () => 4;\n',
      'test/subtract.test.mjs': SUBTRACT['test/subtract.test.mjs']!.replace('(3, 2), 1)', '(3, 2), 4)'),
    },
  };
  const cases: [CheckName, Case][] = [
    ['feature-test', { work: { 'src/subtract.mjs': 'export const subtract = () => 7;\n' } }],
    ['old-contract', rewritten],
    ['claim', { work: { 'features.json': listWith(1, 2, 3) } }],
    ['evidence', { work: {}, patch: { evidence: null } }],
    ['protected', { work: { 'test/add.test.mjs': ADD_TEST.replace('assert.equal(add(1, 2), 3)', 'assert.ok(add)') } }],
    ['regression', { work: { 'src/add.mjs': 'export const add = () => 3;\n' } }],
    ['red', { work: { 'test/subtract.test.mjs': "import test from 'node:test'; test('x', () => {});" } }],
    ['people', { work: {}, patch: { feature: { ...FEATURES[1]!, verification_type: 'manual' } } }],
  ];
  test.each(isLong ? cases : cases.filter(([name]) => ['old-contract', 'protected', 'red'].includes(name)))('%s', async (name, one) => {
    expect((await verdictOf(one)).decision).not.toBe('accepted');
    expect((await verdictOf({ ...one, patch: { ...one.patch, disabledChecks: new Set([name]) } })).decision).toBe('accepted');
  });
});

test('with and without the cache the verdict is the same', async () => {
  const cache = fileCache(bench.platform, `${bench.folder}/judge-cache`);
  const works: Case['work'][] = [{}, { 'src/add.mjs': 'export const add = () => 3;\n' }];
  for (const work of works) {
    const verdicts = [await verdictOf({ work, patch: { cache } }), await verdictOf({ work, patch: { cache } }), await verdictOf({ work })];
    expect(new Set(verdicts.map((verdict) => JSON.stringify([summary(verdict), verdict.passing_tests, verdict.red_to_green]))).size).toBe(
      1,
    );
  }
});

test('what a verdict rests on is handed back with it: plan, runs, differences and the ledger', async () => {
  const [baseTree, tree] = [await bench.tree(BASE), await bench.tree({ ...BASE, ...SUBTRACT })];
  const { verdict, record, ledger } = await judgeOnRecord(bench.platform, {
    ...bench.context(),
    session: 5,
    mode: 'feature',
    feature: FEATURES[1]!,
    base: { commit: 'c'.repeat(40), tree: baseTree },
    candidate: { tree, findings: [] },
    features: { trusted: BASE['features.json']!, candidate: SUBTRACT['features.json']! },
    evidence: { mentionsTestFile: true, passingSummary: 'node:test', endedFailing: false, shown: true },
    baseline: await baselineOf(baseTree),
    ledger: null,
  });
  expect(verdict.decision).toBe('accepted');
  expect(record.plan).toMatchObject({
    feature: 2,
    candidate_tree: tree,
    judged_tree: tree,
    baseline_tests: 2,
    test_file: 'test/subtract.test.mjs',
  });
  expect([...new Set(record.runs.map((run) => run.name))].toSorted()).toEqual([
    'controls',
    'neutral',
    'new tests',
    'red',
    'repeat',
    'suite',
    'wrong',
  ]);
  expect(record.runs.every((run) => run.command.length > 0 && run.tests.length > 0)).toBe(true);
  expect(record.differences.map((one) => [one.path, one.status, one.replaced])).toEqual([
    ['features.json', 'modified', false],
    ['src/subtract.mjs', 'added', false],
    ['test/subtract.test.mjs', 'added', false],
  ]);
  expect(Object.keys(ledger.tests)).toEqual(verdict.passing_tests.toSorted());
  expect(ledger.tests['test/subtract.test.mjs::subtracts']).toMatchObject({ first_seen: 5, passing: true, body: expect.any(String) });
});

test('a test of a shared file that was renamed with the same body is the same test', async () => {
  const feature = { ...FEATURES[1]!, test_file: 'test/add.test.mjs' };
  const list = (passes: boolean): string => JSON.stringify({ project: 'p', features: [FEATURES[0], { ...feature, passes }] });
  const renamed =
    ADD_TEST.replace("test('adds negatives'", "test('adds a negative number'").replace(
      "from '../src/add.mjs';",
      "from '../src/add.mjs';\nimport { subtract } from '../src/subtract.mjs';",
    ) + "test('subtracts', () => {\n  assert.equal(subtract(3, 2), 1);\n});\n";
  const verdict = await verdictOf({
    base: { ...BASE, 'features.json': list(false) },
    honest: false,
    work: { 'src/subtract.mjs': SUBTRACT['src/subtract.mjs']!, 'test/add.test.mjs': renamed, 'features.json': list(true) },
    patch: { feature },
  });
  expect(summary(verdict)).toEqual(['needs_human', 'tamper.tests']);
  expect(verdict.checks.find((check) => check.name === 'regression')).toMatchObject({
    state: 'passed',
    detail: '2 of 2 still pass, 1 of them under another name',
  });
});

test('an aborted judgement gives no verdict', async () => {
  const controller = new AbortController();
  controller.abort(new Error('stopped by the user'));
  await expect(verdictOf({ work: {}, patch: { baseline: null, signal: controller.signal } })).rejects.toThrow('stopped by the user');
});
