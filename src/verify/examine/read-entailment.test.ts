import { expect, test } from 'vitest';
import { readEntailment } from './read-entailment.ts';

const TESTS = Array.from({ length: 3 }, (_, at) => ({ behaviour: `b${at}`, code: '' }));
const read = (reply: string) => readEntailment(reply, { tests: TESTS, changes: ['x', 'y'] });

test('reads a line for each test and each change; a missing one is plausible or unclear', () => {
  expect(read('1: entailed — the steps say so\n3. **no** - it says otherwise\nchanged 2: yes — asked for\n')).toEqual({
    tests: [
      { ruling: 'entailed', reason: 'the steps say so' },
      { ruling: 'plausible', reason: '' },
      { ruling: 'no', reason: 'it says otherwise' },
    ],
    changes: [
      { account: 'unclear', reason: '' },
      { account: 'yes', reason: 'asked for' },
    ],
  });
});

test('takes the first line of a number, no number that was not asked, and no word that is none', () => {
  const answer = read('1: entailed\n1: no\n9: entailed\n2: surely entailed\n3: yes\n');
  expect(answer).toMatchObject({ tests: [{ ruling: 'entailed' }, { ruling: 'plausible' }, { ruling: 'plausible' }] });
});

test('keeps reasons to one plain line', () => {
  const answer = read(`1: entailed — \u001b[31m${'x '.repeat(2_000)}`);
  const [first] = 'tests' in answer ? answer.tests : [];
  expect(first?.reason.length).toBeLessThan(310);
  expect(first?.reason).toMatch(/^x x /);
});

test.each([
  ['nothing', ' \n', /wrote nothing/],
  ['a flood', 'x'.repeat(100_000), /too long/],
])('%s is no answer', (_, reply, why) => {
  const answer = read(reply);
  expect('why' in answer && answer.why).toMatch(why);
});
