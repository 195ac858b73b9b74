import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { FAILURES } from '../../src/flows/project/words/orientation-facts.ts';
import { exitCodeOf, failuresPage } from './failures-page.ts';

const root = new URL('../../', import.meta.url);

test.each(FAILURES.map((row) => [row.category, row.failure, row.shown] as const))(
  '%s: "%s" is provoked by a test that exists',
  async (_category, _failure, shown) => {
    const text = await readFile(new URL(shown.file, root), 'utf8');
    expect(text).toContain(shown.test);
  },
);

test.each(FAILURES.filter((row) => row.ends !== null).map((row) => [row.failure, row] as const))(
  '"%s" ends with a code of its own kind',
  (_failure, row) => {
    const { outcome, reason } = row.ends!;
    const expected = reason.startsWith('budget.')
      ? 5
      : reason === 'api.auth' || reason.startsWith('env.') || (reason.startsWith('git.') && reason !== 'git.moved' && reason !== 'git.hook')
        ? 6
        : { rejected: 4, partial: 10, needs_human: 8, escalated: 3, error: 6 }[outcome as 'rejected'];
    expect(exitCodeOf(row)).toBe(expected);
  },
);

test('every failure stands on the page once, under its category', () => {
  const page = failuresPage();
  for (const { category } of FAILURES) expect(page).toContain(`## ${category}\n`);
  for (const row of FAILURES)
    expect(page.split(`| ${row.failure} |`)).toHaveLength(FAILURES.filter((other) => other.failure === row.failure).length + 1);
});
