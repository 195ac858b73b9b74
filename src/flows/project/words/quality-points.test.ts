import { expect, test } from 'vitest';
import { qualityPoints, splitHint } from './quality-points.ts';

test('a cleanup session is told large and growing files, lint by rule with its total, and which feature comes next, each with its severity', () => {
  const files = {
    'src/api/routes.py': { lines: 523, session_added: 1, lines_at_start: 500 },
    'src/grows.py': { lines: 400, session_added: 5, lines_at_start: 10 },
    'src/small.py': { lines: 80, session_added: 1, lines_at_start: 80 },
  };
  const found = {
    count: { errors: 2, warnings: 10 },
    rules: [
      { rule: 'F401', count: 3 },
      { rule: 'W0611', count: 2 },
      { rule: 'E501', count: 4 },
      { rule: 'XYZS', count: 1 },
      { rule: 'no-console', count: 1 },
    ],
  };
  const points = qualityPoints({
    sizes: { session: 7, files },
    limit: 500,
    texts: new Map([['src/api/routes.py', "@app.get('/a')\n@app.post('/a')\n@app.get('/b')\n"]]),
    next: { id: 21, description: 'A user exports' },
    lint: { command: 'ruff check', found },
  });
  expect(points.slice(0, 4)).toEqual([
    'Before work on feature #21 (A user exports) begins:',
    '- warning: src/api/routes.py: 523 lines (limit 500): 3 routes: split it by resource',
    '- info: src/grows.py: grew by 390 lines in 2 sessions',
    '- error: `ruff check` reports 2 errors, 10 warnings: fix them; 12 in all: 5 unused imports, 4 lines too long, 1 XYZS, 1 leftover print, 1 of other kinds',
  ]);
  expect(points.slice(4).every((point) => point.startsWith('- info: '))).toBe(true);
});

test('a linter that was not run is named, and one that finds nothing is no point', () => {
  const base = { sizes: null, limit: 500, texts: new Map(), next: null };
  expect(qualityPoints({ ...base, lint: { command: 'ruff check', found: null } })[0]).toBe(
    '- warning: run `ruff check` and fix what it reports',
  );
  expect(qualityPoints({ ...base, lint: null })).toHaveLength(2);
});

test.each([
  ['src/api/users.py', null, 'split it by resource'],
  ['src/services/user.py', '', 'move related functions to separate files'],
  ['tests/test_user.py', null, 'split it by what is tested'],
  ['src/main.py', 'x = 1\n', 'split it by responsibility'],
  ['src/main.py', 'class A:\n  pass\nclass B:\n  pass\n', '2 classes: give each its own file'],
  ['src/all.js', "it('a');\nit('b');\ntest('c');\n", '3 tests: split it by what is tested'],
  ['src/all.js', 'export const f = (a) => a;\n'.repeat(6), '6 functions: move related functions to separate files'],
])('%s, which holds %j, has a hint of its own', (path, text, hint) => {
  expect(splitHint(path, text)).toBe(hint);
});
