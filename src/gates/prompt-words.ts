/** The prompt's own words, in the language that the question is asked in. */

import { counted } from '../domain/counted.ts';

interface PromptWords {
  recommended: string;
  other: string;
  otherHint: string;
  answer: string;
  empty: string;
  /** The option that shows in the pager what does not fit on the screen. */
  read: string;
  readHint: string;
  more: (lines: number) => string;
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
  read: 'Read all of it',
  readHint: 'in your pager, then choose',
  more: (lines) => `… ${counted(lines, 'more line')}: choose "Read all of it"`,
};

const WORDS: ReadonlyMap<string, PromptWords> = new Map([
  ['en', ENGLISH],
  [
    'ko',
    {
      recommended: '추천',
      other: '다른 답변',
      otherHint: '직접 적습니다',
      answer: '답변',
      empty: '내용을 입력해 주세요.',
      read: '전체 읽기',
      readHint: '페이저에서 읽고 나서 고릅니다',
      more: (lines) => `… ${lines}줄 더 있음: "전체 읽기"를 고르세요`,
    },
  ],
  [
    'ja',
    {
      recommended: '推奨',
      other: 'その他',
      otherHint: '自分の言葉で書きます',
      answer: '回答',
      empty: '何か入力してください。',
      read: '全文を読む',
      readHint: 'ページャーで読んでから選びます',
      more: (lines) => `… 残り ${lines} 行: 「全文を読む」を選んでください`,
    },
  ],
  [
    'zh',
    {
      recommended: '推荐',
      other: '其他',
      otherHint: '用自己的话说明',
      answer: '您的回答',
      empty: '请输入内容。',
      read: '阅读全文',
      readHint: '在分页器中阅读，然后选择',
      more: (lines) => `… 还有 ${lines} 行：请选择“阅读全文”`,
    },
  ],
  [
    'es',
    {
      recommended: 'recomendado',
      other: 'Otra cosa',
      otherHint: 'con sus propias palabras',
      answer: 'Su respuesta',
      empty: 'Escriba algo, por favor.',
      read: 'Leerlo todo',
      readHint: 'en su paginador; después elija',
      more: (lines) => `… ${lines} líneas más: elija «Leerlo todo»`,
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
      read: 'Alles lesen',
      readHint: 'im Pager, danach wählen',
      more: (lines) => `… ${lines} weitere Zeilen: „Alles lesen“ wählen`,
    },
  ],
]);
