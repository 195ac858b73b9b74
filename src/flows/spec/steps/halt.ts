/** A session that only a person can bring on again says why, and how. */
import { EXIT } from '../../../domain/reasons.ts';
import { ended, type StepFunction } from '../contract.ts';
import { writeEscalationNote } from '../../../kernel/escalation-note.ts';
import { specPath } from '../files.ts';
import { sayIn } from '../words/say.ts';

export const explainHalt: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang).halted;
  const why = words.message({ reason: state.critic?.failure_reason ?? 'unknown' });
  const ways = [words.read, words.again, words.restart];
  const findings = state.critic?.last_findings_path;
  await writeEscalationNote(place, { trigger: 'spec.halted', why, ways, facts: [specPath(state), ...(findings ? [findings] : [])] });
  return ended(EXIT.escalated, 'escalated', ['gate.pending'], [why, ...ways].join('\n'));
};
