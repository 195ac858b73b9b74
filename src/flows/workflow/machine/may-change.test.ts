import { expect, test } from 'vitest';
import { mayChangeIn } from './asks.ts';

test('lines of their own name tests that may change', () => {
  const spec = [
    '# Spec',
    '## Tests',
    '- May change: `test/export.test.js` (another separator)',
    '* **May change:** tests/test_rows.py: one more column',
    'May change: test/orders/*.test.js, because they print totals',
    'Nothing else may change: test/totals.test.js stays.',
  ].join('\n');
  expect(mayChangeIn(spec)).toEqual(['test/export.test.js', 'tests/test_rows.py', 'test/orders/*.test.js']);
});

test.each(['- May change: **', '- May change: **/*', '- May change: ../other/test.js', '- May change: /etc/x', '- May change:'])(
  '%s lets nothing change',
  (line) => {
    expect(mayChangeIn(line)).toEqual([]);
  },
);
