import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineSplitter } from './lines.ts';

function split(chunks: readonly Buffer[], limit: number): { text: string; dropped: number }[] {
  const splitter = lineSplitter(limit);
  return [...chunks.flatMap((chunk) => splitter.write(chunk)), ...splitter.end()];
}

test('lines come out the same wherever the bytes are cut into chunks', () => {
  const text = fc.array(fc.constantFrom('a', 'ü', '🌱', '\n', ' '), { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat(80)), (whole, cuts) => {
      const bytes = Buffer.from(whole);
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
      const expected = whole.endsWith('\n') || whole === '' ? whole.split('\n').slice(0, -1) : whole.split('\n');
      expect(split(chunks, 1_000).map((line) => line.text)).toEqual(expected);
    }),
  );
});

test('a long line keeps its beginning and counts the rest, without half characters', () => {
  expect(split([Buffer.from('aü🌱🌱\nnext')], 5)).toEqual([
    { text: 'aü', dropped: 6 },
    { text: 'next', dropped: 0 },
  ]);
});

test('a carriage return belongs to the line end', () => {
  expect(split([Buffer.from('a\r\nb\r')], 10).map((line) => line.text)).toEqual(['a', 'b']);
});
