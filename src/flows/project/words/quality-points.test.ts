import { expect, test } from 'vitest';
import { qualityPoints, splitHint } from './quality-points.ts';

test('a cleanup session is told large and growing files, lint by rule with its total, and which feature comes next, each with its severity', () => {
  const files = {
    'src/api/routes.py': { lines: 523, session_added: 1, lines_at_start: 500 },
    'src/grows.py': { lines: 400, session_added: 5, lines_at_start: 10 },
    'src/small.py': { lines: 80, session_added: 1, lines_at_start: 80 },
  };
  const found = { count: { errors: 2, warnings: 10 }, rules: [{ rule: 'F401', count: 8 }] };
  const points = qualityPoints({
    sizes: { session: 7, files },
    limit: 500,
    next: { id: 21, description: 'A user exports' },
    lint: { command: 'ruff check', found },
  });
  expect(points.slice(0, 5)).toEqual([
    'Before work on feature #21 (A user exports) begins:',
    '- warning: src/api/routes.py: 523 lines (limit 500): split it by resource',
    '- info: src/grows.py: grew by 390 lines in 2 sessions',
    '- error: `ruff check` reports 2 errors, 10 warnings: fix them, by rule:',
    '    F401: 8',
  ]);
  expect(points.slice(5).every((point) => point.startsWith('- info: '))).toBe(true);
});

test('a linter that was not run is named, and one that finds nothing is no point', () => {
  const base = { sizes: null, limit: 500, next: null };
  expect(qualityPoints({ ...base, lint: { command: 'ruff check', found: null } })[0]).toBe(
    '- warning: run `ruff check` and fix what it reports',
  );
  expect(qualityPoints({ ...base, lint: null })).toHaveLength(2);
});

test.each([
  ['src/api/users.py', 'by resource'],
  ['src/services/user.py', 'helpers'],
  ['tests/test_user.py', 'what is tested'],
  ['src/main.py', 'by responsibility'],
])('%s has a hint of its own', (path, hint) => {
  expect(splitHint(path)).toContain(hint);
});
