/** Hidden tests as a person at a terminal reads them. */
import { cleanLine, cleanText } from '../domain/clean-text.ts';
import { counted } from '../domain/counted.ts';
import type { HiddenTestList } from '../flows/project/look/hidden-tests.ts';
import { isAdopted } from '../kernel/flight/hidden-files.ts';
import type { Paint } from './paint.ts';

export function hiddenLines({ reviewed, kept }: HiddenTestList, paint: Paint): string[] {
  const waiting = reviewed?.tests ?? [];
  if (waiting.length + kept.length === 0) return ['No hidden tests are kept here.'];
  return [
    ...(reviewed === null
      ? []
      : [
          paint.strong(
            `Session ${reviewed.session}, feature #${reviewed.feature} waits for your review: ${cleanLine(reviewed.description)}`,
          ),
          ...waiting.flatMap((test) => [
            '',
            `${test.passed ? paint.good('passes') : paint.bad('fails')}  ${cleanLine(test.behaviour)}`,
            ...(test.ruling === null || test.passed ? [] : [`  The second call: ${test.ruling.ruling}. ${cleanLine(test.ruling.reason)}`]),
            ...indented(test.code),
            ...(test.message === null || test.passed ? [] : ['  It said:', ...indented(test.message)]),
          ]),
          '',
        ]),
    ...(kept.length === 0 ? [] : [paint.strong(`${counted(kept.length, 'hidden test')} of accepted features`)]),
    ...kept.flatMap((test) => [
      '',
      `hidden:${test.number}  feature #${test.feature}: ${cleanLine(test.behaviour)}${test.released === null ? '' : ` (${isAdopted(test) ? 'adopted' : 'released'})`}`,
      ...indented(test.code),
    ]),
  ];
}

function indented(text: string): string[] {
  return cleanText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`);
}
