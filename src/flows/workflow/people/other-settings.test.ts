import { expect, test } from 'vitest';
import { otherSettings } from './other-settings.ts';

const SESSION = { mode: 'standard', scope: 'no limit', max_files: 20, docs_path: 'docs/harness/totals/' };
const NOTHING = { mode: null, scope: null, maxFiles: null, outputDir: null };

test('what is not given, and what is the same, is no difference', () => {
  expect(otherSettings(NOTHING, SESSION)).toEqual([]);
  expect(otherSettings({ mode: 'standard', scope: 'no limit', maxFiles: 20, outputDir: './docs/harness/' }, SESSION)).toEqual([]);
  expect(otherSettings({ ...NOTHING, outputDir: 'docs/harness/totals' }, SESSION)).toEqual([]);
});

test('each other setting is told with both values', () => {
  expect(otherSettings({ mode: 'multi', scope: 'src/**', maxFiles: 3, outputDir: 'elsewhere' }, SESSION)).toEqual([
    '--mode is standard, not multi',
    '--scope is no limit, not src/**',
    '--max-files is 20, not 3',
    '--output-dir is docs/harness/totals/, not elsewhere',
  ]);
});
