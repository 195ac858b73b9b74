/**
 * What an agent is told. Pure.
 *
 * Everything that came from people or files is data: behind a fence that it cannot end, which begins on a line of its own, and without
 * control characters and signs that nobody sees.
 */
import { cleanText } from '../../../domain/clean-text.ts';
import { fence } from '../../../domain/fence.ts';
import type { TaskState } from '../machine/state.ts';

const NONE = '(none)';

export interface BriefTexts {
  contract: string | null;
  spec: string | null;
  /** Names of the rules, those of the project included. */
  rules: readonly string[];
  /** Rule files of the project, by path. */
  quality: readonly { path: string; text: string }[];
}

export function briefFor(state: TaskState, input: TaskState['input'], texts: BriefTexts): Record<string, string> {
  const { ground, consultations } = state;
  const advice = consultations.flatMap(({ advice: one }) => (one === null ? [] : [JSON.stringify(one, null, 2)]));
  return {
    task_id: input.task_id,
    task: data('task', input.task),
    context: dataOr('context', input.context ?? null),
    files: [data('files', input.files.join('\n')), ...mayChangeText(input)].join('\n\n'),
    contract: dataOr('contract', texts.contract),
    spec: texts.spec === null ? `${NONE} ${input.spec_skip_reason ?? ''}`.trim() : data('spec', texts.spec),
    validation: dataOr('commands', ground?.validation.map((one) => one.command).join('\n') || null),
    tdd: tddText(state),
    dod: dataOr(
      'definition of done',
      ground?.dod.map(({ item, command }) => (command === null ? item : `${item} (proved by: ${command})`)).join('\n') || null,
    ),
    rules: [
      data('rules', texts.rules.map((rule) => `- ${rule}`).join('\n')),
      ...texts.quality.map(({ path, text }) => data(path, text)),
    ].join('\n\n'),
    feedback: dataOr('findings', state.feedback),
    advice: advice.length === 0 ? NONE : advice.map((one) => data('advice', one)).join('\n\n'),
  };
}

function mayChangeText({ may_change: globs = [] }: TaskState['input']): string[] {
  if (globs.length === 0) return [];
  return [`Accepted tests that this task may change, as far as it has to:\n${data('may_change', globs.join('\n'))}`];
}

function dataOr(label: string, text: string | null): string {
  return text === null || text.trim() === '' ? NONE : data(label, text);
}

function data(label: string, text: string): string {
  return fence(label, cleanText(text));
}

function tddText({ ground }: TaskState): string {
  if (ground?.tdd.required === true)
    return 'Mandatory. Write new tests, in separate files where you can. The harness runs them on the code from before: they have to fail there.';
  return ground?.tdd.skipped === null || ground?.tdd.skipped === undefined
    ? 'Not mandatory for this task.'
    : `Skipped, for this reason:\n${data('reason', ground.tdd.skipped)}`;
}
