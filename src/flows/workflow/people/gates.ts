/** The questions of the workflow. Pure: the same facts give the same question, so that an answer given meanwhile still fits. */
import type { Question } from '../../../domain/gate.ts';
import type { Bench } from '../bench.ts';
import type { Asks, Layer } from '../contract.ts';
import { documentPath } from '../documents.ts';
import { mayChangeIn } from '../machine/asks.ts';
import { offersAutofix } from '../machine/machine.ts';

type Option<Label extends string> = Question<Label>['options'][number];
type Voice = Pick<Bench, 'words' | 'common'>;
interface Choice {
  shown: string;
  description: string;
}

const SHOWN_SPEC_LINES = 200;

/** Settles models and conventions too, so that setting up is one question. */
export function modeGate({ words }: Voice, language: string, modelsGiven: boolean) {
  const { mode } = words;
  const also = modelsGiven ? mode.alsoConventions : mode.also;
  return {
    ...gate('workflow.mode', language, {
      header: mode.header,
      question: mode.question,
      options: [
        { ...option('standard', mode.standard, true), asks: [also], words_optional: true },
        { ...option('single', mode.single), asks: [also], words_optional: true },
        { ...option('multi', mode.multi), asks: [also], words_optional: true },
      ],
    }),
    context: [also],
  };
}

export function modelGate({ common, words }: Voice, language: string) {
  const { model } = common;
  const asks = { asks: [words.mode.alsoConventions], words_optional: true };
  return {
    ...gate('workflow.model', language, {
      header: model.header,
      question: model.question,
      options: [
        { ...option('default', model.default), ...asks },
        { ...option('all-opus', model.allOpus), ...asks },
        { ...option('balanced', model.balanced, true), ...asks },
        { ...option('economy', model.economy), ...asks },
      ],
    }),
    context: [model.ownForm({ form: 'executor:<model>,advisor:<model>,evaluator:<model>' }), words.mode.alsoConventions],
  };
}

export function specGate({ words, session }: Bench, spec: string) {
  const lines = spec.trimEnd().split('\n');
  const rest = lines.length - SHOWN_SPEC_LINES;
  const mayChange = mayChangeIn(spec);
  return {
    ...gate('workflow.spec', session.user_lang, {
      header: words.spec.header,
      question: words.spec.question,
      options: [
        option('Proceed', words.spec.proceed),
        { ...option('Modify', words.spec.modify), asks: [words.spec.whatToChange], words_optional: true },
        option('Stop', words.spec.stop),
      ],
    }),
    non_negotiable: true,
    context: [
      ...(mayChange.length === 0 ? [] : [words.spec.mayChange({ tests: mayChange.join(', ') })]),
      words.spec.where({ path: documentPath(session, 'spec.md') }),
      ...lines.slice(0, SHOWN_SPEC_LINES),
      ...(rest > 0 ? [words.spec.cut({ lines: rest })] : []),
    ],
  };
}

/** The question of the project flow about the same; `difference`: what was changed of the files in question. */
export function protectedGate({ words, session }: Bench, asks: Asks, difference: readonly string[]) {
  const say = words.protected;
  const { header, question, accept } = asks.gate === 'workflow.dependencies' ? say.dependencies : say.tampering;
  return {
    ...gate(asks.gate, session.user_lang, {
      header,
      question: question({ subjects: someOf(asks.subjects) }),
      options: [option('Accept', accept), option('Reject', say.reject), option('Stop', say.stop)],
    }),
    non_negotiable: true,
    context: [...asks.findings, ...difference, words.verify.see({ path: documentPath(session, 'verify_report.md') })],
  };
}

const MOST_NAMED = 5;

function someOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return rest > 0 ? `${names.slice(0, MOST_NAMED).join(', ')} (+${rest})` : names.join(', ');
}

export function verifyGate({ words, session }: Bench) {
  const summary = session.harness.summary ?? '';
  return {
    ...gate('workflow.verify', session.user_lang, {
      header: words.verify.header,
      question: words.verify.question({ summary }),
      options: [
        ...(offersAutofix(session) ? [option('Auto-fix proposal', words.verify.autofix)] : []),
        option('Continue to Evaluator', words.verify.continue),
        option('Stop', words.verify.stop),
      ],
    }),
    non_negotiable: true,
    context: [words.verify.see({ path: documentPath(session, 'verify_report.md') })],
  };
}

