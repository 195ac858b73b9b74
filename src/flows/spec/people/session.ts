/**
 * Which session a command works on: the one that is there, or a new one.
 *
 * 1. A session whose question has been answered since goes on without another question, if the task is the same.
 * 2. A session of another flow, or of another task, is never replaced without a person's word.
 */
import { usageError } from '../../../domain/errors.ts';
import { EXIT } from '../../../domain/reasons.ts';
import { hasAnswer, readGate } from '../../../gates/gate-files.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { checkReference } from '../../../kernel/ground/reference.ts';
import { slugify } from '../../../kernel/ground/slug.ts';
import { takeSessionBack } from '../../../kernel/set-aside-session.ts';
import { clearTraces, tracesOf } from '../../../kernel/session-traces.ts';
import { readSession } from '../../../kernel/state-file.ts';
import { wordsIn } from '../../../domain/words.ts';
import { ask } from '../../../gates/ask-for.ts';
import { ended, type SpecPlace, type StepResult } from '../contract.ts';
import { cleanUp, setAside } from '../files.ts';
import { conflictGate, sessionGate } from './gates.ts';
import { entryPoint, type Step } from '../machine/resume.ts';
import { say, sayIn } from '../words/say.ts';
import { beginSpec, type SpecState } from '../machine/state.ts';
import { transition } from '../machine/machine.ts';
import { createState, stateOf, writeState } from '../state-document.ts';
import { renderStatus } from './status.ts';
import { keepDocuments } from '../steps/hand-off.ts';

export type Opened = { state: SpecState } | Extract<StepResult, { kind: 'waits' | 'ended' }>;

export async function openSession(place: SpecPlace): Promise<Opened> {
  const session = await readSession(place.documents, { writer: true });
  if (session.kind === 'none') return await startNew(place);
  if (session.kind === 'spec') return await resume(place, stateOf(place, session.state));
  if (session.kind !== 'other' && isHandOff(place, session.state)) return handedOff(session.state.task, session.state.docs_path);
  return await replaceOther(place, session.kind === 'other' ? session.skill : 'workflow');
}

/** The workflow that this very spec was handed to: the same command goes on with it. */
function isHandOff({ options }: SpecPlace, other: { task: string; docs_path: string }): boolean {
  return (
    options.task !== null &&
    other.docs_path === `docs/harness/${slugify(options.task)}/` &&
    other.task.includes(`${other.docs_path}spec.md`)
  );
}

function handedOff(task: string, outputDir: string): Opened {
  const next = { flow: 'workflow' as const, task, outputDir };
  return { kind: 'ended', report: { exitCode: EXIT.done, outcome: 'complete', reasons: [], message: '', next } };
}

async function startNew(place: SpecPlace): Promise<Opened> {
  const { task } = place.options;
  const back = task === null ? null : await takeSessionBack(place, 'spec', task);
  if (back === null) return { state: await begin(place) };
  say(place, wordsIn(detectLanguage(back, null)).common.session.takenBack({ task: back }));
  return await openSession({ ...place, options: { ...place.options, task: back } });
}

/** Without a spec that a person took: what was written goes, and HEAD is where it was. */
async function discard(place: SpecPlace): Promise<void> {
  const session = await readSession(place.documents, { writer: false });
  const traces = session.kind === 'spec' && session.state.phase !== 'completed' ? tracesOf(session) : null;
  if (traces !== null) await clearTraces(place, traces);
  await cleanUp(place);
}

async function begin(place: SpecPlace): Promise<SpecState> {
  const { options } = place;
  const language = detectLanguage(options.task ?? '', null);
  const words = sayIn(language).session;
  if (options.task === null || options.task.trim() === '') throw usageError(words.noTask, words.noTaskFix);
  const reference = options.reference === null ? null : await checkReference(place, options.reference, language);
  const state = beginSpec({
    task: options.task,
    userLanguage: language,
    hasGit: place.hasGit,
    createdAt: place.now(),
    reference,
    wanted: { mode: options.mode, model_config: options.modelConfig },
  });
  await createState(place, state);
  return state;
}

