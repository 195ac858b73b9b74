import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { primitiveAnswers } from './primitives.ts';

let last = 1_000;
const number = (): number => (last += 7);
const asJavaScript = (mask: string, before = ''): unknown => runInNewContext(`${before}\n${primitiveAnswers(mask, 'javascript', number)}`);
const asPython = (mask: string, before = ''): string =>
  execFileSync('python3', ['-c', `${before}\n${primitiveAnswers(mask, 'python', number)}\nprint('fine')`], {
    encoding: 'utf8',
    stdio: 'pipe',
  });

describe('answers of primitives', () => {
  test('are right where nothing was replaced', () => {
    expect(() => asJavaScript('')).not.toThrow();
    expect(asPython('')).toBe('fine\n');
  });

  test('are wrong where something was replaced', () => {
    for (const patch of [
      'Array.prototype.every = () => true;',
      'Array.prototype.includes = () => true;',
      'String.prototype.startsWith = () => true;',
      'RegExp.prototype.test = () => true;',
      'Object.is = () => true;',
      "JSON.stringify = () => '';",
      'Set.prototype.has = () => true;',
    ])
      expect(() => asJavaScript('', patch), patch).toThrow();
    for (const name of ['all', 'any', 'sorted', 'isinstance', 'len'])
      expect(() => asPython('', `import builtins\nbuiltins.${name} = lambda *values: True`), name).toThrow();
    expect(() => asPython('', 'import math\nmath.isclose = lambda *values: True')).toThrow();
  });

  test('are not asked of names that the file binds or mocks', () => {
    expect(() => asJavaScript("import { Map } from 'immutable';", 'globalThis.Map = class { get() { return 1; } };')).not.toThrow();
    expect(() => asJavaScript("vi.spyOn(JSON, 'parse');", 'JSON.parse = () => 1;')).not.toThrow();
    expect(asPython('from src.sum import sum\n', 'def sum(one, other): return one + other')).toBe('fine\n');
  });
});
