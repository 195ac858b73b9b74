import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Finding } from '../domain/verdict.ts';
import { consult, consultInTurn, INSTRUMENTS, isOpen, makerOf } from './instruments.ts';

const finding = (weight: Finding['weight'] = 'ask'): Finding => ({
  check: 'red',
  reason: 'test.not_red',
  weight,
  message: 'a test proves nothing',
  subjects: [],
});

test('a finding is attributed to the instrument that made it, else to its check', async () => {
  const [found] = await consult({}, 'red/touchy', () => [finding()]);
  expect(makerOf(found!)).toBe('red/touchy');
  const [outer] = await consult({}, 'neutral/standalone-tests', () => [found!]);
  expect(makerOf(outer!)).toBe('red/touchy');
  expect(makerOf(finding())).toBe('red');
});

test('an instrument that is switched off is not run', async () => {
  const judging = { disabledChecks: new Set(['red/touchy' as const]) };
  expect(await consult(judging, 'red/touchy', () => Promise.reject(new Error('run all the same')))).toEqual([]);
});

test('instruments are consulted until one finds something, or all of them in a thorough judgement', async () => {
  const objecting = [
    ['red/touchy', () => []],
    ['red/loose', () => [finding()]],
    ['red/idle', () => [finding('warn')]],
  ] as const;
  expect((await consultInTurn({}, objecting)).map(makerOf)).toEqual(['red/loose']);
  expect((await consultInTurn({ thorough: true }, objecting)).map(makerOf)).toEqual(['red/loose', 'red/idle']);
});

test('a warning leaves the question open, an objection only in a thorough judgement', () => {
  expect(isOpen({}, [finding('warn')])).toBe(true);
  expect(isOpen({}, [finding('reject')])).toBe(false);
  expect(isOpen({ thorough: true }, [finding('reject')])).toBe(true);
});

test('every instrument is consulted somewhere in the judge', async () => {
  const folder = new URL('.', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|^instruments\.ts$/.test(name),
  );
  const texts = (await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))).join('\n');
  expect(INSTRUMENTS.filter((id) => !texts.includes(`'${id}'`))).toEqual([]);
});
