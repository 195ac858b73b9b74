import { expect, test } from 'vitest';
import type { Claim } from '../../../kernel/mission-schema.ts';
import { feature } from '../machine/test-support.ts';
import { claimsText, groundText } from './texts.ts';

const claim = (id: string, notes: string): Claim => ({
  id,
  text: `${id} holds`,
  proof: { tests: [`tests/${id}.test.js`], command: null, person: false },
  notes,
});
const claims = [claim('VAL-A-001', 'add(a, b) takes integers'), claim('VAL-B-001', 'own notes'), claim('VAL-C-001', 'other notes')];

test('a worker reads the claims of what its feature is built on, with their notes', () => {
  const built = feature(2, { claims: ['VAL-B-001'], depends_on: ['F-001'] });
  const mission = { claims, features: [feature(1, { claims: ['VAL-A-001'], status: 'passed' }), built] };
  const ground = groundText(built, mission);
  expect(ground).toContain('add(a, b) takes integers');
  expect(ground).not.toMatch(/own notes|other notes/);
  expect(claimsText(built, claims)).toContain('own notes');
  expect(groundText(feature(3, { claims: ['VAL-C-001'] }), mission)).toBe('');
});

test('what a person skipped is no ground', () => {
  const built = feature(2, { claims: ['VAL-B-001'], depends_on: ['F-001'] });
  expect(groundText(built, { claims, features: [feature(1, { claims: ['VAL-A-001'], status: 'skipped' }), built] })).toBe('');
});
