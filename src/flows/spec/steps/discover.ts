/** The questions: an analyst finds them, a person answers, the notes keep both. */
import { ask } from '../../../gates/ask-for.ts';
import type { GateAnswer } from '../../../domain/gate.ts';
import { detectLanguage } from '../../../kernel/words/language.ts';
import { mapAnswers, type Answer } from '../machine/answers.ts';
import { happened, type SpecPlace, type StepFunction, type StepResult } from '../contract.ts';
import { readWork, writeWork } from '../files.ts';
import { questionsGate } from '../people/gates.ts';
import { answersTo, parseNotes, renderNotes, withAnswers } from '../machine/notes.ts';
import { mostQuestions, readQuestions } from '../machine/questions.ts';
import { callFor, earlyEnd } from '../role-call.ts';
import { say, sayIn, warn } from '../words/say.ts';
import { answeredRounds, LAST_ROUND, type Question, type SpecState } from '../machine/state.ts';
import { variablesFor } from '../words/variables.ts';

export const NOTES_FILE = 'qa_notes.md';

/** One more try for a file that is missing or cannot be read; then general questions in the first round, none later. */
export const inquire: StepFunction = async (place, state) => {
  const round = answeredRounds(state) + 1;
  if (round > LAST_ROUND) return happened({ type: 'questions.none' });
  const words = sayIn(state.user_lang).qa;
  say(place, words.looking({ round }));
  const common = await variablesFor(place, state);
  const variables = { ...common, round: String(round), most_questions: String(mostQuestions(round)) };
  for (let tries = 0; tries < 2; tries++) {
    const result = await place.callRole(
      place,
      await callFor(place, state, { role: 'spec/discovery-analyst', output: 'questions.json', variables }),
    );
    const over = earlyEnd(state, 'spec/discovery-analyst', result.stop);
    if (over !== null) return over;
    const questions = result.output === null ? null : readQuestions(result.output, round);
    if (questions !== null) return ready(state, round, questions, false);
  }
  warn(place, words.unreadable({ round }));
  return ready(state, round, [], true);
};

/** No questions is an answer too; general ones are asked in the first round where nobody can read what the analyst wrote. */
function ready(state: SpecState, round: number, questions: Question[], unreadable: boolean): StepResult {
  const general = unreadable && round === 1 ? Object.values(sayIn(state.user_lang).qa.general) : questions;
  return general.length === 0
    ? happened({ type: 'questions.none' })
    : happened({ type: 'questions.ready', questions: general.map(({ question, why }) => ({ question, why })), unreadable });
}

export const question: StepFunction = async (place, state) => {
  const questions = state.harness.questions ?? [];
  const notes = parseNotes((await readWork(place, NOTES_FILE)) ?? '');
  const known = answersTo(notes, questions);
  if (known !== null) return finish(place, state, { last: known.every((answer) => answer === null), language: state.user_lang });
  const gate = questionsGate(state);
  const given = await ask(place, gate);
  if (given === 'pending') return { kind: 'waits', gate: gate.id };
  const reading = readAnswers(given, questions.length);
  if (reading === null) return { kind: 'again' };
  const remark = state.harness.questions_unreadable ? sayIn(state.user_lang).qa.unreadable({ round: state.qa_round ?? 1 }) : null;
  await writeWork(place, NOTES_FILE, renderNotes(withAnswers(notes, questions, reading.answers, remark)));
  return finish(place, state, { last: reading.last, language: detectLanguage(given.text ?? '', state.user_lang) });
};

function readAnswers(given: GateAnswer, count: number): { answers: Answer[]; last: boolean } | null {
  const text = given.text?.trim() ?? '';
  const closes = given.option !== null && given.option !== 'Answer inline';
  if (text === '' && !closes) return null;
  const answers = text === '' ? Array.from({ length: count }, () => null) : mapAnswers(text, count);
  return { answers, last: closes };
}

function finish(place: SpecPlace, state: SpecState, end: { last: boolean; language: string }): StepResult {
  if (end.last || (state.qa_round ?? 1) >= 3) say(place, sayIn(end.language).qa.complete);
  return happened({ type: 'answered', last: end.last, user_lang: end.language });
}