async function resume(place: SpecPlace, state: SpecState): Promise<Opened> {
  const { options } = place;
  const sameTask = options.task === null || options.task.trim() === state.task.trim();
  if (state.phase === 'completed' && !sameTask) {
    await keepDocuments(place, state);
    await cleanUp(place);
    return await startNew(place);
  }
  if (sameTask && (await wasAnswered(place, state))) return { state: checkedFor(place, state) };
  const words = sayIn(state.user_lang).session;
  const gate = sessionGate(state, renderStatus(state), sameTask ? null : options.task);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option === 'Resume') {
    const same = checkedFor(place, state);
    say(place, words.goesOn({ phase: wordsIn(state.user_lang).common.specPhases[state.phase] }));
    return { state: same };
  }
  if (answer.option === 'Write again') {
    const { state: again } = transition(state, { type: 'begun.again' });
    await writeState(place, again);
    return { state: again };
  }
  if (answer.option === null) return await resume(place, state);
  if (answer.option === 'Start the new task') {
    await setAside(place, state.task);
    say(place, wordsIn(state.user_lang).common.session.setAside({ task: state.task, command: `harness spec "${state.task}"` }));
    return await startNew(place);
  }
  const task = options.task ?? state.task;
  await discard(place);
  if (answer.option === 'Restart') return { state: await begin({ ...place, options: { ...options, task } }) };
  return ended(EXIT.partial, 'partial', ['user_pause'], words.stopped);
}

/** A session keeps the mode it began with: another one on the command line is refused, never left out silently. */
function checkedFor({ options }: SpecPlace, state: SpecState): SpecState {
  const { mode } = state;
  if (options.mode === null || mode === null || options.mode === mode) return state;
  throw usageError(
    `The spec of "${state.task}" is under way with other settings: --mode is ${mode}, not ${options.mode}.`,
    'Give the command without it, or choose Restart at the question about the session.',
  );
}

/** The question at which the session stands has an answer; or nobody is there to be asked whether to go on, and the question waits. */
async function wasAnswered(place: SpecPlace, state: SpecState): Promise<boolean> {
  for (const name of gatesOf(entryPoint(state), state)) {
    const id = `spec.${name}`;
    if (await hasAnswer(place.documents.folder('gates'), id)) return true;
    if (place.options.interactive) continue;
    if ((await place.asker.expects(id)) || (await readGate(place.documents.folder('gates'), id)) !== null) return true;
  }
  return false;
}

function gatesOf(step: Step, state: SpecState): string[] {
  return step === 'question' ? [`questions-${state.qa_round ?? 1}`] : (ASKED_AT[step] ?? []);
}

const ASKED_AT: Partial<Record<Step, string[]>> = {
  route: ['routing'],
  name: ['slug-collision'],
  'choose-mode': ['mode'],
  'choose-model': ['model'],
  'confirm-model': ['model-confirm'],
  scan: ['conventions'],
  'ask-parse': ['critic-parse'],
  'ask-critic': ['critic'],
  'ask-second': ['critic-second'],
  approve: ['approval'],
  'hand-off': ['next'],
};

async function replaceOther(place: SpecPlace, skill: string): Promise<Opened> {
  const { options } = place;
  const language = detectLanguage(options.task ?? '', null);
  const gate = conflictGate(language, skill);
  const answer = await ask(place, gate);
  if (answer === 'pending') return { kind: 'waits', gate: gate.id };
  if (answer.option !== 'Delete and start') return ended(EXIT.partial, 'partial', ['user_pause'], '');
  await cleanUp(place);
  for (const name of ['planner', 'generator', 'autofix_pre_apply'] as const) await place.documents.remove(name);
  return { state: await begin(place) };
}
