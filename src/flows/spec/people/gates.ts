/**
 * The questions of the spec flow: English labels as keys, everything else in the language of the person. Pure.
 *
 * The ids are part of the program's surface: `spec.session`, `spec.session-conflict`, `spec.routing`, `spec.slug-collision`, `spec.mode`,
 * `spec.model`, `spec.model-confirm`, `spec.conventions`, `spec.questions-1` to `-3`, `spec.critic`, `spec.critic-parse`, `spec.critic-second`, `spec.approval`,
 * `spec.next`.
 */
import type { Question } from '../../../domain/gate.ts';
import { wordsIn } from '../../../domain/words.ts';
import { isOlderSession } from '../machine/resume.ts';
import { renderQuestions } from '../machine/questions.ts';
import type { Signal } from '../machine/routing.ts';
import { sayIn } from '../words/say.ts';
import type { Counts, SpecState } from '../machine/state.ts';

type Option<Label extends string> = Question<Label>['options'][number];

interface Shown {
  shown: string;
  description: string;
}

/** `wanted`: the other task that the command gives, if it gives one. */
export function sessionGate(state: SpecState, status: string, wanted: string | null) {
  const common = wordsIn(state.user_lang).common.session;
  const words = sayIn(state.user_lang).session;
  const resume = state.phase === 'critic_halted' ? words.resumeHalted : isOlderSession(state) ? words.resumeOlder : null;
  const phase = wordsIn(state.user_lang).common.specPhases[state.phase];
  const question =
    wanted === null ? words.question({ status }) : common.questionOther({ open: shortened(state.task), wanted: shortened(wanted) });
  return gate(state.user_lang, 'session', {
    header: common.header,
    question,
    options: [
      ...(wanted === null ? [] : [option('Start the new task', common.startNew, { recommended: true })]),
      option(
        'Resume',
        { shown: common.resume.shown, description: resume ?? common.resume.description({ phase }) },
        { recommended: wanted === null },
      ),
      ...(state.phase === 'critic_halted' ? [option('Write again', words.again)] : []),
      option('Restart', common.restart),
      option('Stop', common.stop),
    ],
  });
}

function shortened(task: string): string {
  return task.replace(/\s+/g, ' ').slice(0, 100);
}

export function conflictGate(language: string, other: string) {
  const words = wordsIn(language).common.session.conflict;
  const options = [
    option('Delete and start', { shown: words.start.shown, description: words.start.description({ wanted: '/spec' }) }),
    option('Cancel', words.cancel),
  ];
  return {
    ...gate(language, 'session-conflict', {
      header: words.header,
      question: words.question({ other: `/${other}`, wanted: '/spec' }),
      options,
    }),
    non_negotiable: true,
  };
}

export function routingGate(language: string, signal: Signal, command: string, line: string) {
  const words = sayIn(language).routing;
  return gate(language, 'routing', {
    header: words.header,
    question: words[signal],
    options: [
      option(`Switch: /${command}`, { shown: words.change.shown({ command }), description: words.change.description({ line }) }),
      option('Continue with /spec', words.stay, { recommended: true }),
    ],
  });
}

export function collisionGate(language: string, path: string, stamped: string) {
  const words = sayIn(language).collision;
  return gate(language, 'slug-collision', {
    header: words.header,
    question: words.question({ path }),
    options: [
      option(
        'Append timestamp',
        { shown: words.append.shown, description: words.append.description({ path: stamped }) },
        { recommended: true },
      ),
      option('Overwrite', words.overwrite),
      option('Stop', words.stop),
    ],
  });
}

export function modeGate(language: string) {
  const words = sayIn(language).mode;
  return gate(language, 'mode', {
    header: words.header,
    question: words.question,
    options: [option('quick', words.quick, { recommended: true }), option('deep', words.deep)],
  });
}

