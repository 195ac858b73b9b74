/** The set-up: is it a spec task, where do its documents go, how deep, with which models, on which branch. */
import { join } from 'node:path';
import { ask } from '../../../gates/ask-for.ts';
import { usageError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import type { Place } from '../../../kernel/place.ts';
import { branchOff, originOf } from '../../../kernel/ground/session-branch.ts';
import { answerModelQuestion, parseModels, type ModelRole, type RoleModels } from '../../../kernel/roles/models.ts';
import { slugify, slugWithTimestamp } from '../../../kernel/ground/slug.ts';
import { wordsIn } from '../../../domain/words.ts';
import { ended, happened, type StepFunction } from '../contract.ts';
import { cleanUp, docsError, KEPT_FILES, refusedDocsPath } from '../files.ts';
import { collisionGate, modelConfirmGate, modelGate, modeGate, routingGate } from '../people/gates.ts';
import { routingSignal, SUGGESTED } from '../machine/routing.ts';
import { say, sayIn, warn } from '../words/say.ts';
import type { ModelChoice } from '../machine/state.ts';
import { renderStart } from '../people/status.ts';
import { mustHave } from '../../../domain/must-have.ts';

/** The spec flow has no evaluator. */
const ROLES: readonly ModelRole[] = ['executor', 'advisor'];
const MOST_TRIES = 3;

export const route: StepFunction = async (place, state) => {
  const signal = routingSignal(state.task);
  if (signal === null) return happened({ type: 'routed' });
  const command = SUGGESTED[signal];
  const line = `harness ${command} ${JSON.stringify(state.task)}`;
  const gate = routingGate(state.user_lang, signal, command, line);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === null) return { kind: 'again' };
  if (answer.option === 'Continue with /spec') return happened({ type: 'routed' });
  await cleanUp(place);
  return ended(EXIT.done, 'complete', [], sayIn(state.user_lang).routing.switched({ line }));
};

export const name: StepFunction = async (place, state) => {
  const slug = slugify(state.task);
  const named = (chosen: string) =>
    happened({ type: 'named', docs_path: `docs/harness/${chosen}/`, branch: state.has_git ? `harness/spec-${chosen}` : null });
  if (!(await holdsDocuments(place, `docs/harness/${slug}/`))) return named(slug);
  // By the time at which the session began: what the question names is what is written, however late the answer comes.
  const begun = Date.parse(state.created_at);
  const stamped = slugWithTimestamp(slug, Number.isNaN(begun) ? place.platform.clock.now() : begun);
  const gate = collisionGate(state.user_lang, `docs/harness/${slug}/`, `docs/harness/${stamped}/`);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === 'Append timestamp') return named(stamped);
  if (answer.option === 'Overwrite') return named(slug);
  if (answer.option === null) return { kind: 'again' };
  await cleanUp(place);
  return ended(EXIT.partial, 'partial', ['user_pause'], sayIn(state.user_lang).collision.stopped);
};

async function holdsDocuments(place: Place, docsPath: string): Promise<boolean> {
  for (const file of KEPT_FILES) if (await place.platform.files.exists(join(place.root, docsPath, file))) return true;
  return false;
}

export const chooseMode: StepFunction = async (place, state) => {
  const wanted = place.options.mode ?? state.harness.wanted.mode;
  if (wanted !== null) return happened({ type: 'mode.chosen', mode: wanted });
  const gate = modeGate(state.user_lang);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  return answer.option === 'quick' || answer.option === 'deep' ? happened({ type: 'mode.chosen', mode: answer.option }) : { kind: 'again' };
};

export const chooseModel: StepFunction = async (place, state) => {
  const words = wordsIn(state.user_lang).common.model;
  const wanted = place.options.modelConfig ?? state.harness.wanted.model_config;
  if (wanted !== null) {
    const parsed = parseModels(wanted, ROLES);
    if (parsed.ok) return happened({ type: 'model.chosen', model: choiceOf(parsed.models), confirmed: true });
    throw usageError(words.presetUnknown({ given: parsed.invalid.join(', ') }));
  }
  const tries = state.harness.model_tries;
  const gate = modelGate(state.user_lang);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  const next = answerModelQuestion(tries, answer.option ?? answer.text ?? '', ROLES);
  if (next.status === 'chosen') {
    if (next.gaveUp) warn(place, words.gaveUp);
    return happened({ type: 'model.chosen', model: choiceOf(next.models), confirmed: next.models.preset !== 'custom' });
  }
  warn(place, words.invalid({ parts: next.invalid.join(', '), left: MOST_TRIES - next.retries }));
  return happened({ type: 'model.refused' });
};

export const confirmModel: StepFunction = async (place, state) => {
  const gate = modelConfirmGate(state);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === null) return { kind: 'again' };
  return happened({ type: answer.option === 'Use it' ? 'model.confirmed' : 'model.withdrawn' });
};

function choiceOf(models: RoleModels): ModelChoice {
  return { ...models, evaluator: null };
}

/** Directories and branch; on a second try what is there already stays. */
export const takePlace: StepFunction = async (place, state) => {
  const refusal = await refusedDocsPath(place, state.docs_path);
  if (refusal !== null) throw docsError(state, refusal);
  const origin = state.has_git ? await originOf(place, state.branch) : null;
  const branch = state.has_git ? await branchOff(place, mustHave(state.branch, 'work in a repository has a branch')) : null;
  if (state.has_git && branch === null) say(place, sayIn(state.user_lang).branchSkipped);
  await place.documents.folder('spec').make();
  await place.platform.files.mkdir(join(place.root, state.docs_path));
  place.emit({ type: 'progress', message: renderStart({ ...state, branch }, sayIn(state.user_lang).started) });
  return happened({ type: 'placed', branch, origin: branch === null ? null : origin });
};
