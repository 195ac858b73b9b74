/** The prompt's own words, in the language that the question is asked in. */

interface PromptWords {
  recommended: string;
  other: string;
  otherHint: string;
  answer: string;
  empty: string;
}

export function promptWords(language: string | undefined): PromptWords {
  const base = (language ?? 'en').toLowerCase().split('-', 1)[0]!;
  return WORDS.get(base) ?? ENGLISH;
}

const ENGLISH: PromptWords = {
  recommended: 'recommended',
  other: 'Something else',
  otherHint: 'say it in your own words',
  answer: 'Your answer',
  empty: 'Please write something.',
};

const WORDS: ReadonlyMap<string, PromptWords> = new Map([
  ['en', ENGLISH],
  ['ko', { recommended: '추천', other: '다른 답변', otherHint: '직접 적습니다', answer: '답변', empty: '내용을 입력해 주세요.' }],
  ['ja', { recommended: '推奨', other: 'その他', otherHint: '自分の言葉で書きます', answer: '回答', empty: '何か入力してください。' }],
  ['zh', { recommended: '推荐', other: '其他', otherHint: '用自己的话说明', answer: '您的回答', empty: '请输入内容。' }],
  [
    'es',
    {
      recommended: 'recomendado',
      other: 'Otra cosa',
      otherHint: 'con sus propias palabras',
      answer: 'Su respuesta',
      empty: 'Escriba algo, por favor.',
    },
  ],
  [
    'de',
    {
      recommended: 'empfohlen',
      other: 'Etwas anderes',
      otherHint: 'in eigenen Worten',
      answer: 'Ihre Antwort',
      empty: 'Bitte schreiben Sie etwas.',
    },
  ],
]);
