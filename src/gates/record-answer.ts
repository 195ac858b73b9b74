/** A person's answer, given while another process may wait for it: `harness answer` and the page do the same. */
import type { GateAnswer } from '../domain/gate.ts';
import { isoNow, type Platform } from '../platform/platform.ts';
import type { DocumentStore } from '../store/shelf.ts';
import { removeEscalation } from './escalation.ts';
import { answerGate } from './gate-files.ts';

interface Ground {
  platform: Platform;
  stateDir: string;
  store: DocumentStore;
}

export async function recordAnswer(
  { platform, stateDir, store }: Ground,
  id: string,
  given: Pick<GateAnswer, 'option' | 'text'>,
): Promise<GateAnswer & { id: string }> {
  const answer = await answerGate(store.in('gates'), id, { ...given, at: isoNow(platform.clock) });
  await removeEscalation(platform, stateDir, [answer.id]);
  return answer;
}
