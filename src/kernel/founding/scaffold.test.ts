import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseProgress } from '../../prompts/progress-file.ts';
import { progressFileText, scriptText, withStateIgnored } from './scaffold.ts';

describe('a fresh progress file', () => {
  test('names the project and is no entry of its own', () => {
    const text = progressFileText('shop');
    expect(text).toContain('PROGRESS LOG - shop');
    expect(text.endsWith('\n')).toBe(true);
    expect(parseProgress(text)).toEqual([]);
    expect(parseProgress(`${text}\nSESSION 1\nDONE:\n- set up\n`)).toMatchObject([{ session: 1, did: ['set up'] }]);
  });
});

describe('fresh scripts', () => {
  test.each(['init', 'reset'] as const)('for %s run and succeed as they are', async (kind) => {
    await expect(promisify(execFile)('/bin/sh', ['-c', scriptText(kind)], { env: {} })).resolves.toEqual({ stdout: '', stderr: '' });
    expect(scriptText(kind).startsWith('#!/bin/sh\n')).toBe(true);
  });
});

describe('.gitignore', () => {
  test.each([
    [null, '.harness', '.harness/\n'],
    ['', '.harness', '.harness/\n'],
    ['node_modules/\n', '.harness', 'node_modules/\n.harness/\n'],
    ['node_modules/', '.harness', 'node_modules/\n.harness/\n'],
    ['dist\n', 'var/state/', 'dist\nvar/state/\n'],
    ['dist\n', 'var/state', 'dist\nvar/state/\n'],
  ])('of %j with the state in %s becomes %j', (text, folder, expected) => {
    expect(withStateIgnored(text, folder)).toBe(expected);
  });
});
