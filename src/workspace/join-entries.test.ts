import { expect, test } from 'vitest';
import { joinEntries } from './progress-notes.ts';

const BASE = 'Progress of shop\n\nSESSION 1\nWHAT I DID:\n- began\n';
const two = 'SESSION 2\n=========\nWHAT I DID:\n- cart\n';
const three = 'SESSION 3\n=========\nWHAT I DID:\n- pay\n';

test('entries that both sides appended stand one after the other, each whole', () => {
  expect(joinEntries(BASE, `${BASE}\n${two}`, `${BASE}\n${three}`)).toBe(`${BASE}\n${two}\n${three}`);
});

test('an entry that is there already is not added again', () => {
  const both = `${BASE}\n${two}\n${three}`;
  expect(joinEntries(BASE, both, `${BASE}\n${three}`)).toBe(both);
  expect(joinEntries(BASE, both, BASE)).toBe(both);
});

test('of a file that was written anew only the new entries are taken, and nothing of the branch is lost', () => {
  expect(joinEntries(BASE, `${BASE}\n${two}`, `Notes\n\n${three}`)).toBe(`${BASE}\n${two}\nNotes\n\n${three}`);
  expect(joinEntries(null, two, three)).toBe(`${two}\n${three}`);
});
