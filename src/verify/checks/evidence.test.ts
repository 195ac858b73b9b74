import { describe, expect, test } from 'vitest';
import { createEvidenceCollector, showsFeatureRun } from './evidence.ts';

const FILE = 'tests/e2e/profile.test.js';

function resultOf(...texts: string[]): ReturnType<ReturnType<typeof createEvidenceCollector>['result']> {
  const collector = createEvidenceCollector([FILE]);
  for (const text of texts) collector.add(text);
  return collector.result();
}

describe('passing summaries', () => {
  const summaries: Record<string, string> = {
    'node:test': '# tests 3\n# pass 3\n# fail 0',
    'node:test on a terminal': 'ℹ tests 3\nℹ pass 3\nℹ fail 0',
    vitest: ' Test Files  1 passed (1)\n      Tests  4 passed (4)',
    'vitest with a skip': '      Tests  1 skipped | 4 passed (5)',
    'vitest in colour': '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m4 passed\u001b[39m\u001b[22m\u001b[90m (4)\u001b[39m',
    jest: 'Tests:       1 skipped, 3 passed, 4 total',
    pytest: '==================== 4 passed, 1 warning in 2.34s ====================',
    'pytest -q': '4 passed in 0.02s',
    mocha: '  12 passing (30ms)',
    go: 'ok  \texample.com/app\t0.004s',
    cargo: 'test result: ok. 3 passed; 0 failed; 0 ignored',
    unittest: 'Ran 3 tests in 0.001s\n\nOK',
    tap: 'TAP version 13\nok 1 - a\nok 2 - b\n1..2',
  };
  test.each(Object.entries(summaries))('of %s are known', (_name, summary) => {
    expect(resultOf(`$ run ${FILE}`, summary).shown).toBe(true);
  });
});

describe('what is no evidence', () => {
  const hollow: Record<string, string> = {
    'words alone': `All tests in ${FILE} are passing now, everything works.`,
    'a run without tests': `${FILE}\n# tests 0\n# pass 0\n# fail 0`,
    'a failing vitest run': `${FILE}\n      Tests  1 failed | 3 passed (4)`,
    'a failing jest run': `${FILE}\nTests:       1 failed, 3 passed, 4 total`,
    'a failing pytest run': `${FILE}\n=== 1 failed, 3 passed in 1.2s ===`,
    'a passing run of something else': 'tests/other.test.js\n# pass 3\n# fail 0',
  };
  test.each(Object.entries(hollow))('%s', (_name, text) => {
    expect(resultOf(text).shown).toBe(false);
  });
});

test('a file named in a command counts for a summary that comes later', () => {
  expect(resultOf(JSON.stringify({ command: `node --test ${FILE}` }), 'thinking', '# pass 1').shown).toBe(true);
});

test('a failing run after the passing one is noted', () => {
  expect(resultOf(FILE, '# pass 2', '# fail 1')).toMatchObject({ shown: true, endedFailing: true });
});

test('floods of blank lines and endless lines are read to their end', () => {
  expect(resultOf('\n'.repeat(2_000_000), '='.repeat(4_000_000), '1 '.repeat(1_000_000)).shown).toBe(false);
});

test('a feature without a test file needs a summary only', () => {
  const collector = createEvidenceCollector([]);
  collector.add('# pass 1');
  expect(collector.result().shown).toBe(true);
});

describe('a run without the path of the test file', () => {
  const text = "test('adds two numbers', () => {});\n";
  const shows = (...texts: string[]): boolean => showsFeatureRun(resultOf(...texts), text);

  test('shows itself by the names of the tests that passed', () => {
    expect(shows('TAP version 13\n# Subtest: adds two numbers\nok 1 - adds two numbers\n1..1\n# pass 1\n# fail 0')).toBe(true);
    expect(shows('✔ adds two numbers (0.9ms)\nℹ pass 1')).toBe(true);
    expect(shows('TAP version 13\n# adds two numbers\nok 1 should be strictly equal\n\n1..1\n# tests 1\n# pass  1\n\n# ok')).toBe(true);
  });

  test('of other tests is none', () => {
    expect(shows('ok 1 - subtracts two numbers\n# pass 1')).toBe(false);
    expect(shows('ok 1 - adds two\n# pass 1')).toBe(false);
    expect(shows('TAP version 13\n# subtracts\nok 1 should be strictly equal\n\n1..1\n# tests 1\n# pass  1\n\n# ok')).toBe(false);
  });

  test('is taken as it is when the runner names nothing', () => {
    expect(shows('..    [100%]\n2 passed in 0.02s')).toBe(true);
    expect(shows('.\nRan 1 test in 0.001s\n\nOK')).toBe(true);
    expect(shows('Started\n..\n\n2 specs, 0 failures\nFinished in 0.01 seconds')).toBe(true);
    expect(shows('2 passed in 0.02s')).toBe(false);
  });

  test('needs a passing summary', () => {
    expect(shows('ok 1 - adds two numbers')).toBe(false);
    expect(shows('ok 1 - adds two numbers\n# pass 0')).toBe(false);
  });
});
