/** The gate that nobody but a person passes. */
import { ask } from '../../../gates/ask-for.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import type { Place } from '../../../kernel/place.ts';
import { ended, happened, type StepFunction } from '../contract.ts';
import { cleanUp, readSpec, readWork, specPath } from '../files.ts';
import { UNCONFIRMED } from '../machine/answers.ts';
import { approvalGate } from '../people/gates.ts';
import { say, sayIn, warn } from '../words/say.ts';
import type { SpecState } from '../machine/state.ts';
import { renderStatus } from '../people/status.ts';
import { FINDINGS_FILE } from './criticise.ts';

export const reachGate: StepFunction = async () => happened({ type: 'gate.reached' });

/** A crash of an older version between two writes: the critic was done, but where its findings are may be lost. */
export const reachGateLegacy: StepFunction = async (place, state) => {
  const known = (state.critic?.last_findings_path ?? null) !== null && (await readWork(place, FINDINGS_FILE)) !== null;
  if (!known) warn(place, sayIn(state.user_lang).critic.legacy);
  return happened({ type: 'gate.reached' });
};

export const approve: StepFunction = async (place, state) => {
  const words = sayIn(state.user_lang);
  const spec = (await readSpec(place, state)) ?? '';
  const remarks = await remarksOn(place, state);
  const unconfirmed = countOf(spec, new Set([UNCONFIRMED, words.unconfirmed]));
  for (const banner of remarks.banners) warn(place, banner);
  say(place, words.synthesis.ready);
  place.emit({ type: 'progress', message: renderStatus(state) });
  const gate = approvalGate(state.user_lang, [
    ...remarks.banners,
    specPath(state),
    ...remarks.notes,
    ...(unconfirmed === 0 ? [] : [words.approval.unconfirmed({ count: unconfirmed })]),
    '',
    ...spec.trimEnd().split('\n'),
  ]);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  const text = answer.text?.trim() || null;
  if (answer.option === 'Approve') return happened({ type: 'approved' });
  if (answer.option === 'Stop') {
    await cleanUp(place);
    return ended(EXIT.partial, 'partial', ['user_pause'], words.approval.stopped({ path: specPath(state) }));
  }
  if (text === null) return { kind: 'again' };
  const user_lang = detectLanguage(text, state.user_lang);
  say(place, sayIn(user_lang).approval.again);
  return happened({ type: 'modified', modification: text, user_lang });
};

/** Marks may stand there in English as well, as in the notes. */
function countOf(text: string, marks: ReadonlySet<string>): number {
  return [...marks].reduce((sum, mark) => sum + text.split(mark).length - 1, 0);
}

/** What a person has to know about how this spec came about. */
async function remarksOn(place: Place, state: SpecState): Promise<{ banners: string[]; notes: string[] }> {
  const words = sayIn(state.user_lang);
  const { critic, harness } = state;
  const banners = [
    ...(critic?.failure_reason === 'dispatch_failed' ? [`⚠⚠ failure_reason="dispatch_failed": ${words.critic.dispatchFailed}`] : []),
    ...(critic?.failure_reason === 'parse_failed_approved' ? [words.critic.approvedUnread] : []),
    ...(harness.missing_sections.length > 0 ? [words.synthesis.missing({ sections: harness.missing_sections.join(', ') })] : []),
  ];
  const path = critic?.last_findings_path ?? null;
  const shown = path !== null && (await readWork(place, FINDINGS_FILE)) !== null;
  return { banners, notes: shown ? [words.critic.findings({ path })] : [] };
}