export function modelGate(language: string) {
  const words = wordsIn(language).common.model;
  return gate(language, 'model', {
    header: words.header,
    question: `${words.question}\n${words.ownForm({ form: 'executor:<model>,advisor:<model>' })}`,
    options: [
      option('default', words.default),
      option('all-opus', words.allOpus),
      option('balanced', words.balanced, { recommended: true }),
      option('economy', words.economy),
    ],
  });
}

export function modelConfirmGate(state: SpecState) {
  const words = sayIn(state.user_lang).model;
  const { executor, advisor } = state.model_config ?? {};
  return gate(state.user_lang, 'model-confirm', {
    header: wordsIn(state.user_lang).common.model.header,
    question: words.confirm({ models: `executor: ${executor}, advisor: ${advisor}` }),
    options: [option('Use it', words.use, { recommended: true }), option('Choose again', words.again)],
  });
}

export function questionsGate(state: SpecState) {
  const words = sayIn(state.user_lang).qa;
  const round = state.qa_round ?? 1;
  const questions = state.harness.questions ?? [];
  const list = renderQuestions(questions);
  const inline = option('Answer inline', words.inline, { asks: questions.map(({ question }) => question) });
  return gate(state.user_lang, `questions-${round}`, {
    header: words.header({ round }),
    question: round === 1 ? words.first({ task: state.task, list }) : words.later({ list }),
    options: [
      inline,
      round === 1 ? option('Skip — use best judgment', words.skip) : option('No more questions — write the spec', words.enough),
    ],
  });
}

export function criticGate(state: SpecState, counts: Counts) {
  const words = sayIn(state.user_lang).critic;
  return gate(state.user_lang, 'critic', {
    header: words.header,
    question: words.question({ critical: counts.critical, major: counts.major, minor: counts.minor }),
    options: [
      option('Auto-revise', words.revise, { recommended: true }),
      option('Modify', words.modify, { asks: [words.whatToChange] }),
      option('Approve as-is', words.approve),
    ],
  });
}

export function parseGate(language: string) {
  const words = sayIn(language).critic;
  return {
    ...gate(language, 'critic-parse', {
      header: words.header,
      question: words.parseQuestion,
      options: [option('Approve as-is', words.parseApprove), option('Stop', words.stop)],
    }),
    non_negotiable: true,
  };
}

export function secondGate(state: SpecState, counts: Counts) {
  const words = sayIn(state.user_lang).critic;
  const question = words.secondQuestion({ critical: counts.critical, major: counts.major, minor: counts.minor });
  return {
    ...gate(state.user_lang, 'critic-second', {
      header: words.header,
      question,
      options: [option('Approve as-is', words.secondApprove), option('Stop', words.stop)],
    }),
    non_negotiable: true,
  };
}

export function approvalGate(language: string, context: string[]) {
  const words = sayIn(language).approval;
  const options = [
    option('Approve', words.approve),
    option('Modify', words.modify, { asks: [sayIn(language).critic.whatToChange] }),
    option('Stop', words.stop),
  ];
  return { ...gate(language, 'approval', { header: words.header, question: words.question, options }), context, non_negotiable: true };
}

export function nextGate(language: string) {
  const words = sayIn(language).next;
  return gate(language, 'next', {
    header: words.header,
    question: words.question,
    options: [option('Start /workflow', words.workflow), option('Start /project', words.project), option('Done', words.done)],
  });
}

const TAKES_WORDS: ReadonlySet<string> = new Set(['model', 'questions-1', 'questions-2', 'questions-3', 'critic', 'approval']);

function gate<Label extends string>(
  language: string,
  name: string,
  { header, question, options }: { header: string; question: string; options: Option<Label>[] },
): Question<Label> {
  const words = TAKES_WORDS.has(name) ? {} : { words: false as const };
  return { id: `spec.${name}`, header, question, options, non_negotiable: false, context: [], language, ...words };
}

function option<Label extends string>(label: Label, words: Shown, details: { recommended?: boolean; asks?: string[] } = {}): Option<Label> {
  return {
    label,
    shown: words.shown,
    description: words.description,
    recommended: details.recommended ?? false,
    ...(details.asks === undefined ? {} : { asks: details.asks }),
  };
}
