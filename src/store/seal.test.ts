import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodePlatform } from '../platform/node-platform.ts';
import { sealFor } from './seal.ts';

let top: string;
const at = (name: string, home = 'home') => sealFor(nodePlatform({ HARNESS_HOME: join(top, home) }), join(top, name, '.harness'));

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'harness-seal-'));
  for (const name of ['one', 'other']) mkdirSync(join(top, name));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

test('fits what was sealed, in any order of keys, and nothing else', async () => {
  const seal = at('one');
  const given = await seal.of('answer', { a: 1, b: [{ c: 2, d: null }] });
  expect(await seal.fits(given, 'answer', { b: [{ d: null, c: 2 }], a: 1 })).toBe(true);
  expect(await at('one').fits(given, 'answer', { a: 1, b: [{ c: 2, d: null }] }), 'another process').toBe(true);
  for (const other of [[{ a: 1 }], ['answer'], ['answer', { a: 1, b: [{ c: 2 }] }], ['request', { a: 1, b: [{ c: 2, d: null }] }]])
    expect(await seal.fits(given, ...other)).toBe(false);
  for (const wrong of [undefined, null, '', 7, given.slice(1), given.toUpperCase()]) expect(await seal.fits(wrong, 'answer')).toBe(false);
});

test('fits in no other project and for no other user', async () => {
  const given = await at('one').of('x');
  expect(await at('other').fits(given, 'x')).toBe(false);
  expect(await at('one', 'another-home').fits(given, 'x')).toBe(false);
});

test('the secret is 32 bytes for its owner alone, and the same for all who begin at once', async () => {
  const seals = await Promise.all(Array.from({ length: 20 }, () => at('one').of('x')));
  expect(new Set(seals).size).toBe(1);
  const file = join(top, 'home/secret');
  expect([readFileSync(file).length, statSync(file).mode & 0o777]).toEqual([32, 0o600]);
  writeFileSync(file, 'short');
  await expect(at('one').of('x')).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('damaged') });
});
