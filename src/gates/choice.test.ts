import { expect, test } from 'vitest';
import { chooseOption, findOption } from './choice.ts';

const gate = {
  id: 'workflow.conventions',
  options: [
    { label: 'Scan', shown: '조사', description: '', recommended: true },
    { label: 'Skip', shown: 'Übergehen', description: '', recommended: false },
    { label: 'Stop', description: '', recommended: false },
  ],
};

test.each([
  ['scan', 'Scan'],
  [' 조사 ', 'Scan'],
  ['조사'.normalize('NFD'), 'Scan'],
  ['ÜBERGEHEN', 'Skip'],
  ['Scan (Recommended)', 'Scan'],
  ['3', 'Stop'],
  ['Übergeh', undefined],
  ['0', undefined],
  ['4', undefined],
])('%j means %s', (given, label) => expect(findOption(gate, given)?.label).toBe(label));

test('a label that is another option’s translation means the option whose label it is', () => {
  const crossed = { id: 'x.y', options: [{ ...gate.options[0]!, shown: 'Stop' }, gate.options[2]!] };
  expect(findOption(crossed, 'stop')?.label).toBe('Stop');
});

test('an unknown option is refused with every choice by label and translation', () => {
  expect(() => chooseOption(gate, 'Maybe', null, 'The command line')).toThrow(
    expect.objectContaining({ details: ['The options are:', '  1. Scan (조사)', '  2. Skip (Übergehen)', '  3. Stop'] }),
  );
});

test('a long label may be given by its part before the dash', () => {
  const long = { id: 'x.y', options: [{ label: 'Skip — use best judgment', description: '', recommended: false }] };
  expect(findOption(long, 'skip')?.label).toBe('Skip — use best judgment');
  expect(findOption(long, 'use best judgment')).toBeNull();
});

test('an option that needs words is refused without them', () => {
  const asking = { id: 'x.y', options: [{ label: 'Modify', description: '', recommended: false, asks: ['What should change?'] }] };
  expect(chooseOption(asking, 'modify', 'all of it', 'The command line')).toBe('Modify');
  expect(() => chooseOption(asking, 'modify', ' ', 'The command line')).toThrow('without the words that belong to it');
});
