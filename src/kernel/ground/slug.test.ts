import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slugify, slugWithTimestamp } from './slug.ts';

test.each([
  ['Fix the login bug', 'fix-the-login-bug'],
  ['  Add   CSV-Export!  ', 'add-csv-export'],
  ['CSV-Export für Bestellungen hinzufügen', 'csv-export-fur-bestellungen-hinzufugen'],
  ['corrige el error de inicio de sesión', 'corrige-el-error-de-inicio-de-sesion'],
  ['修复登录错误', 'xiufudenglucuowu'],
  ['로그인 버그를 고쳐 주세요', 'logeuin-beogeuleul-gochyeo-juseyo'],
  ['snake_case stays', 'snake_case-stays'],
  ['a - b -- c', 'a-b-c'],
  ['-rf ../../etc', 'rf-etc'],
  [`${'word '.repeat(9)}abcd efgh`, 'word-word-word-word-word-word-word-word-word-abcd'],
])('%j becomes %s', (task, slug) => expect(slugify(task)).toBe(slug));

test.each(['', '   ', '???', '___', '\0', 'memory', 'Memory!'])('%j has a name made of its hash', (task) => {
  expect(slugify(task)).toMatch(/^task-[0-9a-f]{8}$/);
});

test('tasks that leave nothing have different names', () => expect(slugify('!')).not.toBe(slugify('?')));

test('a time is added to a shortened slug', () => {
  const now = Date.UTC(2026, 11, 31, 23, 59, 59);
  expect(slugWithTimestamp('fix-login', now)).toBe('fix-login-20261231235959');
  expect(slugWithTimestamp(slugify('word '.repeat(20)), now)).toHaveLength(49);
  expect(slugWithTimestamp(`${'a'.repeat(34)}-b`, now)).toBe(`${'a'.repeat(34)}-20261231235959`);
});

test('whatever the text, the slug is a safe name of at most 50 characters, also with a time', () => {
  fc.assert(
    fc.property(
      fc.uint16Array({ maxLength: 80 }).map((units) => String.fromCharCode(...units)),
      (task) => {
        const slug = slugify(task);
        const timed = slugWithTimestamp(slug, 0);
        return [slug, timed].every((name) => /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/.test(name) && name.length <= 50);
      },
    ),
    { numRuns: 500 },
  );
});
