import { expect, test } from 'vitest';
import type { TreeChange } from '../../../domain/tree.ts';
import type { Finding } from '../../../domain/verdict.ts';
import { acceptedAmong, acceptedAs, asksAbout } from './asks.ts';

const entry = (path: string, oid: string) => ({ path, mode: '100644', oid });
const changed = (path: string, to: string | null = 'new'): TreeChange => ({
  path,
  status: to === null ? 'deleted' : 'modified',
  from: entry(path, 'old'),
  to: to === null ? null : entry(path, to),
});
const finding = (reason: Finding['reason'], subjects: string[], weight: Finding['weight'] = 'ask'): Finding => ({
  check: 'protected',
  reason,
  weight,
  message: 'changed',
  subjects,
});
const CHANGES = [changed('test/a.test.js'), changed('package.json'), changed('eslint.config.js', null)];

test.each([
  ['a changed test', [finding('tamper.tests', ['test/a.test.js', 'test/a.test.js::adds'])], 'workflow.tampering'],
  ["a tool's settings that are gone", [finding('tamper.toolchain', ['eslint.config.js'])], 'workflow.tampering'],
  ['a new dependency', [finding('dependencies.changed', ['package.json: left-pad'])], 'workflow.dependencies'],
  [
    'both, by the first',
    [finding('dependencies.changed', ['package.json: left-pad']), finding('tamper.tests', ['test/a.test.js'])],
    'workflow.dependencies',
  ],
])('%s is a question', (_, findings, gate) => {
  expect(asksAbout(findings, CHANGES)).toMatchObject({ gate, subjects: findings.flatMap((one) => one.subjects) });
});

test.each([
  ['nothing', []],
  ['what is only told', [finding('tamper.tests', ['test/a.test.js'], 'warn')]],
  ['what is refused', [finding('tamper.tests', ['test/a.test.js'], 'reject')]],
  ['something beside what is refused', [finding('tamper.tests', ['test/a.test.js']), finding('tamper.history', [], 'reject')]],
  ['a file that the work did not change', [finding('tamper.toolchain', ['a.js and A.js'])]],
  ['what is no file', [finding('tamper.tests', [])]],
  ['what cannot be captured as it is', [{ ...finding('tamper.toolchain', ['test/a.test.js']), check: 'capture' as const }]],
  ['what the project flow asks elsewhere', [finding('test.flaky', ['test/a.test.js'])]],
])('%s is none', (_, findings) => {
  expect(asksAbout(findings, CHANGES)).toBeNull();
});

test('what is accepted holds for the version that was shown, and for no other', () => {
  const accepted = acceptedAs({ subjects: ['test/a.test.js::adds', 'eslint.config.js'] }, CHANGES);
  expect(accepted.map(({ path }) => path)).toEqual(['test/a.test.js', 'eslint.config.js']);
  expect(acceptedAmong(CHANGES, accepted)).toEqual([
    { path: 'test/a.test.js', kind: 'entry', entry: entry('test/a.test.js', 'new') },
    { path: 'eslint.config.js', kind: 'delete' },
  ]);
  expect(acceptedAmong([changed('test/a.test.js', 'newer'), changed('eslint.config.js', 'back')], accepted)).toEqual([]);
});
