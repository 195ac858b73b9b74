import { expect, test } from 'vitest';
import { answerHint } from './commands/gates.ts';

const option = (label: string, recommended = false) => ({ label, description: '', recommended });

test('the hint names what is recommended, and no option where nothing is', () => {
  const accept = { id: 'project.tampering', options: [option('Accept'), option('Reject')] };
  expect(answerHint(accept)).toBe('Answer with: harness answer project.tampering OPTION    (or --text "your own words")');
  const retry = { id: 'x.y', options: [option('Stop'), option('Try again', true)], words: false as const };
  expect(answerHint(retry)).toBe('Answer with: harness answer x.y "Try again"');
});
