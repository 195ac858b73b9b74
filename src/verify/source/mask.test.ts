import { describe, expect, test } from 'vitest';
import { maskSource } from './mask.ts';

const after = "; test('a', () => {});";
const masked = (line: string): string => maskSource(`${line}${after}\n// \``, 'javascript');

describe('a pattern with a quote in it hides nothing of what comes after it', () => {
  test.each([
    "'x' + /`/.source",
    'if (a(b)) /`/.test(b)',
    'typeof /`/',
    'a = b /* why */ * /`/',
    'x.return / 2; for (;;) /`/',
    'c = [.../`/]',
    'a = b < /`/',
    'a = />`/',
    `a = /${'a'.repeat(2_000)}\`/`,
    'x = a\n  ? // why\n  /`/ : b',
  ])('%s', (line) => expect(masked(line)).toContain(after.replace('a', ' ')));

  test.each([
    'a = b / c; d = `e` / f',
    'a = (b) / 2 + `/`',
    'a = b[0] / 2; c = "/"',
    'a++ / b; c = `/`',
    'x = <p>a</p>; y = `/`',
    'x = <A b={c} />; y = `/`',
  ])('%s', (line) => expect(masked(line)).toContain(after.replace('a', ' ')));
});

test('a first line for the shell and a template that never ends hide nothing', () => {
  expect(maskSource(`#!/usr/bin/env \`node\ntest('a');`, 'javascript')).toMatch(/\ntest\(' '\);$/);
  expect(maskSource("a`b;\ntest('a');", 'javascript')).toBe("a`b;\ntest(' ');");
});
