/** The critic and the three questions that can follow it. */
import { ask } from '../../../gates/ask-for.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { happened, type StepFunction, ended } from '../contract.ts';
import { readSpec, readWork, removeWork, writeWork, specPath } from '../files.ts';
import { criticGate, parseGate, secondGate } from '../people/gates.ts';
import { countIds, criticCounts } from '../machine/reply-lines.ts';
import { callFor, earlyEnd } from '../role-call.ts';
import { say, sayIn, warn } from '../words/say.ts';
import type { Counts, SpecState } from '../machine/state.ts';
import { fenceOrNone, variablesFor } from '../words/variables.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { writeEscalationNote } from '../../../kernel/escalation-note.ts';

const TRIES = 3;
const ROLE = 'spec/critic';
export const FINDINGS_FILE = 'critic_findings.md';

/** No file after three tries is a critic that was not there; a file without a readable line is one that a person has to read. */
export const criticise: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang).critic;
  say(place, words.started);
  const variables = {
    ...(await variablesFor(place, state)),
    spec: fenceOrNone('specification', (await readSpec(place, state)) ?? ''),
  };
  const call = await callFor(place, state, { role: ROLE, output: FINDINGS_FILE, variables });
  for (let tries = 0; tries < TRIES; tries++) {
    const result = await place.callRole(place, call);
    const over = earlyEnd(state, ROLE, result.stop);
    if (over !== null) return over;
    if (result.output === null) continue;
    await writeWork(place, FINDINGS_FILE, result.output);
    const counts = criticCounts(result.reply);
    if (counts === null) {
      warn(place, words.parseFailed);
      return happened({ type: 'critic.unparsed' });
    }
    if (counts.critical === 0 && counts.major === 0) say(place, words.clean({ minor: counts.minor }));
    return happened({ type: 'critic.counted', counts });
  }
  await removeWork(place, FINDINGS_FILE);
  warn(place, `⚠⚠ ${words.dispatchFailed}`);
  return happened({ type: 'critic.failed' });
};

export const askParse: StepFunction = async (place, state) => {
  const gate = parseGate(state.user_lang);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === null) return { kind: 'again' };
  if (answer.option === 'Approve as-is') return happened({ type: 'parse.approved' });
  return happened({ type: 'parse.stopped', hasFindings: (await readWork(place, FINDINGS_FILE)) !== null });
};

export const askCritic: StepFunction = async (place, state) => {
  const findings = await readWork(place, FINDINGS_FILE);
  if (findings === null) {
    warn(place, sayIn(state.user_lang).critic.findingsLost);
    return happened({ type: 'findings.lost' });
  }
  const gate = criticGate(state, knownCounts(state) ?? countIds(findings));
  const answer = await ask(place, { ...gate, context: findings.trimEnd().split('\n') });
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  const text = answer.text?.trim() || null;
  const user_lang = detectLanguage(text ?? '', state.user_lang);
  if (answer.option === 'Approve as-is') return happened({ type: 'critic.accepted' });
  if (answer.option === 'Auto-revise') return happened({ type: 'revision.chosen', modification: text, user_lang });
  return text === null ? { kind: 'again' } : happened({ type: 'revision.chosen', modification: text, user_lang });
};

export const enterRecritic: StepFunction = async () => happened({ type: 'recritic.entered' });

export const askSecond: StepFunction = async (place, state) => {
  const findings = await readWork(place, FINDINGS_FILE);
  if (findings === null) {
    warn(place, sayIn(state.user_lang).critic.findingsLost);
    return happened({ type: 'findings.lost' });
  }
  const gate = secondGate(state, knownCounts(state) ?? countIds(findings));
  const answer = await ask(place, { ...gate, context: findings.trimEnd().split('\n') });
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === 'Approve as-is') return happened({ type: 'critic.accepted' });
  return answer.option === 'Stop' ? happened({ type: 'critic.stopped' }) : { kind: 'again' };
};

function knownCounts(state: SpecState): Counts | null {
  return state.harness.findings === 'unparsed' ? null : state.harness.findings;
}

/** A session that only a person can bring on again says why, and how. */
export const explainHalt: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang).halted;
  const why = words.message({ reason: state.critic?.failure_reason ?? 'unknown' });
  const ways = [words.read, words.again, words.restart];
  const findings = state.critic?.last_findings_path;
  await writeEscalationNote(place, { trigger: 'spec.halted', why, ways, facts: [specPath(state), ...(findings ? [findings] : [])] });
  return ended(EXIT.escalated, 'escalated', ['gate.pending'], [why, ...ways].join('\n'));
};
