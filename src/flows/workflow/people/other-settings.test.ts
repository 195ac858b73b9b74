import { expect, test } from 'vitest';
import { otherSettings } from './other-settings.ts';

const SESSION = {
  mode: 'standard',
  scope: 'no limit',
  max_files: 20,
  docs_path: 'docs/harness/totals/',
  model_config: {
    preset: 'balanced' as const,
    executor: 'sonnet' as const,
    advisor: 'opus' as const,
    evaluator: 'opus' as const,
    verifier: 'haiku',
  },
  lint_cmd: 'eslint .',
  type_check_cmd: null,
};
const NOTHING = {
  mode: null,
  modelConfig: null,
  scope: null,
  maxFiles: null,
  outputDir: null,
  verifierModel: null,
  lintCommand: null,
  typeCheckCommand: null,
};

test('what is not given, and what is the same, is no difference', () => {
  expect(otherSettings(NOTHING, SESSION)).toEqual([]);
  expect(otherSettings({ ...NOTHING, mode: 'standard', scope: 'no limit', maxFiles: 20, outputDir: './docs/harness/' }, SESSION)).toEqual(
    [],
  );
  expect(otherSettings({ ...NOTHING, outputDir: 'docs/harness/totals' }, SESSION)).toEqual([]);
});

test('each other setting is told with both values', () => {
  expect(otherSettings({ ...NOTHING, mode: 'multi', scope: 'src/**', maxFiles: 3, outputDir: 'elsewhere' }, SESSION)).toEqual([
    '--mode is standard, not multi',
    '--scope is no limit, not src/**',
    '--max-files is 20, not 3',
    '--output-dir is docs/harness/totals/, not elsewhere',
  ]);
});

test('another verifier, linter or type checker is a difference, and the same with its scope filled in is none', () => {
  const given = { ...NOTHING, verifierModel: 'opus', lintCommand: 'true', typeCheckCommand: 'tsc' };
  expect(otherSettings(given, SESSION)).toEqual([
    '--verifier-model is haiku, not opus',
    '--lint-cmd is eslint ., not true',
    '--type-check-cmd is none, not tsc',
  ]);
  const same = { ...NOTHING, verifierModel: 'haiku', lintCommand: 'eslint {scope}', typeCheckCommand: '' };
  expect(otherSettings(same, { ...SESSION, scope: '(no limit)' })).toEqual([]);
});

test('other models are a difference, however they are written', () => {
  expect(otherSettings({ ...NOTHING, modelConfig: 'economy' }, SESSION)).toEqual(['--model-config is balanced, not economy']);
  expect(otherSettings({ ...NOTHING, modelConfig: 'balanced' }, SESSION)).toEqual([]);
  expect(otherSettings({ ...NOTHING, modelConfig: 'executor:sonnet,advisor:opus' }, SESSION)).toEqual([]);
});

test('what is still asked may be given; what the set-up began with may not be changed', () => {
  const open = { ...SESSION, mode: null, model_config: { preset: null, verifier: 'haiku' } };
  const given = { ...NOTHING, mode: 'single' as const, modelConfig: 'economy', verifierModel: 'opus' };
  expect(otherSettings(given, open)).toEqual(['--verifier-model is haiku, not opus']);
});
