/** A person's answer, given while another process may wait for it: `harness answer` and the page do the same. */
import type { GateAnswer } from '../domain/gate.ts';
import { isoNow, type Clock } from '../platform/platform.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { removeEscalation } from './escalation.ts';
import { answerGate } from './gate-files.ts';

interface Ground {
  clock: Clock;
  store: DocumentStore;
}

export async function recordAnswer(
  { clock, store }: Ground,
  id: string,
  given: Pick<GateAnswer, 'option' | 'text'>,
): Promise<GateAnswer & { id: string }> {
  const answer = await answerGate(store.in('gates'), id, { ...given, at: isoNow(clock) });
  await removeEscalation(store, [answer.id]);
  return answer;
}
