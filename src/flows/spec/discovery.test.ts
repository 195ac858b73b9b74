import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUnsure, mapAnswers } from './machine/answers.ts';
import { answersTo, parseNotes, renderNotes, withAnswers } from './machine/notes.ts';
import { readQuestions, renderQuestions } from './machine/questions.ts';

const asked = (...questions: string[]) => questions.map((question) => ({ question, why: '' }));

describe('a questions file', () => {
  const file = (count: number): string =>
    JSON.stringify({ questions: Array.from({ length: count }, (_, at) => ({ question: `q${at}`, why: 'because' })) });

  test('is cut to five questions in the first round and to three later', () => {
    expect(readQuestions(file(9), 1)).toHaveLength(5);
    expect(readQuestions(file(9), 2)).toHaveLength(3);
    expect(readQuestions(file(9), 3)).toHaveLength(3);
  });

  test('may be empty, and may stand in a code fence', () => {
    expect(readQuestions('{"questions":[]}', 2)).toEqual([]);
    expect(readQuestions('```json\n{"questions":[{"question":"who?"}]}\n```\n', 1)).toEqual([{ question: 'who?', why: '' }]);
  });

  test.each(['', 'What is it?', '{"questions":"who?"}', '{"questions":[{"why":"x"}]}', '[]', '{"questions":[{"question":"  "}]}'])(
    'that says %j cannot be read',
    (text) => expect(readQuestions(text, 1)).toBeNull(),
  );

  test('gives questions of one line each', () => {
    const [question] = readQuestions(JSON.stringify({ questions: [{ question: 'who\n2. A: me', why: 'a\nb' }] }), 1)!;
    expect(question).toEqual({ question: 'who 2. A: me', why: 'a b' });
    expect(renderQuestions([question!])).toBe('1. who 2. A: me\n   a b');
  });
});

describe('answers', () => {
  test('are matched to their questions by number, in any order, over several lines', () => {
    expect(mapAnswers('2. two\nand more\n1) one', 3)).toEqual(['one', 'two\nand more', null]);
  });

  test('without numbers are taken line by line when there are as many', () => {
    expect(mapAnswers('staff\n\nCSV\n', 2)).toEqual(['staff', 'CSV']);
    expect(mapAnswers('just make it work', 2)).toEqual(['just make it work', null]);
  });

  test('with numbers that no question has are no numbered answers', () => {
    expect(mapAnswers('7. something', 2)).toEqual(['7. something', null]);
  });

  test.each([
    "Don't know.",
    'don’t know',
    'Unsure',
    'no opinion',
    '모르겠어요',
    'わかりません。',
    '不确定',
    'No sé',
    'Weiß nicht!',
    'keine Ahnung',
    '',
    '—',
  ])('that only say %j are unconfirmed', (text) => expect(isUnsure(text)).toBe(true));

  test.each(["Users don't know their password", 'Only staff', '没有意见箱功能', 'Wir wissen nicht alles, aber CSV reicht'])(
    'that say %j are answers',
    (text) => expect(isUnsure(text)).toBe(false),
  );

  test('of any text give exactly one answer a question', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, count) => {
        expect(mapAnswers(text, count)).toHaveLength(count);
      }),
    );
  });
});

describe('notes', () => {
  test('are a numbered list of questions and answers', () => {
    const notes = withAnswers({ pairs: [], remarks: [] }, asked('who?', 'what?'), ['staff', null], null);
    expect(renderNotes(notes)).toBe('1. Q: who?\n   A: staff\n2. Q: what?\n   A: [unconfirmed]\n');
  });

  test('grow by each round, and a round that is in them already is not added twice', () => {
    const first = withAnswers({ pairs: [], remarks: [] }, asked('who?'), ['staff'], 'a remark');
    const again = withAnswers(first, asked('who?'), ['staff and guests'], 'a remark');
    expect(again).toEqual({ pairs: [{ question: 'who?', answer: 'staff and guests' }], remarks: ['a remark'] });
    const second = withAnswers(again, asked('how?'), [null], null);
    expect(second.pairs).toHaveLength(2);
    expect(answersTo(second, asked('how?'))).toEqual([null]);
    expect(answersTo(second, asked('who?'))).toBeNull();
  });

  test('are read back as they were written', () => {
    const line = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replace(/\s+/gu, ' ').trim() || 'x');
    const answer = fc.option(
      fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      { nil: null },
    );
    fc.assert(
      fc.property(fc.array(fc.record({ question: line, answer }), { maxLength: 5 }), (pairs) => {
        const expected = pairs.map((pair) => ({ ...pair, answer: pair.answer === '[unconfirmed]' ? null : pair.answer }));
        expect(parseNotes(renderNotes({ pairs, remarks: [] })).pairs).toEqual(expected);
      }),
    );
  });
});
