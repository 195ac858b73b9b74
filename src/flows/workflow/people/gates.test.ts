import { expect, test } from 'vitest';
import { benchFor } from '../bench.ts';
import { specGate } from './gates.ts';

test('who wants the spec changed is asked at the terminal what should change, and may have edited the file instead', () => {
  const bench = benchFor({ emit: () => {} } as never, { user_lang: 'de', docs_path: 'docs/harness/x/' } as never);
  const modify = specGate(bench, '# Spec').options.find(({ label }) => label === 'Modify');
  expect(modify).toMatchObject({ asks: [bench.words.spec.whatToChange], words_optional: true });
});
