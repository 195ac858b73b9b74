import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scopeFilter } from '../../../kernel/ground/scope.ts';
import { checkLimits, checkMarkers, newMarkers } from './check.ts';
import { namedPaths } from './patch.ts';
import { failingItems, readVerdict } from './qa-verdict.ts';

describe('the limits of a task', () => {
  const changes = (...paths: string[]) => paths.map((path) => ({ path }));
  const limits = (maxFiles: number, scope: string) => ({ maxFiles, scope, inScope: scopeFilter(scope) });

  test('as many files as are allowed pass, one more is named', () => {
    expect(checkLimits(changes('a', 'b'), limits(2, '(no limit)'))).toMatchObject({ state: 'passed' });
    expect(checkLimits(changes('a', 'b', 'c'), limits(2, '(no limit)'))).toMatchObject({ state: 'failed', items: ['a', 'b', 'c'] });
  });

  test('a file outside of the scope is named', () => {
    expect(checkLimits(changes('src/a.ts', 'README.md'), limits(20, 'src/**'))).toMatchObject({ state: 'failed', items: ['README.md'] });
  });
});

describe('marks of unfinished work', () => {
  test('only new ones count, with their line', () => {
    const before = 'a\n// TODO old\n';
    expect(newMarkers('x.ts', before, 'a\n  // TODO old\nb // FIXME new\n')).toEqual([{ path: 'x.ts', line: 3, text: 'b // FIXME new' }]);
    expect(newMarkers('x.ts', before, '// TODO old\n// TODO old\n')).toHaveLength(1);
    expect(newMarkers('x.ts', null, 'todos are fine, METODO too\n')).toEqual([]);
  });

  test('they are told, and block only where the session says so', () => {
    const marker = { path: 'x.ts', line: 3, text: 'TODO' };
    expect(checkMarkers([marker], false).state).toBe('warned');
    expect(checkMarkers([marker], true)).toMatchObject({ state: 'failed', items: ['x.ts:3: TODO'] });
    expect(checkMarkers([], true).state).toBe('passed');
  });
});

describe('the verdict of an evaluation', () => {
  const report = (verdict: string): string => `# QA\n\n### Verdict: ${verdict}\n`;

  test.each([
    ['PASS — all good', report('PASS'), 'PASS', 'none'],
    ['FAIL L2 — stub', report('FAIL'), 'FAIL L2', 'none'],
    ['FAIL L3 — edge case', report('FAIL'), 'FAIL L3', 'none'],
    ['FAIL — no layer', report('FAIL'), 'FAIL L3', 'none'],
    [null, report('PASS'), 'PASS', 'none'],
    ['no idea', report('FAIL'), 'FAIL L3', 'none'],
    ['PASS — all good', report('FAIL'), 'FAIL L3', 'contradiction'],
    ['FAIL L2 — stub', report('PASS'), 'FAIL L2', 'contradiction'],
    ['PASS — all good', '# QA without a verdict\n', 'FAIL L3', 'no-verdict'],
    [null, '', 'FAIL L3', 'no-verdict'],
  ] as const)('line %j with report %j is %s', (line, text, verdict, doubt) => {
    expect(readVerdict(line, text)).toEqual({ verdict, doubt });
  });

  test('the last verdict line counts, and a quoted one in a sentence does not', () => {
    expect(readVerdict(null, `${report('FAIL')}text\n${report('PASS')}`).verdict).toBe('PASS');
    expect(readVerdict(null, 'The line "### Verdict: PASS" is missing.\n').verdict).toBe('FAIL L3');
  });

  test('failing items come from the fix instructions, else from the failed lines', () => {
    expect(failingItems('## Layer 2\n- FAIL: a stub\n### Fix Instructions\n1. finish it\n2. test it\n\n### Verdict: FAIL\n')).toEqual([
      '1. finish it',
      '2. test it',
    ]);
    expect(failingItems('- PASS: x\n- FAIL: a stub\n### Verdict: FAIL\n')).toEqual(['- FAIL: a stub']);
  });
});

describe('paths that a report names', () => {
  const tree = new Set(['src/add.js', 'src/b.ts', 'test/add.test.js', 'a.py', 'b.py', 'c.py', 'd.py']);

  test('files of the tree are found in all the ways tools name them', () => {
    const report = 'FAIL test/add.test.js > adds\n  at src/add.js:12:5\n  (src/b.ts:3)\n  "a.py", b.py.\n';
    expect(namedPaths(report, tree).valid).toEqual(['test/add.test.js', 'src/add.js', 'src/b.ts', 'a.py', 'b.py']);
  });

  test('no more than five are taken, and what is not allowed is named', () => {
    const report = 'a.py b.py c.py d.py src/add.js src/b.ts ../../etc/passwd.txt /abs/file.js .harness/state.json gone.py';
    expect(namedPaths(report, tree)).toEqual({
      valid: ['a.py', 'b.py', 'c.py', 'd.py', 'src/add.js'],
      refused: ['../../etc/passwd.txt', '/abs/file.js', '.harness/state.json'],
    });
  });

  test('no report makes a path outside of the tree valid', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => namedPaths(text, tree).valid.every((path) => tree.has(path))));
  });
});
