import { expect, test } from 'vitest';
import { benchFor } from '../bench.ts';
import { autofixGate, specGate } from './gates.ts';

test('who wants the spec changed is asked at the terminal what should change, and may have edited the file instead', () => {
  const bench = benchFor({ emit: () => {} } as never, { user_lang: 'de', docs_path: 'docs/harness/x/' } as never);
  const modify = specGate(bench, '# Spec').options.find(({ label }) => label === 'Modify');
  expect(modify).toMatchObject({ asks: [bench.words.spec.whatToChange], words_optional: true });
});

test('whoever decides about a patch reads first why it could not be applied', () => {
  const bench = benchFor({ emit: () => {} } as never, { user_lang: 'en', docs_path: 'docs/harness/x/' } as never);
  const proposed = { text: 'the patch\n', confidence: 'High' };
  expect(autofixGate(bench, { ...proposed, objection: null }).context).toEqual(['the patch']);
  expect(autofixGate(bench, { ...proposed, objection: 'a.ts: hunk 1 does not fit' }).context).toEqual([
    '⚠ a.ts: hunk 1 does not fit',
    'the patch',
  ]);
});
