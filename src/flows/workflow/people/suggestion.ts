/** The next step of a session, as a question. */
import type { Bench } from '../bench.ts';
import type { Phase } from '../contract.ts';

export const NEXT: Readonly<Record<Phase, 'plan' | 'generate' | 'verify' | 'evaluate' | 'finish'>> = {
  plan_ready: 'plan',
  planning: 'plan',
  plan_done: 'generate',
  generate_ready: 'generate',
  generating: 'generate',
  generate_done: 'verify',
  verify_ready: 'verify',
  verifying: 'verify',
  verify_done: 'evaluate',
  evaluate_ready: 'evaluate',
  evaluating: 'evaluate',
  evaluate_done: 'finish',
  completed: 'finish',
};

export function suggestion({ session, words }: Pick<Bench, 'session' | 'words'>): string {
  if (session.phase === 'verify_done' && session.verify.layer1_result === 'FAIL') return words.next.despite;
  return words.next[NEXT[session.phase]];
}
