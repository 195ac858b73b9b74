/** What a person is asked: about an escalation, and about work that only they may let land. */
import { EXIT } from '../../../domain/reasons.ts';
import { readVerdict } from '../../../kernel/flight/verdict-files.ts';
import { differenceText } from '../../../kernel/ground/difference.ts';
import type { GateAnswer } from '../../../domain/gate.ts';
import type { Candidate } from '../../../kernel/mission-schema.ts';
import { ended, type MissionPlace, type StepFunction } from '../contract.ts';
import { candidateOf } from '../machine/changes.ts';
import type { MissionEvent } from '../machine/state.ts';
import { removeEscalationNote, writeEscalationNote } from '../../../kernel/escalation-note.ts';
import { candidateGate, escalationGate, RELEASE } from '../people/gates.ts';
import { waiting } from './prove.ts';
import { inPhase, mustHave } from '../../../domain/must-have.ts';

export const askAboutEscalation: StepFunction = async (place, { mission }) => {
  const gate = escalationGate(mission);
  const { reason, feature } = mustHave(mission.escalation, 'a question is asked only at an escalation');
  const facts = mission.evidence
    .filter((one) => feature === null || one.feature === feature)
    .map((one) => `session ${one.session} on ${one.feature}: ${one.message}`);
  const ways = gate.options.map(({ label, description }) => `harness answer mission.escalated "${label}": ${description}`);
  if ((await place.asker.foresee(gate)) === null)
    await writeEscalationNote(place, { trigger: 'mission.escalated', why: reason, ways, facts: facts.slice(-10) });
  const answer = await place.asker.ask(gate);
  if (answer === 'pending')
    return { rest: ended('escalated', [], `${reason}. ${place.documents.where('escalation')} lists your options`, EXIT.escalated) };
  await removeEscalationNote(place, 'mission');
  const option = (answer.option ?? 'Try again') as 'Try again' | 'Skip it' | 'End';
  place.emit({ type: 'decision', session: null, text: `mission.escalated: ${option}`, by: 'user' });
  if (option === 'End') return { rest: ended('escalated', [], reason, EXIT.escalated) };
  return { event: { type: 'answered', option, text: answer.text } };
};

/** Each that waits is asked about; the first answer is carried out, and where there is none all of them wait. */
export const askAboutCandidate: StepFunction = async (place, { mission }) => {
  for (const candidate of mission.candidates) {
    const answer = await place.asker.ask(await questionAbout(place, candidate));
    if (answer !== 'pending') return { event: told(place, candidate, answer) };
  }
  return { rest: waiting(mission.candidates.map(({ feature }) => `mission.review:${feature.toLowerCase()}`)) };
};

/** The question is written down while others go on. An answer that was given beforehand is carried out once nobody flies. */
export const leaveQuestion: StepFunction = async (place, { mission }, { feature }) => {
  const candidate = candidateOf(mission, feature);
  const question = await questionAbout(place, candidate);
  const answer = (await place.asker.answered(question.id)) ? 'pending' : await place.asker.leave(question);
  return { event: answer === 'pending' ? { type: 'candidate.told', feature: candidate.feature } : told(place, candidate, answer) };
};

async function questionAbout(place: MissionPlace, candidate: Candidate): Promise<ReturnType<typeof candidateGate>> {
  const { flight } = candidate;
  const verdict = await readVerdict(place, inPhase(flight, 'verdict'));
  const findings = (verdict?.findings ?? []).filter(({ weight }) => weight !== 'warn');
  const why = findings[0]?.message ?? verdict?.reasons.join(', ') ?? 'it could not be judged by itself';
  const difference = (await differenceText(place, await place.trees.of(flight.base), inPhase(flight, 'tree'))).slice(0, 8_000);
  const differences = [...findings.flatMap(({ subjects }) => subjects).slice(0, 20), difference];
  return candidateGate(candidate, { why, differences, releases: verdict?.reasons.includes('accepted.failed') === true });
}

function told(place: MissionPlace, { feature, flight }: Candidate, { option, text }: GateAnswer): MissionEvent {
  const releases = option === RELEASE;
  const accepted = option === 'Accept' || releases;
  place.emit({
    type: 'decision',
    session: flight.session,
    text: `${feature}: ${accepted ? 'accepted' : 'rejected'} by a person`,
    by: 'user',
  });
  return { type: 'candidate.answered', feature, accepted, text, ...(releases ? { releases } : {}) };
}