/** `objection`: why it could not be applied as it is; whoever decides reads it first. */
export function autofixGate(
  { words, session }: Bench,
  { text, confidence, objection }: { text: string; confidence: string; objection: string | null },
) {
  const question = [...(confidence === 'Low' ? [words.autofix.low] : []), words.autofix.question({ confidence })].join(' ');
  return {
    ...gate('workflow.auto-fix', session.user_lang, {
      header: words.autofix.header,
      question,
      options: [option('Apply patch', words.autofix.apply), option('Reject', words.autofix.reject), option('Stop', words.autofix.stop)],
    }),
    non_negotiable: true,
    context: [...(objection === null ? [] : [`⚠ ${objection}`]), ...text.trimEnd().split('\n').slice(0, SHOWN_SPEC_LINES)],
  };
}

export function qaGate({ words, session }: Bench, items: readonly string[]) {
  const which = session.harness.verdict === 'FAIL L2' ? words.qa.layer2 : words.qa.layer3;
  const question = items.length === 0 ? which : `${which} ${words.qa.items({ items: items.join(' | ') })}`;
  return {
    ...gate('workflow.qa', session.user_lang, {
      header: words.qa.header,
      question,
      options: [option('Fix', words.qa.fix, true), option('Accept as-is', words.qa.accept)],
    }),
    context: [words.verify.see({ path: documentPath(session, 'qa_report.md') })],
  };
}

/** What nobody has accepted yet is accepted here, so nobody but a person may answer then. */
export function commitGate({ words, session }: Bench, changed: readonly string[], open: readonly Layer[]) {
  const { commit } = words;
  const named = open.map((layer) => commit.layer[layer === 'layer 1' ? 'layer1' : layer === 'layer 2' ? 'layer2' : 'layer3']);
  return {
    ...gate('workflow.commit', session.user_lang, {
      header: commit.header,
      question: named.length === 0 ? commit.question : commit.questionFailed({ what: named.join(', ') }),
      options: [
        option('Commit code only', commit.code, named.length === 0),
        option('Commit all', commit.all),
        option('No commit', commit.none),
      ],
    }),
    non_negotiable: named.length > 0,
    context: [commit.changed({ count: changed.length }), ...changed.slice(0, SHOWN_SPEC_LINES)],
  };
}

/** `wanted`: the other task that the command gives, if it gives one. */
export function sessionGate(
  { common }: Voice,
  language: string,
  { task, phase, next, wanted }: { task: string; phase: string; next: string | null; wanted: string | null },
) {
  const say = common.session;
  const question =
    wanted === null ? say.question({ status: shortened(task) }) : say.questionOther({ open: shortened(task), wanted: shortened(wanted) });
  return {
    ...gate('workflow.session', language, {
      header: say.header,
      question,
      options: [
        ...(wanted === null ? [] : [option('Start the new task', say.startNew, true)]),
        option('Resume', { shown: say.resume.shown, description: say.resume.description({ phase }) }, wanted === null),
        option('Restart', say.restart),
        option('Stop', say.stop),
      ],
    }),
    context: next === null ? [] : [next],
  };
}

function shortened(task: string): string {
  return task.replace(/\s+/g, ' ').slice(0, 100);
}

export function conflictGate({ common }: Voice, language: string, skill: string) {
  const { conflict } = common.session;
  return {
    ...gate('workflow.session-conflict', language, {
      header: conflict.header,
      question: conflict.question({ other: skill, wanted: 'workflow' }),
      options: [
        option('Delete and start', { shown: conflict.start.shown, description: conflict.start.description({ wanted: 'workflow' }) }),
        option('Cancel', conflict.cancel),
      ],
    }),
    non_negotiable: true,
  };
}

const TAKES_WORDS: ReadonlySet<string> = new Set([
  'workflow.mode',
  'workflow.model',
  'workflow.spec',
  'workflow.tampering',
  'workflow.dependencies',
  'workflow.qa',
]);

function gate<Label extends string>(
  id: string,
  language: string,
  { header, question, options }: { header: string; question: string; options: Option<Label>[] },
): Question<Label> {
  const words = TAKES_WORDS.has(id) ? {} : { words: false as const };
  return { id, header, question, options, non_negotiable: false, context: [], language, ...words };
}

function option<Label extends string>(label: Label, choice: Choice, recommended = false): Option<Label> {
  return { label, ...(choice.shown === label ? {} : { shown: choice.shown }), description: choice.description, recommended };
}
