/** The questions of a session: what is asked, and which event an answer is. */
import { pathsInSubjects } from '../../../domain/finding-paths.ts';
import type { Question } from '../../../domain/gate.ts';
import { differenceOf } from '../../../kernel/ground/difference.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { askFor } from '../../../gates/ask-for.ts';
import { applyProposal, autofixModel, PATCH_PATH, proposal } from './autofix.ts';
import { benchFor, type Bench } from '../bench.ts';
import { baseOf, currentTree } from '../candidate.ts';
import type { Landing } from '../contract.ts';
import { readDocumentText } from '../documents.ts';
import { failedLayers, prepareLanding } from './finish.ts';
import { requireSpec } from '../people/prerequisites.ts';
import { autofixGate, commitGate, protectedGate, qaGate, specGate, verifyGate } from '../people/gates.ts';
import { acceptedAs } from '../machine/asks.ts';
import type { Action } from '../machine/machine.ts';
import { makePlan } from './plan.ts';
import { failingItems } from '../machine/qa-verdict.ts';
import { isStopped, partial } from '../role-call.ts';
import { send, waiting, type Step } from './contract.ts';
import { mustHave } from '../../../domain/must-have.ts';

export function askGate(bench: Bench, gate: Extract<Action, { kind: 'ask' }>['gate']): Promise<Step> {
  return ASKED[gate](bench);
}

const ASKED = {
  'workflow.spec': askSpec,
  'workflow.tampering': askProtected,
  'workflow.dependencies': askProtected,
  'workflow.verify': askVerify,
  'workflow.qa': askQa,
  'workflow.commit': askCommit,
};

type Answered<Label extends string> = { label: Label; text: string | null; language: string } | { end: Step };

async function ask<Label extends string>(
  bench: Bench,
  gate: Question<Label>,
  wordsMean: NoInfer<Label> | null = null,
): Promise<Answered<Label>> {
  const { place, session, words } = bench;
  const asked = await askFor(place, gate, wordsMean);
  if (asked.kind === 'waits') return { end: { kind: 'end', report: waiting(words.halted.waits({ gate: asked.gate })) } };
  return { ...asked, language: asked.text === null ? session.user_lang : detectLanguage(asked.text, session.user_lang) };
}

async function askSpec(bench: Bench): Promise<Step> {
  const { place, session, words } = bench;
  const spec = (await readDocumentText(place, session, 'spec.md')) ?? '';
  const answer = await ask(bench, specGate(bench, spec), 'Modify');
  if ('end' in answer) return answer.end;
  if (answer.label === 'Proceed') requireSpec(session, spec);
  if (answer.label === 'Proceed') return send({ type: 'proceed' }, answer.language);
  if (answer.label === 'Stop') return send({ type: 'stop' });
  const wish = answer.text?.trim() ?? '';
  const stopped = wish === '' ? null : await makePlan(benchFor(place, { ...session, user_lang: answer.language }), { spec, wish });
  if (stopped !== null) return { kind: 'end', report: stopped.stopped };
  if (wish === '') bench.tell(words.spec.edited);
  return send({ type: 'modified' }, answer.language);
}

/** Changed tests, settings or dependencies: accepted as they are shown, or given back with what the person says. */
async function askProtected(bench: Bench): Promise<Step> {
  const { place, session, words } = bench;
  const asks = mustHave(session.harness.asks, 'this question is about changes of protected files');
  const [base, candidate] = [baseOf(session).tree, currentTree(session)];
  const paths = pathsInSubjects(asks.subjects);
  const answer = await ask(bench, protectedGate(bench, asks, await differenceOf(place, { base, candidate }, paths)), 'Reject');
  if ('end' in answer) return answer.end;
  if (answer.label === 'Stop') return send({ type: 'stop' });
  const what = `${answer.label === 'Accept' ? 'accepted' : 'rejected'} at ${asks.gate}: ${asks.subjects.join(', ')}`;
  place.emit({ type: 'decision', session: null, text: what, by: 'user' });
  if (answer.label === 'Accept')
    return send({ type: 'allow', accepted: acceptedAs(asks, await place.trees.diff(base, candidate)) }, answer.language);
  const refused = { paths: asks.subjects.join(', '), said: answer.text?.trim() ?? '' };
  const summary = refused.said === '' ? words.protected.refused(refused) : words.protected.refusedSaying(refused);
  return send({ type: 'deny', summary }, answer.language);
}

async function askVerify(bench: Bench): Promise<Step> {
  const answer = await ask(bench, verifyGate(bench));
  if ('end' in answer) return answer.end;
  if (answer.label === 'Stop') return send({ type: 'stop' });
  if (answer.label === 'Continue to Evaluator') return send({ type: 'continue' }, answer.language);
  return send({ type: 'propose', path: PATCH_PATH, at: bench.place.now() }, answer.language);
}

/** The proposal is made once; its confidence is written down before a person is asked. */
export async function autofix(bench: Bench): Promise<Step> {
  const { session, words } = bench;
  const made = await proposal(bench);
  if (isStopped(made)) return { kind: 'end', report: made.stopped };
  if (session.harness.confidence === null) return send({ type: 'proposed', confidence: made.confidence });
  bench.tell(words.autofix.model({ model: autofixModel(bench) }));
  if (!made.usable) {
    bench.warn(words.autofix.empty);
    return send({ type: 'reject' });
  }
  const answer = await ask(bench, autofixGate(bench, made));
  if ('end' in answer) return answer.end;
  if (answer.label === 'Stop') return send({ type: 'stop' });
  if (answer.label === 'Reject') return send({ type: 'reject' }, answer.language);
  const applied = await applyProposal(bench, made.text);
  return send(applied.ok ? { type: 'apply', candidate: applied.candidate } : { type: 'reject' }, answer.language);
}

async function askQa(bench: Bench): Promise<Step> {
  const { place, session, words } = bench;
  const items = failingItems((await readDocumentText(place, session, 'qa_report.md')) ?? '');
  if (session.harness.verdict === 'FAIL L2') bench.tell(words.evaluate.exhausted, ...items);
  const answer = await ask(bench, qaGate(bench, items), 'Fix');
  if ('end' in answer) return answer.end;
  if (answer.label !== 'Fix') return send({ type: 'accept' }, answer.language);
  const wish = answer.text?.trim() ?? '';
  return send({ type: 'fix', ...(wish === '' ? {} : { wish }) }, answer.language);
}

const CHOICES = { 'Commit code only': 'code', 'Commit all': 'all', 'No commit': 'none' } as const;

async function askCommit(bench: Bench): Promise<Step> {
  const { place, session } = bench;
  const open = failedLayers(session).filter((layer) => !session.harness.accepted.includes(layer));
  let choice: Landing['choice'] = 'none';
  if (place.hasGit || open.length > 0) {
    const changes = await place.trees.diff(baseOf(session).tree, currentTree(session));
    const answer = await ask(
      bench,
      commitGate(
        bench,
        changes.map((change) => change.path),
        open,
      ),
    );
    if ('end' in answer) return answer.end;
    choice = place.hasGit ? CHOICES[answer.label] : 'none';
  }
  const landing = await prepareLanding(bench, choice);
  return landing === null
    ? { kind: 'end', report: partial(['write.outside'], bench.words.finish.kept) }
    : send({ type: 'finish', landing });
}
