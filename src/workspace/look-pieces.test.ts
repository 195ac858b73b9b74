import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeLook,
  changesOf,
  childrenIn,
  lookBytes,
  lookFrom,
  pathsBelow,
  recordIn,
  recordsFrom,
  sortRecords,
  type Look,
} from './look-pieces.ts';
import { printedName } from './look-record.ts';
import { numbersIn, parseFile } from './look.ts';

const name = fc.constantFrom('a', 'b', 'a-b', 'a.b', 'ab', 'A', 'ä', '☃', 'x y', '0', 'long-'.repeat(20));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
/** Many records have the length of a real one, so that looks of several pieces are tried. */
const recordFor = (one: string, inode: number): string =>
  inode % 3 === 0
    ? `d 755 ${inode} ${printedName(one)}`
    : `f 644 ${inode * 7} ${inode} 179489${inode}.5000000010 179488${inode}.0000000000 ${printedName(one)}`;
const padded = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => recordFor(`pad/${String(at).padStart(6, '0')}-${'p'.repeat(120)}`, at + 1));

function saysTheSame(look: Look, known: ReadonlyMap<string, string>, folders: readonly string[]): void {
  const sorted = [...known.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect([...recordsFrom(look)].map((one) => one.record)).toEqual(sorted.map((one) => known.get(one)));
  for (const folder of folders) {
    expect(recordIn(look, folder)).toBe(known.get(folder) ?? null);
    const prefix = folder === '' ? '' : `${folder}/`;
    const below = sorted.filter((one) => one.startsWith(prefix));
    if (folder !== '') expect(pathsBelow(look, folder)).toEqual(below);
    const children = below.filter((one) => !one.slice(prefix.length).includes('/'));
    expect([...childrenIn(look, folder)]).toEqual(children.map((one) => [one, known.get(one)]));
  }
}

test('records in pieces say what a table of all of them says, before and after changes, and from a file', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 30 }),
      fc.constantFrom(0, 1, 900),
      fc.array(fc.record({ path, keep: fc.boolean() }), { maxLength: 12 }),
      (paths, pad, edits) => {
        const known = new Map(paths.map((one, at) => [one, recordFor(one, at + 1)]));
        for (const record of padded(pad)) known.set(record.slice(record.indexOf('pad/')), record);
        const folders = ['', 'pad', 'missing', ...paths, ...edits.map((edit) => edit.path)];
        const look = sortRecords([...known.values()]);
        saysTheSame(look, known, folders);
        const added = edits.filter((edit) => edit.keep).map((edit, at) => recordFor(edit.path, 1_000 + at));
        const changed = changeLook(
          look,
          changesOf(
            edits.map((edit) => edit.path),
            added,
          ),
        );
        for (const edit of edits) known.delete(edit.path);
        edits.filter((edit) => edit.keep).forEach((edit, at) => known.set(edit.path, added[at]!));
        saysTheSame(changed, known, folders);
        saysTheSame(lookFrom(Buffer.concat(lookBytes(changed))), known, folders);
      },
    ),
    { numRuns: 150, seed: 3 },
  );
});

test('numbers of a record are what its words say', () => {
  const record = 'f 644 123456789012 9007199254740 1794892342.2605403080 1700000000.0000000010 a b 1.txt';
  const { size, inode, changedNs, modifiedNs } = parseFile(record);
  expect(numbersIn(record)).toEqual({
    size: Number(size),
    inode: Number(inode),
    changed: Number(changedNs.slice(0, -9)),
    changedNs: Number(changedNs.slice(-9)),
    modified: Number(modifiedNs.slice(0, -9)),
    modifiedNs: Number(modifiedNs.slice(-9)),
  });
});
