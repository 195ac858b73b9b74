import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answerModelQuestion,
  chooseVerifier,
  isCostlyVerifier,
  MODEL_NAMES,
  parseModels,
  PRESETS,
  scannerModel,
  type ModelQuestion,
} from './models.ts';

test.each([
  ['default', null, null, null],
  ['all-opus', 'opus', 'opus', 'opus'],
  ['balanced', 'sonnet', 'opus', 'opus'],
  ['economy', 'haiku', 'sonnet', 'sonnet'],
] as const)('the preset %s is executor %s, advisor %s, evaluator %s', (preset, executor, advisor, evaluator) => {
  expect(parseModels(` ${preset.toUpperCase()} `)).toEqual({ ok: true, models: { preset, executor, advisor, evaluator } });
});

test('own words name roles in any order and case; the rest comes from balanced', () => {
  expect(parseModels('Evaluator: HAIKU , executor:opus')).toEqual({
    ok: true,
    models: { preset: 'custom', executor: 'opus', advisor: 'opus', evaluator: 'haiku' },
  });
});

test.each([
  ['fast', ['fast']],
  ['', ['']],
  ['executor:gpt', ['executor:gpt']],
  ['executor:opus,tester:opus', ['tester:opus']],
  ['executor:opus,executor:haiku', ['executor:haiku']],
  ['executor:opus:x, advisor', ['executor:opus:x', 'advisor']],
  ['__proto__', ['__proto__']],
])('%j is refused and the wrong parts are named', (text, invalid) => expect(parseModels(text)).toEqual({ ok: false, invalid }));

test('a flow without an evaluator does not take one', () => {
  expect(parseModels('advisor:haiku,evaluator:opus', ['executor', 'advisor'])).toEqual({ ok: false, invalid: ['evaluator:opus'] });
});

test('a wrong answer is asked again three times, then balanced is taken', () => {
  let state: ModelQuestion = { status: 'ask', retries: 0, invalid: [] };
  for (const retries of [1, 2, 3]) {
    state = answerModelQuestion(state.status === 'ask' ? state.retries : -1, 'executor:gpt');
    expect(state).toEqual({ status: 'ask', retries, invalid: ['executor:gpt'] });
  }
  expect(answerModelQuestion(3, 'nonsense')).toEqual({ status: 'chosen', models: PRESETS.balanced, gaveUp: true });
  expect(answerModelQuestion(3, 'economy')).toEqual({ status: 'chosen', models: PRESETS.economy, gaveUp: false });
});

test('the verifier is haiku unless told otherwise, and only a known model is taken', () => {
  expect([chooseVerifier(null), chooseVerifier('sonnet'), chooseVerifier('gpt'), chooseVerifier('')]).toEqual([
    'haiku',
    'sonnet',
    null,
    null,
  ]);
  expect(MODEL_NAMES.filter(isCostlyVerifier)).toEqual(['opus', 'sonnet']);
});

test('the scanner uses the advisor, and haiku where everything is to be cheap', () => {
  expect(Object.values(PRESETS).map(scannerModel)).toEqual([null, 'opus', 'opus', 'haiku']);
});

test('any text either names three known models or says what is wrong', () => {
  const word = fc.oneof(
    fc.constantFrom('executor', 'advisor', 'evaluator', ':', ',', 'opus', 'haiku', ' ', 'default'),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 9 }), (words) => {
      const parsed = parseModels(words.join(''));
      if (!parsed.ok) return parsed.invalid.length > 0;
      const { preset, executor, advisor, evaluator } = parsed.models;
      return preset === 'default' || [executor, advisor, evaluator].every((name) => name !== null && MODEL_NAMES.includes(name));
    }),
  );
});
