import { describe, expect, test } from 'vitest';
import type { Feature } from '../../../domain/feature.ts';
import type { Gate, GateAnswer } from '../../../domain/gate.ts';
import { confirmList } from './remarks.ts';

const FEATURES: Feature[] = [
  { id: 1, description: 'A user can add', passes: false, size_estimate: 'small', verification_steps: ['a', 'b'] },
  { id: 2, description: 'A user can\nsubtract', passes: false, depends_on: [1] },
];

function asked(answer: Partial<GateAnswer> | 'pending' | null): { seen: Omit<Gate, 'asked_at'>[]; result: ReturnType<typeof confirmList> } {
  const seen: Omit<Gate, 'asked_at'>[] = [];
  const result = confirmList(FEATURES, {
    expects: async () => answer !== null,
    ask: async (gate) => {
      seen.push(gate);
      return answer === 'pending' ? answer : { option: null, text: null, by: 'terminal', ...answer };
    },
  });
  return { seen, result };
}

describe('the proposed list', () => {
  test('is shown line by line to a person who is there', async () => {
    const { seen, result } = asked({ option: 'Accept list' });
    expect(await result).toEqual({ kind: 'accepted' });
    expect(seen[0]).toMatchObject({
      id: 'project.features',
      context: ['#1 A user can add (small, 2 steps)', '#2 A user can subtract (after #1)'],
      options: [{ label: 'Accept list', recommended: true }, { label: 'Change list', asks: [expect.any(String)] }, { label: 'Stop' }],
    });
  });

  test('is taken where nobody is there, and nobody is asked', async () => {
    const { seen, result } = asked(null);
    expect([await result, seen]).toEqual([{ kind: 'accepted' }, []]);
    expect(await confirmList(FEATURES, undefined)).toEqual({ kind: 'accepted' });
  });

  test.each([
    ['Change list', { option: 'Change list', text: ' split it ' }, { kind: 'changes', text: 'split it' }],
    ['words alone', { text: 'split it' }, { kind: 'changes', text: 'split it' }],
    ['Stop', { option: 'Stop' }, { kind: 'declined' }],
  ])('is not taken after %s', async (_, answer, expected) => {
    expect(await asked(answer).result).toEqual(expected);
  });
});
